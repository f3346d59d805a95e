"""The version stands in meson.build; what else names it agrees."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text())[1]


def test_changes_are_told():
    assert re.search(r"^## (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[1] == VERSION


def test_debian_package():
    assert (ROOT / "debian/changelog").read_text().startswith(f"gridcell ({VERSION}) ")


def test_conda_package():
    assert f'version: "{VERSION}"' in (ROOT / "conda/recipe.yaml").read_text()
