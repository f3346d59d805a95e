"""What %xray and its kin draw, in a notebook: that it is drawn and stays within the page; its colours are looked at."""
import pytest
from lab import new_notebook
from playwright.sync_api import expect

KERNELS = """\
import numpy as np
from numba import cuda, float32

@cuda.jit
def transposed(a, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = a[j, i] * np.float32(2)

@cuda.jit
def through_a_tile_in_shared_memory(a, out):
    tile = cuda.shared.array((32, 32), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    i, j = cuda.grid(2)
    tile[y, x] = a[j, i] * np.float32(2)
    cuda.syncthreads()
    out[cuda.blockIdx.x * 32 + y, cuda.blockIdx.y * 32 + x] = tile[x, y]

a, out = np.ones((64, 64), np.float32), np.empty((64, 64), np.float32)"""
LAUNCHES = "transposed[(2, 2), (32, 32)](a, out)\nthrough_a_tile_in_shared_memory[(2, 2), (32, 32)](a, out)"
VIEWS = {
    "xray": "%xray through_a_tile_in_shared_memory[(2, 2), (32, 32)](a, out)",
    "pictures": "result = cuda.xray(transposed, (2, 2), (32, 32), a, out)\n"
                "tile = cuda.xray(through_a_tile_in_shared_memory, (2, 2), (32, 32), a, out)\n"
                "display(result.access_picture(8, access='a[j, i]'), tile.access_picture(17, access='tile[x, y]'), "
                "result.tile_picture(8), result.mask_picture(count=12))",
    "roofline": f"%%roofline --gpu T4\n{LAUNCHES}",
    "timeline": "%%gpu_timeline\n@cuda.jit\ndef fresh(v):\n    v[cuda.grid(1)] += 1\n"
                "b, stream = cuda.to_device(np.zeros(1 << 20)), cuda.stream()\nfresh[4096, 256](b)\n"
                "fresh[4096, 256, stream](b)\nstream.synchronize()\nb.copy_to_host()\nNone",
    "compare": f"%%compare_kernels -r 3\n{LAUNCHES}",
}


@pytest.fixture(scope="module")
def notebook(open_notebook):
    made = open_notebook("insight.ipynb", new_notebook([KERNELS, *VIEWS.values()]), height=1400)
    for cell in made.cells():
        cell.run()
    for cell in made.cells():
        cell.wait_until_run()
    return made


@pytest.mark.parametrize("number, name", list(enumerate(VIEWS, 1)))
def test_a_view_fits_the_page(notebook, number, name):
    output = notebook.cell(number).output
    shown = output.locator(".gridcell-xray, .gridcell-picture svg")
    expect(shown.first).to_be_visible()
    area = output.bounding_box()
    for view in shown.all():
        if view.is_visible():  # pictures below the verdict are folded away
            box = view.bounding_box()
            assert box["width"] > 200 and box["x"] + box["width"] <= area["x"] + area["width"] + 1, name


def test_themes(notebook):
    """Nothing here can fail by colour: the pictures are looked at."""
    for theme in ("Dark", "Light"):
        notebook.choose_theme(theme)
        for number, name in enumerate(VIEWS, 1):
            for folded in notebook.cell(number).output.locator("details:not([open]) summary").all():
                folded.click()
            notebook.cell(number).picture(f"insight-{name}-{theme.lower()}")
