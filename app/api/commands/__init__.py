"""Operations of commands, run in this process or in the process that has the workspace open."""
