# SPDX-License-Identifier: MIT
"""What kernels show of themselves: PTX and its LLVM IR on every device, and the emulated one's code."""
from common import cuda, equal, is_emulated, np, ptx_routes, raises
from numba import float32, int32, int64


@cuda.jit
def halves(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] /= 2


def test_texts():
    halves[1, 4](np.ones(4))
    halves[1, 4](np.ones(4, np.float32))
    texts = halves.inspect_asm()
    assert list(texts) == halves.signatures and len(texts) == 2
    for types, text in texts.items():
        version = halves.overloads[types]
        assert ".visible .entry" in text and ".target sm_" in text
        assert text == halves.inspect_asm(types) == version.inspect_asm() == halves.ptx[types]
        assert 'triple = "nvptx64' in halves.inspect_llvm(types)
        assert version.inspect_llvm() == halves.inspect_llvm()[types]
        assert ".target sm_90" in version.inspect_asm(cc=(9, 0))
        if is_emulated():
            code = halves.inspect_asm(types, host=True)
            assert ".entry" not in code and "ret" in code
            assert "nvptx" not in halves.inspect_llvm(types, host=True)
        else:
            with raises(RuntimeError, "only the emulated device"):
                halves.inspect_asm(types, host=True)


def test_constants_of_the_launch():
    @cuda.jit
    def kernel(a, n):
        part = cuda.local.array(n, np.float64)
        part[0] = a[0]
        a[0] = part[0] + n

    kernel[1, 1](np.zeros(1), 3)
    (text,) = kernel.inspect_asm().values()
    assert ".visible .entry" in text


def test_changed_globals():
    global scale
    scale = 1.5

    @cuda.jit
    def kernel(a):
        a[0] = scale

    kernel[1, 1](np.zeros(1))
    before = kernel.inspect_asm()
    scale = 2.5
    kernel.recompile()
    assert kernel.inspect_asm() != before


def test_old_attributes():
    kernel = cuda.jit("void(float64[:])")(halves.py_func)
    for owner in (kernel, *kernel.overloads.values()):
        attributes = owner._func.get().attrs
        assert attributes.maxthreads > 0 and attributes.shared == 0 and attributes.regs >= 0


def test_launch_bounds():
    @cuda.jit(launch_bounds=(128, 2), max_registers=32)
    def kernel(a):
        a[cuda.grid(1)] = 1

    a = np.zeros(128)
    kernel[1, 128](a)
    equal(a, np.ones(128))
    (text,) = kernel.inspect_asm().values()
    assert ".maxntid" in text
    assert kernel.get_max_threads_per_block(kernel.signatures[0]) == 128
    with raises(Exception, "at most 128 are possible for this kernel"):
        kernel[1, 256](np.zeros(256))


def test_graphs():
    for options in ({}, {"opt": False, "debug": True}, {"fastmath": True}):
        check_graphs(cuda.jit(**options))


def check_graphs(compiled):
    @compiled
    def total(a, out):
        s = cuda.shared.array(32, np.float64)
        s[cuda.threadIdx.x] = a[cuda.grid(1)]
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            for i in range(32):
                out[cuda.blockIdx.x] += s[i]

    assert total.inspect_cfg() == {}
    total[2, 32](np.ones(64), np.zeros(2))
    total[2, 32](np.ones(64, np.float32), np.zeros(2))
    graphs = total.inspect_cfg()
    assert list(graphs) == total.signatures
    for graph in (*graphs.values(), total.inspect_cfg(total.signatures[1])):
        assert str(graph).startswith("digraph") and "Node0 -> " in str(graph).replace("Node0:s0", "Node0")
        assert graph._repr_svg_().startswith("<svg") and "gc_total" in str(graph)


def test_device_functions():
    declared = cuda.jit("float32(float32)", device=True)(lambda x: x * 2)
    assert list(declared.inspect_asm()) == [(float32,)]
    assert ".func" in declared.inspect_asm((float32,))
    assert "nvptx64" in declared.inspect_llvm((float32,))
    later = cuda.jit(device=True)(lambda x: x + 1)
    assert later.inspect_asm() == {}
    later.compile_device((int32,))
    assert ".func" in later.inspect_asm((int32,))
    assert later.overloads[int32,].signature == int64(int32)
    for method in (later.inspect_sass, later.inspect_sass_cfg, later.inspect_cfg):
        with raises(RuntimeError, "of a device function"):
            method()


def test_needs():
    table = np.arange(80, dtype=np.int8)

    @cuda.jit
    def kernel(a, n):
        local = cuda.local.array(1000, np.int32)
        shared = cuda.shared.array(32, np.int32)
        constant = cuda.const.array_like(table)
        shared[cuda.threadIdx.x % 32] = n
        for i in range(n):
            local[i] = a[i % a.size] + constant[i]
        for i in range(n):
            a[0] += local[n - 1 - i] + shared[i % 32]

    kernel[1, 1](np.ones(4, np.int64), 5)
    (version,) = kernel.overloads.values()
    assert version.local_mem_per_thread >= 4000 and version.shared_mem_per_block == 128
    assert version.const_mem_size >= 80 and version.regs_per_thread >= 0
    assert not version.cooperative

    @cuda.jit
    def together(a):
        cuda.cg.this_grid().sync()

    together[1, 1](np.ones(1))
    assert together.overloads[together.signatures[0]].cooperative


def test_needs_are_laid_out_as_on_a_gpu():
    """The same kernel has the same numbers on the emulated device and on a GPU."""
    tables = [np.arange(n, dtype=d) for n, d in ((5, np.int8), (7, np.float64), (16, np.int32))]
    first, second, third = tables

    @cuda.jit
    def kernel(out, i):
        a, b = cuda.shared.array(3, np.int8), cuda.shared.array(5, np.float64)
        a[i % 3], b[i % 5] = i, i
        cuda.syncthreads()
        out[i] = (cuda.const.array_like(first)[i % 5] + cuda.const.array_like(second)[i % 7] +
                  cuda.const.array_like(third)[i] + a[(i + 1) % 3] + b[(i + 1) % 5])

    kernel[1, 8](np.zeros(8), 1)
    (version,) = kernel.overloads.values()
    sizes = [table.nbytes for table in tables]
    assert sum(sizes) <= version.const_mem_size <= sum(size // 16 * 16 + 16 for size in sizes)
    assert 3 + 40 <= version.shared_mem_per_block <= 16 + 48
    assert kernel.get_const_mem_size(version.signature) == version.const_mem_size
    assert kernel.get_shared_mem_per_block(version.signature) == version.shared_mem_per_block
    assert kernel.get_max_threads_per_block(version.signature) == 1024

    @cuda.jit
    def plain(out, n):
        out[0] = n

    plain[1, 1](np.zeros(1), 1)
    (version,) = plain.overloads.values()
    assert [version.const_mem_size, version.shared_mem_per_block, version.local_mem_per_thread] == [0, 0, 0]


def test_routes(monkeypatch):
    """The faster of the two by measurement: see bench/gpu_kernels."""
    monkeypatch.delenv("GRIDCELL_PTX", raising=False)

    @cuda.jit
    def with_loop(a):
        for i in range(a.size):
            a[i] += i

    @cuda.jit
    def with_barrier(a):
        for i in range(a.size):
            cuda.syncthreads()
            a[i] += i

    a = np.zeros(4)
    for kernel, by_llvm in (with_loop, True), (with_barrier, False):
        kernel[1, 1](a)
        (ptx,) = kernel.inspect_asm().values()
        assert ("LLVM NVPTX" in ptx) == (by_llvm or "nvvm" not in ptx_routes())
