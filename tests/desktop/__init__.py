"""Tests of the desktop, in another language if the environment names one."""

import os

from app.desktop.language.catalogue import ENGLISH, use_language

LANGUAGE = "FENCEWRIGHT_TEST_LANGUAGE"

# Set before the modules of the window are imported, since some of their texts are constants.
use_language(os.environ.get(LANGUAGE, ENGLISH))
