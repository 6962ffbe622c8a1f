"""The settings of an environment: GET and PATCH /v1/settings."""

from app.api.answers import SettingsAnswer
from app.api.encoding import Encoded, encode_answer
from app.api.operations import Call, Operation, Resource
from app.api.settings_wire import SettingsBody, encode_settings, settings_change
from engine.domain.environment import KeyLevel
from engine.domain.settings import ProjectSettings


async def read(call: Call[None, None]) -> Encoded:
    """Read the settings."""
    return _answer(call.services.engine.settings(call.environment))


async def change(call: Call[None, SettingsBody]) -> Encoded:
    """Change some settings; the rest stays."""
    wanted = settings_change(call.body)
    return _answer(await call.services.run(call.services.engine.change_settings, call.environment, wanted))


def _answer(settings: ProjectSettings) -> Encoded:
    encoded = encode_settings(settings)
    return encode_answer(encoded | {"settings": encoded})


RESOURCES = (
    Resource(
        "/v1/settings",
        {
            "GET": Operation(
                name="readSettings",
                summary="Read the settings of the environment",
                level=KeyLevel.SECRET,
                handler=read,
                answer=SettingsAnswer,
            ),
            "PATCH": Operation(
                name="changeSettings",
                summary="Change settings of the environment",
                level=KeyLevel.SECRET,
                handler=change,
                body=SettingsBody,
                answer=SettingsAnswer,
            ),
        },
    ),
)
