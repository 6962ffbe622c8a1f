"""Operations of commands, in this process and in another one."""
