"""Every notebook of the project runs from top to bottom with the real kernel, through nbclient, and
says what it should: a code cell may carry `expect` in its metadata (see expectations.py)."""
import pathlib

import nbclient
import nbformat
import pytest

import expectations

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
GALLERY = sorted(FOLDER.glob("gallery/*.ipynb"))  # test_gallery.py runs one of these


def run_faults(path, folder):
    """What is not as it should be, a line for each cell."""
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(notebook, kernel_name="gridcell", timeout=180,
                                     resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [f"[{index}] {fault}" for index, cell in enumerate(notebook.cells)
            for fault in expectations.cell_faults(cell)]


@pytest.mark.timeout(400)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_top_to_bottom(path, tmp_path):
    faults = run_faults(path, tmp_path)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("path", NOTEBOOKS + GALLERY, ids=lambda path: path.stem)
def test_is_stored_clean(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "gridcell"
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None
