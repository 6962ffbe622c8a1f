"""How a value is changed: all of them are frozen `msgspec.Struct`s."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Type checkers know the fields of structs from this function, and refuse other names and types.
    from dataclasses import replace as replace
else:
    from msgspec.structs import replace as replace
