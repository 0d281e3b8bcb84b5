"""deploy/: rules and dashboard read only what the service exports; every alert is in the runbook."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.service.serving import Server, running

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = DEPLOY / "prometheus" / "alerts.yaml"
DASHBOARD = DEPLOY / "grafana" / "kibitz.json"

# Labels that Prometheus adds, not the service.
OF_PROMETHEUS = {"namespace", "pod"}
SELECTOR = re.compile(r"\b(kibitz_[a-z_]+)(\{[^}]*\})?")
MATCHER = re.compile(r'([a-z_]+)(=~|!~|!=|=)"([^"]*)"')


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def alerts() -> list[dict[str, Any]]:
    return [rule for rule in rules() if "alert" in rule]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return found


def dashboard_expressions() -> list[str]:
    return [target["expr"] for panel in panels() for target in panel["targets"]]


def expressions() -> list[str]:
    adapter = yaml.safe_load((DEPLOY / "kubernetes" / "prometheus-adapter.yaml").read_text())
    return [
        *(rule["expr"] for rule in rules()),
        *dashboard_expressions(),
        *(rule["seriesQuery"] for rule in adapter["rules"]),
    ]


@pytest.fixture(scope="module")
def scrape(data: Path) -> dict[str, list[dict[str, str]]]:
    """The labels of every series of a running service, by name, after requests that give each a value."""
    keys = data / "keys"
    keys.touch(0o600)
    with running(data, KIBITZ_API_KEYS=str(keys)) as server:
        ask(server)
        text = server.ask("GET", "/metrics")[2].decode()
    found: dict[str, list[dict[str, str]]] = {}
    for name, labels in re.findall(r"^(kibitz_\w+)(?:\{(.*)\})? \S+$", text, re.MULTILINE):
        found.setdefault(name, []).append(dict(re.findall(r'(\w+)="([^"]*)"', labels)))
    return found


def ask(server: Server) -> None:
    body = {"tiles": [], "rack": "CABDEFE"}
    simulate = {"method": "monte_carlo", "iterations": 10, "candidates": 2}
    assert server.ask("POST", "/analyze", body)[0] == 200
    assert server.ask("POST", "/analyze", {**body, "simulate": simulate, "seed": 1})[0] == 200
    assert server.ask("GET", "/version", headers={"Authorization": "Bearer wrong"})[0] == 401


@pytest.mark.process
@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_a_rule_reads_what_the_service_exports(
    expression: str, scrape: dict[str, list[dict[str, str]]]
) -> None:
    selectors = SELECTOR.findall(expression)
    assert selectors or "kibitz:" in expression
    grouped = set(re.findall(r"\w+", " ".join(re.findall(r"\bby \(([^)]*)\)", expression))))
    for name, matchers in selectors:
        labels = {label for series in scrape[name] for label in series}
        assert grouped <= labels
        for label, operator, value in MATCHER.findall(matchers):
            if label in OF_PROMETHEUS:
                continue
            assert label in labels, f"{name} has no label {label}"
            values = {series[label] for series in scrape[name]}
            if operator == "=":
                assert value in values, f"{name} has no {label}={value}"


@pytest.mark.process
def test_every_metric_of_the_service_is_on_the_dashboard(scrape: dict[str, list[dict[str, str]]]) -> None:
    shown = {name for text in dashboard_expressions() for name, _ in SELECTOR.findall(text)}
    hidden = {re.sub("_(bucket|count|sum)$", "", name) for name in scrape}
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in shown} == hidden


def test_recorded_series_are_recorded() -> None:
    recorded = {rule["record"] for rule in rules() if "record" in rule}
    used = {name for rule in alerts() for name in re.findall(r"kibitz:\w+:\w+", rule["expr"])}
    assert used == recorded


def test_reasons_and_routes_of_the_rules_exist() -> None:
    """A refusal and a route appear in a scrape only after they have happened, so the sources are asked."""
    service = DEPLOY.parent / "service"
    sources = "\n".join(path.read_text() for path in service.rglob("*.py"))
    text = "\n".join(expressions())
    for reason in "|".join(re.findall(r'reason=~?"([^"]*)"', text)).split("|"):
        assert f'"{reason}"' in sources, reason
    for route in {"/livez", "/readyz", "/metrics", "/jobs", "/analyze", "/play"}:
        assert f'route("{route}' in sources, route


def test_every_alert_has_an_entry_in_the_runbook_and_links_to_it() -> None:
    text = (DEPLOY / "RUNBOOK.md").read_text()
    headings = re.findall(r"^### (Kibitz\w+)$", text, re.MULTILINE)
    names = [alert["alert"] for alert in alerts()]
    assert headings == names, "one for each alert, in the same order"
    for alert in alerts():
        assert alert["annotations"]["runbook"] == f"deploy/RUNBOOK.md#{alert['alert'].lower()}"
        assert alert["annotations"]["summary"]
        assert alert["labels"]["severity"] in ("page", "ticket")


def test_the_objectives_are_those_of_the_documentation() -> None:
    text = " ".join((DEPLOY.parent / "docs" / "operations.md").read_text().split())
    assert "99.9 % of the requests" in text
    for bound in ("0.1 s", "15 s"):
        assert bound in text
    by_name = {alert["alert"]: alert["expr"] for alert in alerts()}
    assert "* 0.001" in by_name["KibitzManyErrors"]
    assert 'le="0.1"' in by_name["KibitzSlowAnswers"]
    assert 'le="15.0"' in by_name["KibitzSlowSearches"]


def test_panels_have_ids_of_their_own_and_do_not_overlap() -> None:
    squares: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        mine = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not mine & squares
        squares |= mine
        assert panel["datasource"]["uid"] == "${datasource}"
    assert len({panel["id"] for panel in panels()}) == len(panels())


@pytest.fixture
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("needs promtool; Debian's package prometheus has it")
    return found


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.process
def test_prometheus_accepts_rules_and_expressions_of_the_dashboard(promtool: str, tmp_path: Path) -> None:
    run(promtool, "check", "rules", str(RULES))
    config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yaml").read_text())
    for job in config["scrape_configs"]:
        # Debian's promtool is built without Kubernetes.
        job["static_configs"] = [{"targets": ["localhost"]} for _ in job.pop("kubernetes_sd_configs")]
    plain = tmp_path / "prometheus.yaml"
    plain.write_text(yaml.safe_dump(config))
    run(promtool, "check", "config", "--syntax-only", str(plain))
    shown = [
        {"record": f"panel:{number}", "expr": re.sub(r"\$__\w+", "5m", expression)}
        for number, expression in enumerate(dashboard_expressions())
    ]
    path = tmp_path / "dashboard.yaml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": shown}]}))
    run(promtool, "check", "rules", str(path))


@pytest.mark.process
@pytest.mark.slow
def test_the_alerts_fire_when_they_should_and_only_then(promtool: str, tmp_path: Path) -> None:
    path = tmp_path / "alerts_test.yaml"
    path.write_text((Path(__file__).parent / "alerts_test.yaml").read_text().replace("RULES", str(RULES)))
    run(promtool, "test", "rules", str(path))
