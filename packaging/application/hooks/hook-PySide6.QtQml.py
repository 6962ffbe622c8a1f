# Replaces PyInstaller's own hook, which also collects all modules of Qt Quick. The program uses none of them.

from PyInstaller.utils.hooks.qt import add_qt6_dependencies

hiddenimports, binaries, datas = add_qt6_dependencies(__file__)
