"""deploy/kubernetes: resources are valid, and agree with each other and with the settings of the service."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from service.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
FOLDER = DEPLOY / "kubernetes"
VERSIONS = ("1.30", "1.34")


def kustomization() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
    return found


def read(text: str) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(text) if document]


RESOURCES = [one for name in kustomization()["resources"] for one in read((FOLDER / name).read_text())]
DEPLOYMENTS = {one["metadata"]["name"]: one for one in RESOURCES if one["kind"] == "Deployment"}


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [one for one in RESOURCES if one["kind"] == kind]


def pod(name: str) -> dict[str, Any]:
    found: dict[str, Any] = DEPLOYMENTS[name]["spec"]["template"]["spec"]
    return found


def container(name: str) -> dict[str, Any]:
    (found,) = pod(name)["containers"]
    return dict(found)


def literals() -> dict[str, str]:
    (generator,) = kustomization()["configMapGenerator"]
    return dict(line.split("=", 1) for line in generator["literals"])


def variables(name: str) -> dict[str, Any]:
    return {one["name"]: one for one in container(name)["env"]}


def pods_with(selector: dict[str, Any]) -> set[str]:
    """Return the deployments whose pods a label selector chooses."""
    found = set()
    for name, deployment in DEPLOYMENTS.items():
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        equal = selector.get("matchLabels", {}).items() <= labels.items()
        listed = all(labels.get(e["key"]) in e["values"] for e in selector.get("matchExpressions", []))
        if equal and listed:
            found.add(name)
    return found


def identity(one: dict[str, Any]) -> str:
    return f"{one['kind']}/{one['metadata']['name']}"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("resource", RESOURCES, ids=identity)
def test_a_resource_has_the_fields_of_its_kind(resource: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(resource, version, strict=True)


@pytest.mark.process
def test_kustomize_builds_them() -> None:
    tool = next((found for name in ("kustomize", "kubectl") if (found := shutil.which(name))), None)
    if tool is None:
        pytest.skip("needs kustomize or kubectl")
    words = [tool, "build"] if tool.endswith("kustomize") else [tool, "kustomize"]
    done = subprocess.run([*words, str(FOLDER)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    built = read(done.stdout)
    assert {one["kind"] for one in built} == {one["kind"] for one in RESOURCES} | {"ConfigMap"}
    for one in built:
        kubernetes_validate.validate(one, VERSIONS[-1], strict=True)
        assert one["kind"] == "Namespace" or one["metadata"]["namespace"] == "kibitz"
    images = set(re.findall(r"image: (\S+)", done.stdout))
    assert len(images) == 2, "that of the service, and Redis"


def test_every_file_is_part_of_it() -> None:
    others = {"kustomization.yaml", "prometheus-adapter.yaml"}
    assert {path.name for path in FOLDER.iterdir()} == {*kustomization()["resources"], *others}


def test_the_settings_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {name for name, _, _ in Settings.table()}
    for name in DEPLOYMENTS:
        assert {variable for variable in variables(name) if variable.startswith("KIBITZ_")} <= known
    for name, value in literals().items():
        monkeypatch.setenv(name, value)
    settings = Settings.from_environment(host="0.0.0.0")
    assert settings.workers == 1, "no files of metrics, and pods are what scales"
    assert settings.proxies == 1
    grace = pod("kibitz")["terminationGracePeriodSeconds"]
    assert grace > settings.drain_seconds + settings.graceful_seconds
    probe = container("kibitz")["readinessProbe"]
    assert settings.drain_seconds > probe["periodSeconds"] * probe["failureThreshold"]


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_kubernetes_adds_no_variables_that_look_like_settings(name: str) -> None:
    """For a service `kibitz` it would set KIBITZ_PORT and more, and kibitz would not start."""
    assert pod(name)["enableServiceLinks"] is False


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_pods_run_without_root_and_without_a_writable_root(name: str) -> None:
    spec = pod(name)
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert spec["automountServiceAccountToken"] is False
    for one in [*spec["containers"], *spec.get("initContainers", [])]:
        assert one["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        for amounts in (one["resources"]["requests"], one["resources"]["limits"]):
            assert amounts.keys() == {"cpu", "memory"}


def test_the_user_is_that_of_the_image() -> None:
    (user,) = re.findall(r"^USER (\d+)$", (DEPLOY.parent / "Dockerfile").read_text(), re.MULTILINE)
    for name in ("kibitz", "kibitz-worker"):
        assert pod(name)["securityContext"]["runAsUser"] == int(user)


def test_selectors_choose_the_pods_of_their_own_deployment() -> None:
    for name, deployment in DEPLOYMENTS.items():
        assert pods_with(deployment["spec"]["selector"]) == {name}
    for service in of_kind("Service"):
        name = service["metadata"]["name"]
        assert pods_with({"matchLabels": service["spec"]["selector"]}) == {name}
        ports = {port["name"] for port in container(name)["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports
    (budget,) = of_kind("PodDisruptionBudget")
    assert pods_with(budget["spec"]["selector"]) == {"kibitz"}
    (spread,) = pod("kibitz")["topologySpreadConstraints"]
    assert pods_with(spread["labelSelector"]) == {"kibitz"}


def test_ports_and_probes_are_those_of_the_service() -> None:
    ports = {port["name"]: port["containerPort"] for port in container("kibitz")["ports"]}
    assert f"KIBITZ_PORT={ports['http']}" in (DEPLOY.parent / "Dockerfile").read_text()
    paths = {
        kind: container("kibitz")[kind]["httpGet"]["path"]
        for kind in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    assert paths == {"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"}
    assert container("kibitz-worker")["args"] == ["worker"]
    redis = of_kind("Service")[1]
    address = f"@{redis['metadata']['name']}:{redis['spec']['ports'][0]['port']}/"
    for name in ("kibitz", "kibitz-worker"):
        assert address in variables(name)["KIBITZ_REDIS_URL"]["value"]


def test_the_worker_has_the_settings_of_the_service() -> None:
    service, worker = variables("kibitz"), variables("kibitz-worker")
    assert worker == {name: one for name, one in service.items() if name in worker}
    assert container("kibitz-worker")["envFrom"] == container("kibitz")["envFrom"]
    assert container("kibitz-worker")["image"] == container("kibitz")["image"]


def test_the_autoscaler_reads_the_gauge_that_the_adapter_offers() -> None:
    (scaler,) = of_kind("HorizontalPodAutoscaler")
    assert scaler["spec"]["scaleTargetRef"]["name"] in DEPLOYMENTS
    assert "replicas" not in DEPLOYMENTS["kibitz"]["spec"], "it would undo what the autoscaler does"
    (metric,) = scaler["spec"]["metrics"]
    (rule,) = yaml.safe_load((FOLDER / "prometheus-adapter.yaml").read_text())["rules"]
    assert metric["pods"]["metric"]["name"] == rule["name"]["as"]
    assert rule["seriesQuery"].startswith(rule["name"]["as"] + "{")
    (job,) = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yaml").read_text())["scrape_configs"]
    added = {one.get("target_label") for one in job["relabel_configs"]}
    assert set(rule["resources"]["overrides"]) <= added


def test_redis_is_as_in_compose_with_a_password() -> None:
    command = container("kibitz-redis")["command"]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["redis"]
    assert container("kibitz-redis")["image"] == compose["image"]
    for option in ("--save", "--appendonly", "--maxmemory", "--maxmemory-policy"):
        assert command[command.index(option) + 1] == compose["command"][compose["command"].index(option) + 1]
    assert command[command.index("--requirepass") + 1] == "$(REDISCLI_AUTH)"


def test_secrets_are_references() -> None:
    names = re.compile("PASSWORD|AUTH|KEY$|SECRET")
    referred = set()
    for deployment in DEPLOYMENTS:
        for name, variable in variables(deployment).items():
            if names.search(name):
                reference = variable["valueFrom"]["secretKeyRef"]
                referred.add(f"{reference['name']}/{reference['key']}")
    assert not names.search(" ".join(literals()))
    assert not of_kind("Secret")
    keys = {key.partition("/")[2] for key in referred} | {"keys"}
    runbook = (DEPLOY / "RUNBOOK.md").read_text()
    assert set(re.findall(r"--from-(?:literal|file)=([a-z-]+)", runbook)) == keys


def test_only_the_service_and_its_workers_reach_redis() -> None:
    policies = {one["metadata"]["name"]: one["spec"] for one in of_kind("NetworkPolicy")}
    assert policies.pop("kibitz-default") == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    into = {
        name: pods_with(source["podSelector"])
        for policy in policies.values()
        for name in pods_with(policy["podSelector"])
        for rule in policy.get("ingress", [])
        for source in rule["from"]
        if "podSelector" in source
    }
    assert into == {"kibitz-redis": {"kibitz", "kibitz-worker"}}
    out = policies["kibitz-to-redis"]
    assert pods_with(out["podSelector"]) == {"kibitz", "kibitz-worker"}
    (port,) = out["egress"][0]["ports"]
    assert port["port"] in {one["name"] for one in container("kibitz-redis")["ports"]}
