"""The tutorials that gridcell must run as they are, where they lie beside the repository (or where
GRIDCELL_SEEDS says): each cell says what it should, on the emulated device, at a hundredth of the
size, and with one round of each %timeit unless GRIDCELL_TESTS is whole."""
import os
import pathlib
import re

import nbclient
import nbformat
import pytest

import expectations

BESIDE = pathlib.Path(__file__).resolve().parents[3] / "shared" / "seeds"
FOLDER = pathlib.Path(os.environ.get("GRIDCELL_SEEDS", BESIDE))
SEEDS = [FOLDER / f"seed-{number:03}.ipynb" for number in range(5)]
TIMED = re.compile(r"^%timeit(?= (?!-))", re.MULTILINE)


def shorten(notebook):
    """Of the seven rounds of a %timeit one is left: the others run the same again, for minutes in all."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = TIMED.sub("%timeit -r 1", cell.source)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_runs(path, tmp_path, monkeypatch):
    if not path.exists():
        pytest.skip(f"no {path.name} beside the repository")
    monkeypatch.setenv("SCALE", "0.01")
    monkeypatch.setenv("GRIDCELL_DEVICE", "emulator")
    notebook = nbformat.read(path, as_version=4)
    if os.environ.get("GRIDCELL_TESTS") != "whole":
        shorten(notebook)
    client = nbclient.NotebookClient(notebook, kernel_name="gridcell", timeout=300,
                                     allow_errors=True,
                                     resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    faults = [f"[{index}] {fault}" for index, cell in enumerate(notebook.cells)
              for fault in expectations.cell_faults(cell)]
    assert not faults, "\n".join(faults)
