"""What a kernel takes, and launches that a device refuses."""
from common import cuda, is_emulated, np, raises
from numba import float32, float64


@cuda.jit
def simple(a):
    tile = cuda.shared.array(256, float64)
    tile[cuda.threadIdx.x % 256] = cuda.threadIdx.x
    cuda.syncthreads()
    a[0] = tile[0]


def test_resources():
    a = np.zeros(4)
    simple[1, 32](a)
    (types, version), = simple.overloads.items()
    assert version.shared_mem_per_block == 2048
    assert simple.get_shared_mem_per_block() == {types: 2048}
    assert simple.get_shared_mem_per_block(version.signature) == 2048
    assert version.max_threads_per_block == 1024
    assert version.regs_per_thread > 0 or is_emulated()  # emulated: known where ptxas is
    assert list(simple.get_regs_per_thread()) == [types]
    assert simple.get_const_mem_size(version.signature) >= 0
    assert simple.get_local_mem_per_thread(version.signature) == 0
    assert simple.get_max_threads_per_block()[types] == 1024

    @cuda.jit("void(float32[:])")
    def declared(a):
        a[0] = 1

    assert declared.get_shared_mem_per_block() == 0
    assert declared.get_max_threads_per_block() == 1024


def test_cooperative_blocks():
    @cuda.jit
    def waits(a):
        cuda.cg.this_grid().sync()
        a[0] = 1

    waits[1, 32](np.zeros(1))
    version, = waits.overloads.values()
    most = version.max_cooperative_grid_blocks(256)
    assert most == version.max_cooperative_grid_blocks((16, 16)) > 0
    with raises(Exception, "COOPERATIVE_LAUNCH_TOO_LARGE", "must run at once; at most"):
        waits[65535, 1024](np.zeros(1))


def test_refused_launches_are_explained():
    a = np.zeros(1)
    with raises(cuda.CudaAPIError, "Call to cuLaunchKernel results in CUDA_ERROR_INVALID_VALUE",
                "A block has 1056 threads (33 x 32 x 1); at most 1024 are possible",
                "Make the block smaller"):
        simple[1, (33, 32)](a)
    with raises(cuda.CudaAPIError, "block's extent x is 2048; at most 1024", "Try kernel[2, 1024]"):
        simple[1, 2048](a)
    with raises(cuda.CudaAPIError, "The grid comes first: kernel[4096, 256]?", "try kernel[1024, 1024]"):
        simple[256, 4096](a)
    with raises(cuda.CudaAPIError, "grid's extent y is 70000; at most 65535", "The longest axis goes first"):
        simple[(1, 70000), 32](a)
    with raises(cuda.CudaAPIError, "block's extent x is not positive"):
        simple[1, 0](a)
    with raises(cuda.CudaAPIError, "grid's extent x is not positive"):
        simple[-3, 32](a)
    most = cuda.get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN - 2048
    with raises(cuda.CudaAPIError, "bytes of shared memory (2048 in the kernel, 1000000 of the launch)",
                f"kernel[grid, block, 0, {most}]"):
        simple[1, 32, 0, 1000000](a)
    simple[1, 32, 0, most](a)
    simple[1, 32](a)


def test_dynamic_shared_memory_is_asked_for():
    @cuda.jit
    def kernel(a):
        s = cuda.shared.array(0, float32)
        s[cuda.threadIdx.x] = 3
        cuda.syncthreads()
        a[cuda.threadIdx.x] = s[0] + s.size

    a = np.zeros(32)
    with raises(ValueError, "kernel takes dynamic shared memory", "gives it none"):
        kernel[1, 32](a)
    kernel[1, 32, 0, 128](a)
    assert (a == 35).all()
    kernel[1, 32, 0, 100_000](a)  # more than a block has unasked
    assert (a == 25_003).all()


def test_shared_arrays_that_are_too_large():
    @cuda.jit
    def kernel(a):
        s = cuda.shared.array(10_000, float64)
        s[cuda.threadIdx.x] = 3
        a[0] = s[0]

    if is_emulated():  # for a GPU it does not compile
        with raises(cuda.CudaAPIError, "shared arrays take 80000 bytes; at most 49152", "array(0, dtype)"):
            kernel[1, 32](np.zeros(1))
