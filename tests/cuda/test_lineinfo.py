"""lineinfo=True and debug=True: the PTX says which line of the source each instruction is from."""
import math
import os
import re
import shutil

from common import cuda, np
from test_compile import assembled
from numba import float32, int32


@cuda.jit(device=True)
def twice(x):
    return x * 2 + math.sqrt(x)  # line of `twice`


def kernel(a, b):
    i = cuda.grid(1)
    s = cuda.shared.array(32, float32)
    if i < a.size:
        s[i % 32] = twice(b[i])  # line of `call`
        cuda.syncthreads()
        for j in range(4):
            if j > i:
                cuda.atomic.add(a, i, s[j])  # line of `add`
        a[i] += 1


HERE = os.path.abspath(__file__)
LINES = {match.group(1): number for number, line in enumerate(open(HERE), 1)
         if (match := re.search(r"# line of `(\w+)`$", line))}


def located(ptx):
    """The lines of this file that the PTX names."""
    file = re.search(rf'\.file\s+(\d+)\s+"{re.escape(__file__)}"', ptx)
    assert file, re.findall(r"\.file.*", ptx)
    return {int(line) for line in re.findall(rf"\.loc\s+{file.group(1)}\s+(\d+)", ptx)}


def ptx_of(route, cc, **options):
    before = os.environ.get("GRIDCELL_PTX")
    os.environ["GRIDCELL_PTX"] = route
    try:
        return cuda.jit(**options)(kernel)._ptx((float32[:], float32[:]), *cc)
    finally:
        os.environ.pop("GRIDCELL_PTX")
        if before is not None:
            os.environ["GRIDCELL_PTX"] = before


def test_lines_in_ptx():
    routes = ["nvptx"]
    if any(map(os.path.exists, ("/usr/local/cuda/nvvm", os.environ.get("CUDA_HOME", "") + "/nvvm"))):
        routes.append("nvvm")
    for route in routes:
        for cc in ((7, 5), (8, 0), (9, 0)):
            ptx = ptx_of(route, cc, lineinfo=True)
            lines = located(ptx)
            assert lines >= {LINES["call"], LINES["add"], LINES["twice"]}, (route, cc, lines, LINES)
            assembled(ptx, cc)
        ptx = ptx_of(route, (7, 5), debug=True, opt=False)
        assert located(ptx) >= set(LINES.values()), route
        assembled(ptx, (7, 5))
        assert ".loc" not in ptx_of(route, (7, 5)), route


def test_device_functions():
    ptx, _ = cuda.compile(lambda x: x + 1, int32(int32), lineinfo=True,
                          abi_info={"abi_name": "next_one"})
    assert ".loc" in ptx
    assembled(ptx, (7, 5))


def test_it_still_runs():
    a, b = np.zeros(32, np.float32), np.arange(32, dtype=np.float32)
    cuda.jit(lineinfo=True)(kernel)[1, 32](a, b)
    i = np.arange(32)
    f = b * 2 + np.sqrt(b)
    expected = [sum(f[j] for j in range(4) if j > n) + 1 for n in i]
    np.testing.assert_allclose(a, expected, rtol=1e-5)
