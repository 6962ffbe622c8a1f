"""Operations of commands, here and elsewhere."""
