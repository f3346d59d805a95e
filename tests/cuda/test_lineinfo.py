"""lineinfo=True and debug=True: the PTX says which line of the source each instruction is from; under
debug=True also what the variables are and where."""
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from common import by_route, cuda, np, ptx_routes
from test_compile import PTXAS, assembled
from numba import complex64, float32, from_dtype, int32, int64


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
    with by_route(route):
        return cuda.jit(**options)(kernel)._ptx((float32[:], float32[:]), *cc)


def test_lines_in_ptx():
    for route in ptx_routes():
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


def described(ptx, cc):
    """The names in the debugging information that NVIDIA's assembler makes of the PTX, in order."""
    if not PTXAS or not shutil.which("readelf"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "code.ptx"
        path.write_text(ptx)
        cubin = path.with_suffix(".cubin")
        done = subprocess.run([PTXAS, "-g", f"-arch=sm_{cc[0]}{cc[1]}", path, "-o", cubin],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        text = subprocess.run(["readelf", "--debug-dump=info", cubin], capture_output=True, text=True).stdout
    return re.findall(r"DW_TAG_(formal_parameter|variable|subprogram|member|structure_type)\)"
                      r"(?:(?!DW_TAG)[^\0])*?DW_AT_name +: (.+?) *\n", text)


PAIR = np.dtype([("first", np.float32), ("second", np.int16)])


@cuda.jit(device=True)
def halved(value):
    half = value / 2
    return half


def with_variables(a, count, z, pairs):
    index = cuda.grid(1)
    total = 0.0
    tile = cuda.shared.array(32, float32)
    for turn in range(count):
        total += halved(a[turn])
        tile[index % 32] = total
    if index < pairs.size:
        field = pairs[index].second
        pairs[index].first = total + z.real + field


def test_variables():
    signature = (float32[:], int64, complex64, from_dtype(PAIR)[:])
    kernel = cuda.jit(debug=True, opt=False)(with_variables)
    before = os.environ.pop("GRIDCELL_PTX", None)
    try:
        for cc in ((7, 5), (8, 0), (9, 0)):
            names = described(kernel._ptx(signature, *cc), cc)
            if names is None:
                return
            variables = [name for kind, name in names if kind in ("formal_parameter", "variable")]
            assert variables[:8] == ["a", "count", "z", "pairs", "index", "total", "tile", "turn"], variables
            assert {"field", "value", "half"} <= set(variables)
            assert {("subprogram", "with_variables"), ("subprogram", "halved"), ("member", "data"),
                    ("member", "shape"), ("member", "imag"), ("member", "second"),
                    ("structure_type", "complex64")} <= set(names), names
        lines_only = cuda.jit(lineinfo=True)(with_variables)._ptx(signature, 7, 5)
        assert ".debug_info" not in lines_only
    finally:
        if before is not None:
            os.environ["GRIDCELL_PTX"] = before


def test_debug_builds_run():
    a, pairs = np.arange(32, dtype=np.float32), np.zeros(32, PAIR)
    pairs["second"] = np.arange(32)
    cuda.jit(debug=True, opt=False)(with_variables)[1, 32](a, 4, np.complex64(1), pairs)
    total = sum(np.arange(4) / 2)
    np.testing.assert_allclose(pairs["first"], total + 1 + np.arange(32))
