# SPDX-License-Identifier: MIT
"""Faults of the machine in kernels on the emulated device: the launch fails, and the program goes on."""
import child

REPORT = """
from numba import carray, int64, types

def report(call):
    try:
        call()
        print("nothing")
    except Exception as error:
        print(type(error).__name__, "ILLEGAL_ADDRESS" in str(error), "kernel 'f'" in str(error))
"""


def outcome(code):
    """What the code prints in a fresh interpreter, which a fault may end."""
    return child.run(REPORT + code, GRIDCELL_DEVICE="emulator").splitlines()


def test_null_pointer():
    got = outcome("""
@cuda.jit(types.void(types.CPointer(int64), int64))
def f(source, n):
    a = carray(source, n)
    a[cuda.grid(1)] += 1

a = cuda.to_device(np.arange(4000))
address = a.__cuda_array_interface__["data"][0]
for _ in range(3):
    report(lambda: f[40, 100](0, 4000))
    f[40, 100](address, 4000)
print(a.copy_to_host()[:3])
""")
    assert got == ["CudaAPIError True True"] * 3 + ["[3 4 5]"], got


def test_cooperative_grid():
    got = outcome("""
@cuda.jit(types.void(types.CPointer(int64), int64))
def f(source, n):
    a = carray(source, n)
    cuda.cg.this_grid().sync()
    a[cuda.grid(1)] += 1

a = cuda.to_device(np.arange(64))
report(lambda: f[2, 32](0, 64))
f[2, 32](a.__cuda_array_interface__["data"][0], 64)
print(a.copy_to_host()[:3])
""")
    assert got == ["CudaAPIError True True", "[1 2 3]"], got
