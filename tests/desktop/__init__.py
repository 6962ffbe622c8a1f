"""Tests of the desktop; in another language where the environment names one."""

import os

from app.desktop.language.catalogue import ENGLISH, use_language

LANGUAGE = "FENCEWRIGHT_TEST_LANGUAGE"

# Before the modules of the window are imported, some of whose texts are constants.
use_language(os.environ.get(LANGUAGE, ENGLISH))
