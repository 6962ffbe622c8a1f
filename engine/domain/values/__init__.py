"""Changes of values, all of which are frozen `msgspec.Struct`s."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Type checkers derive the fields of structs from this function, and reject other names and types.
    from dataclasses import replace as replace
else:
    from msgspec.structs import replace as replace
