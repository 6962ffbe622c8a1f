"""Operations of commands: each is written once, and done here or by the process that has the workspace open."""
