"""The table of intrinsics (compiler/types/intrinsics.def), and what is made of it."""
import pathlib
import subprocess
import sys

import common  # noqa: F401
from gridcell import _gridcell
import numpy as np
import pytest
from numba import cuda, njit
from numba.core.errors import TypingError

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = {name.removeprefix("cuda."): (params.split(), kind)
        for name, params, kind, _, _ in _gridcell.intrinsics()}
REGULAR = {name: row for name, row in ROWS.items() if "(" in row[1]}


def test_page_has_every_row():
    page = subprocess.run([sys.executable, ROOT / "scripts" / "cuda-intrinsics"], check=True, text=True,
                          capture_output=True, encoding="utf-8").stdout
    assert [name for name in ROWS if f"| `cuda.{name}" not in page] == []


def test_every_row_is_a_name_of_cuda():
    for name in ROWS:
        owner, _, member = name.rpartition(".")
        stub = getattr(getattr(cuda, owner) if owner else cuda, member)
        assert stub.__gridcell_builtin__ == f"cuda.{name}"


@pytest.mark.parametrize("name", REGULAR)
def test_a_regular_row_compiles_for_every_type(name):
    params, signature = REGULAR[name]
    call = f"cuda.{name}({', '.join('a[0]' for _ in params)})"
    names = {"cuda": cuda}
    exec(f"def f(a):\n    {'' if signature[0] == 'V' else 'a[0] = '}{call}\n", names)
    for dtype in ("int8", "uint16", "int32", "uint64"):
        ptx, _ = cuda.compile_ptx(names["f"], f"void({dtype}[:])", cc=(9, 0))
        assert ".entry" in ptx


def test_an_error_names_the_argument():
    @cuda.jit
    def count(a):
        a[0] = cuda.popc(a[0])

    @cuda.jit
    def rest(a):
        cuda.nanosleep(a[0])

    with pytest.raises(TypingError, match="'x' must be an integer, not float64"):
        count[1, 1](np.ones(1))
    with pytest.raises(TypingError, match="'ns' must be an integer"):
        rest[1, 1](np.ones(1))


def test_pure_rows_work_on_the_host():
    @njit
    def bits(x):
        return cuda.popc(x), cuda.clz(x), cuda.brev(x)

    @njit
    def order():
        cuda.threadfence()

    assert bits(np.uint32(6)) == (2, 29, 0x60000000)
    assert bits(np.uint8(6)) == (2, 29, 0x60000000)
    with pytest.raises(TypingError, match="can only be used in a CUDA kernel"):
        order()
