"""The JSON schema of scenario files, for editors that complete and check YAML by one."""

from typing import Any

from app.lab.files.models import ScenarioBody

TITLE = "Fencewright scenario"


def scenario_schema() -> dict[str, Any]:
    """Return the schema that the models describe."""
    schema = ScenarioBody.model_json_schema(by_alias=True, mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": TITLE}
