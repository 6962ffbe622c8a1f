"""Text fields of beacons: their titles in the window, with an example."""

from __future__ import annotations

from typing import Final, NamedTuple

from app.desktop.language import tr


class BeaconText(NamedTuple):
    """Presentation of a single-line text field."""

    title: str
    example: str = ""


TEXTS: Final = {
    "description": BeaconText(tr("Description")),
    "tag": BeaconText(tr("Tag")),
    "external_id": BeaconText(tr("External ID")),
    "uuid": BeaconText("UUID", "b9407f30-f5f8-466e-aff9-25556b57fe6d"),
    "major": BeaconText(tr("Major"), tr("0 to 65535")),
    "minor": BeaconText(tr("Minor"), tr("0 to 65535")),
    "uid": BeaconText(tr("Namespace (UID)"), tr("20 hexadecimal digits")),
    "instance": BeaconText(tr("Instance"), tr("12 hexadecimal digits")),
}
