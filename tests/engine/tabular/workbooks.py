"""Excel files for tests, written cell by cell, so that each may be as odd as those of users."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from io import BytesIO
from types import MappingProxyType
from typing import Final
from xml.sax.saxutils import escape, quoteattr

_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_STYLES: Final = (
    f'<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts>'
    '<cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="20"/>'
    '<xf numFmtId="164"/></cellXfs></styleSheet>'
)
_DATE, _MOMENT, _TIME, _DURATION = 1, 2, 3, 4
_ZERO: Final = datetime(1899, 12, 30)


@dataclass
class Sheet:
    """A sheet: its rows from the first one, merged ranges such as ``A2:A3``, and its state such as ``hidden``."""

    name: str
    rows: list[list[object]] = field(default_factory=list)
    merged: tuple[str, ...] = ()
    state: str = "visible"


def workbook(*sheets: Sheet, extra: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
    """Return an Excel file; `extra` are further or other files of the archive."""
    listed = "".join(
        f'<sheet name={quoteattr(sheet.name)} sheetId="{number}" state="{sheet.state}" r:id="rId{number}"/>'
        for number, sheet in enumerate(sheets, 1)
    )
    related = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in range(1, len(sheets) + 1)
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{related}'
        f'<Relationship Id="rId99" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": _STYLES,
        **{f"xl/worksheets/sheet{number}.xml": _xml(sheet) for number, sheet in enumerate(sheets, 1)},
    }
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            if name not in extra:
                archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
        for name, content in extra.items():
            archive.writestr(name, content)
    return out.getvalue()


def table(*rows: list[object], name: str = "Sheet1") -> bytes:
    """Return an Excel file with a single sheet."""
    return workbook(Sheet(name, list(rows)))


def _xml(sheet: Sheet) -> str:
    rows = "".join(
        f'<row r="{number}">{"".join(_cell(f"{_letters(at)}{number}", value) for at, value in enumerate(row))}</row>'
        for number, row in enumerate(sheet.rows, 1)
    )
    merged = "".join(f'<mergeCell ref="{area}"/>' for area in sheet.merged)
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData><mergeCells>{merged}</mergeCells></worksheet>'


def _letters(at: int) -> str:
    return ("" if at < 26 else chr(64 + at // 26)) + chr(65 + at % 26)


def _cell(place: str, value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
        case datetime():
            return f'<c r="{place}" s="{_MOMENT}"><v>{(value - _ZERO) / timedelta(days=1)}</v></c>'
        case date():
            return f'<c r="{place}" s="{_DATE}"><v>{(value - _ZERO.date()).days}</v></c>'
        case time():
            return f'<c r="{place}" s="{_TIME}"><v>{(value.hour * 60 + value.minute) / 1440}</v></c>'
        case timedelta():
            return f'<c r="{place}" s="{_DURATION}"><v>{value / timedelta(days=1)}</v></c>'
        case int() | float():
            return f'<c r="{place}"><v>{value!r}</v></c>'
        case _:
            return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'
