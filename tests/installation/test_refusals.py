"""`gridcell install` where it may not write, or of what cannot be written: one line, and nothing is left behind."""
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

NOBODY = 65534


def install(gridcell, *options, **more):
    return subprocess.run([gridcell, "install", *options], capture_output=True, timeout=60, **more)


def check_refused(result, *parts):
    lines = os.fsdecode(result.stderr).splitlines()
    assert result.returncode == 2 and result.stdout == b"" and len(lines) == 1
    assert lines[0].startswith("gridcell: error: install: ") and all(part in lines[0] for part in parts)


@pytest.mark.parametrize("options", [["--python", b"/env\xff/bin/python"], ["--display-name", b"Na\xefve"],
                                     ["--env", b"NAME=\xff"], ["--name", "a/b"], ["--env", "=1"], ["--python", "no-such-one"]])
def test_nothing_is_left_of_what_cannot_be_written(options, gridcell, tmp_path):
    check_refused(install(gridcell, "--prefix", tmp_path / "prefix", *options))
    assert not (tmp_path / "prefix").exists()


def test_a_file_in_the_way(gridcell, tmp_path):
    (tmp_path / "share").touch()
    check_refused(install(gridcell, "--prefix", tmp_path), f"{tmp_path}/share")
    assert [path.name for path in tmp_path.iterdir()] == ["share"]


@pytest.fixture
def for_all(gridcell):
    """The executable where every user may run it, and a folder that only its owner may write, beside it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # the suites' TMPDIR is their user's alone
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        shutil.copy(gridcell, folder)
        (folder / "place").mkdir(mode=0o755)
        (folder / "place").chmod(0o555)
        yield folder


@pytest.mark.parametrize("options, hint", [(["--prefix", "{place}"], True), (["--user"], False)])
def test_a_place_that_may_not_be_written(options, hint, for_all):
    place = for_all / "place"
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    if subprocess.run([for_all / "gridcell", "--version"], capture_output=True, **user).returncode:
        pytest.skip("the executable's Python is for its owner alone")
    result = install(for_all / "gridcell", *(option.replace("{place}", str(place)) for option in options),
                     env={"HOME": str(place)}, **user)
    check_refused(result, "Permission denied")
    assert (b"(--user needs no rights)" in result.stderr) == hint and not list(place.iterdir())


def test_a_folder_with_spaces_and_other_letters(gridcell, tmp_path):
    prefix = tmp_path / "an environment ä 日本"
    result = install(gridcell, "--prefix", prefix, "--python", prefix / "bin/python")
    assert result.returncode == 0
    assert f'"{prefix}/bin/python"' in (prefix / "share/jupyter/kernels/gridcell/kernel.json").read_text()
