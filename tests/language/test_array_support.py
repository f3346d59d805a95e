# SPDX-License-Identifier: MIT
"""The page that lists what NumPy there is."""
import subprocess
import sys

from conftest import ROOT


def test_page_is_current():
    subprocess.run([sys.executable, ROOT / "scripts" / "numpy-support", "--check"], check=True)
