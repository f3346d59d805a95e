"""What every notebook of the gallery has: short, says at the top what it shows, names its sources at the end, has a film
or a picture, something to play with, a measurement. scripts/course runs them all; one runs here."""
import pathlib

import nbformat
import pytest
from test_notebooks import run_faults

GALLERY = sorted((pathlib.Path(__file__).resolve().parents[2] / "notebooks/gallery").glob("*.ipynb"))
QUICK = "wave-equation"


def test_there_are_ten():
    assert len(GALLERY) == 10


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_has_what_each_has(path):
    cells = nbformat.read(path, as_version=4).cells
    assert len(cells) < 60
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    assert texts[0].startswith("# ") and "\nWhat you see here: " in texts[0]
    assert texts[-1].startswith("## Go on\n") and "**Sources**" in texts[-1] and texts[-1].count("](https://") >= 2
    for needed in ("film(", "import ipywidgets", "tqdm(", "cuda.get_current_device().name"):
        assert needed in code
    assert "timeit -o" in code or "%%compare_kernels" in code
    assert any(view in code for view in ("%xray", "cuda.xray", "%cfg", "%roofline", "%%roofline", "%%gpu_timeline",
                                         "%%compare_kernels"))


def test_one_runs_from_top_to_bottom(tmp_path):
    path, = (path for path in GALLERY if path.stem == QUICK)
    assert not run_faults(path, tmp_path)
