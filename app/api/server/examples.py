"""The examples of the OpenAPI document: requests in one story, with the responses of a real server.

``python -m tests.app.api.examples`` records them in a file, which is read only when the document is asked for.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from app.api.server.openapi import FORM, Node

EXAMPLES: Final = Path(__file__).parents[3] / "resources" / "reference" / "examples.json"

FORM_FIELDS: Final = "The other fields of the JSON body are accepted, too; objects and lists as JSON text."


class Example(Struct, frozen=True):
    """A request and its response; `response` is missing if it is neither JSON nor text."""

    title: str
    status: int
    media: str
    path: Mapping[str, str] = {}
    query: Mapping[str, Any] = {}
    headers: Mapping[str, str] = {}
    body: Any = None
    response: Any = None


class Recording(Struct, frozen=True):
    """All examples: those of each operation by its name, and an error response for each status."""

    operations: Mapping[str, tuple[Example, ...]]
    errors: Mapping[str, Any]


def read_examples() -> Recording:
    """Return the recorded examples."""
    return msgspec.json.decode(EXAMPLES.read_bytes(), type=Recording)


def add_examples(document: Node, recording: Recording) -> Node:
    """Add the examples to a document and return it.

    The first example of an operation gives its parameters their values, which tools fill in and send together. Values
    that only other examples have are in the schemas of the parameters, which tools do not fill in.
    """
    for template, path in document["paths"].items():
        named = path.get("parameters", [])
        for method, operation in path.items():
            if method != "parameters":
                examples = recording.operations[operation["operationId"]]
                _add_to_operation(operation, examples, f"{method.upper()} {template}")
                _add_form(operation, examples[0], document["components"]["schemas"])
                for parameter in named:
                    parameter.setdefault("example", examples[0].path[parameter["name"]])
    for status, response in recording.errors.items():
        content = document["components"]["responses"][status]["content"]
        content["application/json"]["example"] = response
    return document


def _add_to_operation(operation: Node, examples: tuple[Example, ...], line: str) -> None:
    """Add examples to an operation, whose method and path are `line`."""
    for parameter in operation.get("parameters", ()):
        _add_to_parameter(parameter, examples)
    bodies = {_name(each.title): {"summary": each.title, "value": each.body} for each in examples if each.body}
    if bodies:
        operation["requestBody"]["content"]["application/json"]["examples"] = bodies
    answers = {
        _name(each.title): {"summary": each.title, "description": _request(line, each), "value": each.response}
        for each in examples
        if each.response is not None
    }
    for content in operation["responses"]["200"]["content"].values() if answers else ():
        content["examples"] = answers


def _add_form(operation: Node, example: Example, schemas: Node) -> None:
    """Reduce the form of a body to the fields of an example.

    Tools fill in a form field by field, and send "null" or invented values for fields without an example.
    """
    content = operation.get("requestBody", {}).get("content", {})
    if FORM not in content:
        return
    model = schemas[content[FORM]["schema"]["$ref"].rpartition("/")[2]]
    properties = {name: model["properties"][name] | {"examples": [value]} for name, value in example.body.items()}
    required = {"required": model["required"]} if "required" in model else {}
    schema = {"type": "object", "description": FORM_FIELDS, "properties": properties, "additionalProperties": True}
    content[FORM] = {"schema": schema | required}


def _add_to_parameter(parameter: Node, examples: tuple[Example, ...]) -> None:
    place = "headers" if parameter["in"] == "header" else "query"
    values = [value for each in examples if (value := getattr(each, place).get(parameter["name"])) is not None]
    if not values:
        return
    if parameter["name"] in getattr(examples[0], place):
        parameter["example"] = values[0]
    else:
        parameter["schema"]["examples"] = values


def _request(line: str, example: Example) -> str:
    """Return the request of an example in Markdown, without its body; its query is not encoded, so it can be read."""
    for name, value in example.path.items():
        line = line.replace(f"{{{name}}}", value)
    pairs = [
        f"{name}[{key}]={each}" if isinstance(value, Mapping) else f"{name}={each}"
        for name, value in example.query.items()
        for key, each in (value if isinstance(value, Mapping) else {"": value}).items()
    ]
    return f"`{line}{'?' if pairs else ''}{'&'.join(pairs)}`"


def _name(title: str) -> str:
    """Return a title as a key of the document."""
    return re.sub(r"\W+", "-", title.lower()).strip("-")
