"""Operations on geofences: imports and exports, the nightly sync, checks and promotion."""

from msgspec import Struct, field

from app.api.change_sets import apply_change_set, notes_about, plan_promotion
from app.api.commands.command import Call, always, command, never
from app.api.wire.common.encoding import Encoded
from app.api.wire.imports import encode_import, encode_preview, encode_report
from app.api.wire.integrations.nightly_sync import decode_sync_change, encode_run, encode_sync
from app.api.wire.review.checks import CheckQuery, encode_check_report, encode_fix_report
from engine.domain.imports import DEFAULT_OPTIONS, ImportFile, ImportKind, ImportOptions, ImportQuery
from engine.domain.ports import Cancelled, Stopped
from engine.geofences.imports.exporting import ExportFormat, ExportQuery
from engine.geofences.promotion.promotions import PromotionQuery
from engine.importing import import_file as import_into


class ImportRequest(Struct, frozen=True, kw_only=True):
    """An import of the file in the call's data, whose header determines the kind if none is given.

    The report lists all errors and warnings, or only the first `most_errors` of each.
    """

    name: str
    options: ImportOptions = field(default_factory=lambda: DEFAULT_OPTIONS)
    kind: ImportKind | None = None
    dry_run: bool = False
    preview: bool = False
    most_errors: int | None = None


class ExportRequest(Struct, frozen=True):
    """A request for a file of geofences."""

    format: ExportFormat
    query: ExportQuery = ExportQuery()


class SyncRequest(Struct, frozen=True):
    """A request to sync now; `force` includes unchanged files."""

    force: bool = False


class ApplyRequest(Struct, frozen=True):
    """A request to apply the change set in the call's data, or only to validate it."""

    dry_run: bool = False


@command(repeats=lambda request: request.dry_run, stopped="nothing was imported")
def import_file(call: Call[ImportRequest]) -> Encoded:
    """Import a file and return its report."""
    request, file = call.request, ImportFile(call.data, call.request.name)
    report = import_into(
        call.engine,
        call.environment,
        file,
        request.options,
        request.kind,
        dry_run=request.dry_run,
        progress=call.progress,
    )
    return {**encode_report(report, request.most_errors), **(encode_preview(report) if request.preview else {})}


@command(repeats=always)
def imports(call: Call[ImportQuery]) -> list[Encoded]:
    """Return the last imports, newest first."""
    return [dict(encode_import(record)) for record in call.engine.imports.page(call.environment, call.request).items]


@command(repeats=never)
def undo_import(call: Call[str]) -> Encoded:
    """Restore the state before an import, and return its record."""
    return dict(encode_import(call.engine.imports.undo(call.environment, call.request)))


@command(repeats=always)
def export(call: Call[ExportRequest]) -> bytes:
    """Return a file of geofences."""
    return call.engine.imports.export(call.environment, call.request.format, call.request.query, call.progress)


@command(repeats=always)
def sync(call: Call[None]) -> Encoded:
    """Return the settings of the nightly sync, and the result of the last run."""
    return encode_sync(call.engine.nightly.state(call.environment))


@command(repeats=always)
def change_sync(call: Call[dict[str, object]]) -> Encoded:
    """Change settings of the nightly sync, all or none, and return all of them."""
    return encode_sync(call.engine.nightly.change(call.environment, decode_sync_change(call.request)))


@command(repeats=never, stopped="files imported so far stay imported")
def run_sync(call: Call[SyncRequest]) -> Encoded:
    """Sync now and return the result, even if `progress` cancels it."""
    run = call.engine.nightly.run(call.environment, force=call.request.force, progress=call.progress)
    if run.cancelled and call.elsewhere:
        raise Stopped if call.engine.stop.begun else Cancelled
    return encode_run(run)


@command(repeats=lambda request: not request.fix)
def check(call: Call[CheckQuery]) -> Encoded:
    """Check geofences, fix them if requested, and return the report."""
    environment, query, checks = call.environment, call.request, call.engine.checks
    if query.fix:
        return encode_fix_report(environment, query, checks.fix(environment, query.options, call.progress))
    return encode_check_report(environment, query, checks.run(environment, query.options, call.progress))


@command(repeats=always)
def plan(call: Call[PromotionQuery]) -> Encoded:
    """Return the changes that a promotion would make."""
    return plan_promotion(call.engine, call.request)


@command(repeats=always)
def change_set_notes(call: Call[None]) -> Encoded:
    """Return warnings about the effects of a change set, and its geofences that are not portable."""
    return notes_about(call.engine, call.data)


@command(repeats=lambda request: request.dry_run)
def apply(call: Call[ApplyRequest]) -> Encoded:
    """Apply a change set and return the numbers of affected geofences."""
    return apply_change_set(call.engine, call.data, call.progress, dry_run=call.request.dry_run)
