"""The settings of an environment: GET and PATCH /v1/settings."""

from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.settings.record import SettingsAnswer, encode_settings
from app.api.wire.settings.request import SettingsBody, settings_change
from engine.domain.environment import KeyLevel
from engine.domain.settings import ProjectSettings
from engine.geofences.checks.settings import settings_warnings

routes = Routes(KeyLevel.SECRET, rehearsed=False)


@routes(
    "GET", "/v1/settings", name="readSettings", summary="Get the settings of the environment", answer=SettingsAnswer
)
async def read(call: Call[None, None]) -> Encoded:
    """Read the settings."""
    return _answer(call.services.engine.settings.get(call.environment))


@routes(
    "PATCH", "/v1/settings", name="changeSettings", summary="Update settings of the environment", answer=SettingsAnswer
)
async def change(call: Call[None, SettingsBody]) -> Encoded:
    """Change some settings and keep the others."""
    wanted = settings_change(call.body)
    changed = await call.services.run(call.services.engine.settings.change, call.environment, wanted)
    call.warnings.extend(settings_warnings(changed))
    return _answer(changed)


def _answer(settings: ProjectSettings) -> Encoded:
    encoded = encode_settings(settings)
    return encode_answer(encoded | {"settings": encoded})
