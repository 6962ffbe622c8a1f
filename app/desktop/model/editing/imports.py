"""An import as one step that can be undone and redone."""

from app.desktop.language import tr
from app.desktop.model.editing.changes import Outcome
from app.desktop.model.editing.history import Command
from engine.domain.environment import Environment
from engine.domain.imports import ImportFile, ImportOptions
from engine.geofences.imports.imports import Imports


def step_of(file: ImportFile) -> str:
    """Return the name of the step of an import."""
    return tr("Import {file_name}", file_name=file.name)


def import_command(
    imports: Imports, environment: Environment, file: ImportFile, options: ImportOptions, import_id: str
) -> Command[Outcome]:
    """Return the step of an import that was just made; it never overwrites later changes by others."""
    text, last = step_of(file), [import_id]

    def do(_anyway: bool) -> Outcome:
        last[0] = imports.run(environment, file, options).record.id
        return Outcome(None, None, text)

    def undo(_anyway: bool) -> Outcome:
        imports.undo(environment, last[0])
        return Outcome(None, None, text)

    return Command(text, do=do, undo=undo)
