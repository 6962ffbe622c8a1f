"""Reading the history of geofences page by page."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any, Final

import sqlalchemy as sa

from engine.domain.edits import Author, EditPage, EditSource, GeofenceEdit
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.values import replace
from engine.store.records.cells import from_ms
from engine.store.records.geofence_rows import geofence_of, version_of
from engine.store.staging.geofences import in_force
from engine.store.staging.records import GEOFENCES
from engine.store.tables import edits, geofence_versions

_AT_ONCE: Final = 500
_AT_CREATION: Final = timedelta(milliseconds=50)
"""Tolerance for creations, which are recorded shortly after they are validated."""

type _Noted = dict[int, sa.Row[Any]]
"""Rows of edits by revision."""


def edit_page(
    connection: sa.Connection, environment: Environment, geofence_id: str, older: int | None, limit: int
) -> EditPage:
    """Return the edits of a geofence, newest first; `older` is the cursor returned with the previous page."""
    version, live = geofence_versions.c, int(environment.live)
    conditions = version.geofence == geofence_id, version.live == live
    statement = sa.select(geofence_versions).where(*conditions, in_force(version))
    if older is not None:
        statement = statement.where(version.until <= older)
    rows = connection.execute(statement.order_by(version.until.desc()).limit(limit + 1)).all()
    former = [version_of(row) for row in rows]
    present = None if older is not None else _present(connection, live, geofence_id)
    # Each state with the edit that ended it, or None for the current state.
    states = [(fence.geofence, fence.until) for fence in former]
    if present is not None:
        states.insert(0, (present, None))
    # One more than needed, because the edit that created the last state belongs to the next page.
    states = states[: limit + 1]
    more = len(states) > limit
    noted = _noted(connection, live, [number for fence, until in states for number in (fence.revision, until or 0)])
    found = list(_edits_between(states, noted, more=more))
    if older is None and present is None and states:
        found.insert(0, _edit(states[0][1] or 0, states[0][0], None, noted))
    return EditPage(tuple(found), states[-1][1] if more else None)


def deleted_geofences(
    connection: sa.Connection, environment: Environment, wanted: Callable[[Geofence], bool], most: int
) -> tuple[GeofenceEdit, ...]:
    """Return the last deletions of geofences that no longer exist and are `wanted`, newest first."""
    found = list(islice(filter(lambda each: wanted(each.geofence), _deletions(connection, environment)), most))
    noted = _noted(connection, int(environment.live), [edit.revision for edit in found])
    return tuple(_with_author(edit, noted) for edit in found)


def _deletions(connection: sa.Connection, environment: Environment) -> Iterator[GeofenceEdit]:
    version, later = geofence_versions.c, geofence_versions.alias()
    there = sa.exists().where(GEOFENCES.present(connection).c.id == version.geofence)
    newer = sa.exists().where(later.c.geofence == version.geofence, later.c.until > version.until)
    statement = sa.select(geofence_versions).where(
        version.live == int(environment.live), in_force(version), ~there, ~newer
    )
    statement = statement.order_by(version.number.desc()).execution_options(yield_per=_AT_ONCE)
    for rows in connection.execute(statement).partitions():
        for row in rows:
            former = version_of(row)
            yield GeofenceEdit(former.geofence.id, row.until, former.geofence, None)


def _edits_between(
    states: Sequence[tuple[Geofence, int | None]], noted: _Noted, *, more: bool
) -> Iterator[GeofenceEdit]:
    """Yield the edits that created the states of a geofence, newest first.

    With `more`, the edit of the last state belongs to the next page.
    """
    for at, (after, _) in enumerate(states):
        earlier = states[at + 1] if at + 1 < len(states) else None
        if earlier is None:
            if not more:
                yield _oldest(after, noted)
            return
        before, until = earlier
        if until is not None and until < after.revision and until in noted:
            # The geofence was deleted at that point and created again later.
            yield _edit(after.revision, None, after, noted)
            yield _edit(until, before, None, noted)
        else:
            yield _edit(after.revision, before, after, noted)


def _edit(revision: int, before: Geofence | None, after: Geofence | None, noted: _Noted) -> GeofenceEdit:
    geofence = after or before
    assert geofence is not None
    edit = _with_author(GeofenceEdit(geofence.id, revision, before, after), noted)
    return edit if edit.at is not None or after is None else replace(edit, at=after.updated_at)


def _oldest(after: Geofence, noted: _Noted) -> GeofenceEdit:
    """Return the edit that created the oldest kept state: a creation, or an edit of which nothing more is known."""
    edit = _edit(after.revision, None, after, noted)
    assert edit.at is not None
    is_creation = after.created_at == after.updated_at or abs(edit.at - after.created_at) < _AT_CREATION
    return replace(edit, first_kept=not is_creation)


def _with_author(edit: GeofenceEdit, noted: _Noted) -> GeofenceEdit:
    row = noted.get(edit.revision)
    if row is None:
        return edit
    known = row.source in EditSource
    author = Author(EditSource(row.source) if known else EditSource.PROGRAM, row.detail)
    return replace(edit, at=from_ms(row.at), author=author)


def _noted(connection: sa.Connection, live: int, revisions: Sequence[int]) -> _Noted:
    rows: _Noted = {}
    wanted = sorted(set(revisions))
    for begin in range(0, len(wanted), _AT_ONCE):
        some = edits.c.revision.in_(wanted[begin : begin + _AT_ONCE])
        found = connection.execute(sa.select(edits).where(edits.c.live == live, some))
        rows |= {row.revision: row for row in found}
    return rows


def _present(connection: sa.Connection, live: int, geofence_id: str) -> Geofence | None:
    fences = GEOFENCES.present(connection)
    row = connection.execute(sa.select(fences).where(fences.c.id == geofence_id, fences.c.live == live)).first()
    return None if row is None else geofence_of(row)
