"""Markdown of the HTTP service, made of its OpenAPI document."""

from __future__ import annotations

import json
from typing import Any

from markdown_text import escaped

METHODS = ("get", "post", "put", "delete")


def operations_markdown(document: dict[str, Any]) -> str:
    """Return the operations by tag, then the objects of bodies and answers by name."""
    parts = []
    for tag in document["tags"]:
        parts.append(f"## {tag['description']}")
        for path, item in document["paths"].items():
            for method in METHODS:
                operation = item.get(method)
                if operation and tag["name"] in operation["tags"]:
                    parts.append(_operation(method, path, operation))
    parts.append("## Objects\n\nThe objects of bodies and answers. Fields marked with * are always there.")
    for name, schema in document["components"]["schemas"].items():
        parts.append(f"### {name}\n\n{_fields(schema)}")
    return "\n\n".join(parts)


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [f"### {method.upper()} {path}", _line(operation["summary"])]
    if operation.get("description"):
        parts.append(_line(operation["description"]))
    if operation.get("parameters"):
        rows = [_parameter(each) for each in operation["parameters"]]
        parts.append("\n".join(["| parameter | in | type | meaning |", "|---|---|---|---|", *rows]))
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        parts.append(f"Body (`{media}`): {_type(content.get('schema', {}))}")
        for example in list(content.get("examples", {}).values())[:1]:
            parts.append(_example(example))
    rows = []
    errors = []
    for status, response in sorted(operation["responses"].items()):
        content = response.get("content", {})
        if "application/problem+json" in content:
            errors.append(status)
            continue
        bodies = ", ".join(f"`{media}` {_type(each.get('schema', {}))}" for media, each in content.items())
        rows.append(f"| {status} | {_line(response['description'])} | {bodies} |")
    parts.append("\n".join(["| status | meaning | body |", "|---|---|---|", *rows]))
    if errors:
        parts.append(f"Errors, each a [Problem](#problem): {', '.join(errors)}.")
    return "\n\n".join(parts)


def _parameter(parameter: dict[str, Any]) -> str:
    name = f"`{parameter['name']}`" + ("*" if parameter.get("required") else "")
    schema = parameter.get("schema", {})
    return f"| {name} | {parameter['in']} | {_type(schema)} | {_meaning(parameter, schema)} |"


def _fields(schema: dict[str, Any]) -> str:
    required = set(schema.get("required", []))
    rows = [
        f"| `{name}`{'*' if name in required else ''} | {_type(field)} | {_meaning(field, field)} |"
        for name, field in schema.get("properties", {}).items()
    ]
    return "\n".join(["| field | type | meaning |", "|---|---|---|", *rows]) if rows else "No fields."


def _meaning(described: dict[str, Any], schema: dict[str, Any]) -> str:
    parts = [_line(described.get("description", ""))]
    if "enum" in schema:
        parts.append("One of " + ", ".join(f"`{value}`" for value in schema["enum"]))
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        parts.append(f"{low} to {high}")
    elif low is not None or high is not None:
        parts.append(f"at least {low}" if high is None else f"at most {high}")
    if "default" in schema:
        parts.append(f"default `{json.dumps(schema['default'])}`")
    return ". ".join(part for part in parts if part)


def _type(schema: dict[str, Any]) -> str:
    """Return a type in words, objects as links to their table."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(_type(each) for each in schema[choice]))
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(kind)


def _example(example: dict[str, Any]) -> str:
    value = example["value"]
    text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
    language = "text" if isinstance(value, str) else "json"
    return f"Example, {_line(example['summary'])}:\n\n```{language}\n{text.strip()}\n```"


def _line(text: str) -> str:
    return escaped(" ".join(text.split()))
