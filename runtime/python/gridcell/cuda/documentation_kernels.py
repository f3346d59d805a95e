# SPDX-License-Identifier: MIT
"""Docstrings of what kernels are made of; see documentation.py."""

_TEXT = '''
=== threadIdx
threadIdx

The thread's indices in its block: .x, .y and .z, each int32, from 0 to blockDim - 1.
Only inside kernels and device functions; on the host it has no value.

Example:
    @cuda.jit
    def number(a):
        a[cuda.threadIdx.x] = cuda.threadIdx.x

    number[1, 32](np.zeros(32))
=== blockIdx
blockIdx

The block's indices in the grid: .x, .y and .z, each int32, from 0 to gridDim - 1.
Only inside kernels and device functions; on the host it has no value.

Example:
    @cuda.jit
    def number(a):
        a[cuda.blockIdx.x] = cuda.blockIdx.x

    number[8, 1](np.zeros(8))
=== blockDim
blockDim

How many threads a block has along .x, .y and .z, each int32: the launch's second setting.
Only inside kernels and device functions; on the host it has no value.

Example:
    @cuda.jit
    def number(a):
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        a[i] = i

    number[2, 16](np.zeros(32))
=== gridDim
gridDim

How many blocks the grid has along .x, .y and .z, each int32: the launch's first setting.
Only inside kernels and device functions; on the host it has no value.

Example:
    @cuda.jit
    def blocks(a):
        a[0] = cuda.gridDim.x

    blocks[4, 1](np.zeros(1))
=== grid
grid(ndim)

The thread's index in the whole grid.

ndim: 1, 2 or 3, a constant.
Gives an int64 for 1, and a tuple of 2 or 3 int64, (x, y) or (x, y, z), for more.
Raises TypingError for another ndim, and TypeError when it is called on the host.
The grid may be larger than the array: compare before use.

Example:
    @cuda.jit
    def double(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] *= 2

    double[4, 32](np.ones(100))
=== gridsize
gridsize(ndim)

How many threads the whole grid has.

ndim: 1, 2 or 3, a constant.
Gives an int64 for 1, and a tuple of 2 or 3 int64, (x, y) or (x, y, z), for more.
Raises TypingError for another ndim, and TypeError when it is called on the host.

Example:
    @cuda.jit
    def double(a):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            a[i] *= 2

    double[2, 32](np.ones(1000))
=== laneid
laneid

The thread's number in its warp, int32 from 0 to 31. Only inside kernels.

Example:
    @cuda.jit
    def lanes(a):
        a[cuda.threadIdx.x] = cuda.laneid

    lanes[1, 64](np.zeros(64))
=== shared.array
array(shape, dtype)

An array that all threads of a block use together. Its elements are not set.

shape: an int or a tuple of ints, constants; 0 for memory whose size the launch gives as its
    fourth setting, kernel[blocks, threads, stream, bytes].
dtype: a type of numba, a NumPy dtype or scalar class.
Gives a C-contiguous array in shared memory (48 KiB a block, unless the launch asks for more).
Raises TypingError when shape or dtype is not known while compiling.

Example:
    @cuda.jit
    def reverse(a):
        buffer = cuda.shared.array(32, np.float64)
        i = cuda.threadIdx.x
        buffer[i] = a[i]
        cuda.syncthreads()
        a[i] = buffer[31 - i]

    reverse[1, 32](np.arange(32.0))
=== local.array
array(shape, dtype)

An array of the thread's own. Its elements are not set.

shape: an int or a tuple of ints, constants.
dtype: a type of numba, a NumPy dtype or scalar class.
Gives a C-contiguous array, in registers where the compiler can keep it there.
Raises TypingError when shape or dtype is not known while compiling.

Example:
    @cuda.jit
    def middle(a):
        part = cuda.local.array(3, np.float64)
        for k in range(3):
            part[k] = a[k]
        a[0] = part[1]

    middle[1, 1](np.arange(3.0))
=== const.array_like
array_like(ary)

A copy of a host array in constant memory, made when the kernel is compiled.

ary: a global or closure array of the host.
Gives an array that cannot be written, of the same shape, dtype and order.
Raises TypingError when ary is not known while compiling.

Example:
    table = np.arange(4.0)

    @cuda.jit
    def look(a):
        weights = cuda.const.array_like(table)
        a[cuda.threadIdx.x] = weights[cuda.threadIdx.x]

    look[1, 4](np.zeros(4))
=== cg.this_grid
this_grid()

The group of all threads of the grid. Its method sync() waits for all of them; a kernel that
calls it is launched cooperatively, so that all its blocks run at once.

Raises an error at launch when there are more blocks than the device can hold at once.

Example:
    @cuda.jit
    def two_steps(a):
        grid = cuda.cg.this_grid()
        i = cuda.grid(1)
        a[i] = i
        grid.sync()

    two_steps[2, 32](np.zeros(64))
=== syncthreads
syncthreads()

Waits until all threads of the block are here; what they wrote to shared and global memory is
then visible to the others. Every thread of the block has to come, or none.

Raises TypeError when it is called on the host. On the emulated device, a barrier that some
threads never reach is an error.

Example:
    @cuda.jit
    def shift(a):
        buffer = cuda.shared.array(32, np.float64)
        i = cuda.threadIdx.x
        buffer[i] = a[i]
        cuda.syncthreads()
        a[i] = buffer[(i + 1) % 32]

    shift[1, 32](np.arange(32.0))
=== syncwarp
syncwarp(mask=0xFFFFFFFF)

Waits until the lanes of the warp that mask names are here.

mask: an integer, one bit for each lane; all lanes without it.
Raises TypingError for another type.

Example:
    @cuda.jit
    def pairs(a):
        buffer = cuda.shared.array(32, np.float64)
        i = cuda.laneid
        buffer[i] = a[i]
        cuda.syncwarp()
        a[i] = buffer[i ^ 1]

    pairs[1, 32](np.arange(32.0))
=== selp
selp(predicate, a, b)

a where the predicate is true, else b, without a branch.

predicate: a bool or an integer; a, b: numbers of one type, which is the result's.
Raises TypingError for other types.

Example:
    @cuda.jit
    def clip(a):
        i = cuda.grid(1)
        a[i] = cuda.selp(a[i] > 3, 3, a[i])

    clip[1, 8](np.arange(8))
=== fma
fma(a, b, c)

a * b + c, rounded once.

a, b, c: float32 or float64; the result has their type. Raises TypingError for other types.

Example:
    @cuda.jit
    def scale(a):
        i = cuda.grid(1)
        a[i] = cuda.fma(a[i], 2.0, 1.0)

    scale[1, 8](np.arange(8.0))
=== cbrt
cbrt(x)

The cube root.

x: float32 or float64; the result has its type. Raises TypingError for other types.

Example:
    @cuda.jit
    def edge(a):
        i = cuda.grid(1)
        a[i] = cuda.cbrt(a[i])

    edge[1, 8](np.arange(8.0))
=== ffs
ffs(x)

The number of the least significant bit that is set, counted from 1; 0 where none is.

x: an integer of 32 or 64 bits. Gives an integer. Raises TypingError for other types.

Example:
    @cuda.jit
    def first(a):
        i = cuda.grid(1)
        a[i] = cuda.ffs(a[i])

    first[1, 8](np.arange(8))
=== activemask
activemask()

The lanes of the warp that run this very instruction, one bit each, as a uint32.

Example:
    @cuda.jit
    def lanes(a):
        a[0] = cuda.activemask()

    lanes[1, 1](np.zeros(1, np.uint32))
=== lanemask_lt
lanemask_lt()

The lanes of the warp below this one, one bit each, as a uint32.

Example:
    @cuda.jit
    def below(a):
        a[cuda.laneid] = cuda.lanemask_lt()

    below[1, 32](np.zeros(32, np.uint32))
=== vectorize
vectorize(signatures, **options)

numba.vectorize with target='cuda': a ufunc of a function of scalars, computed on the device.

Example:
    @cuda.vectorize(["float64(float64, float64)"])
    def add(a, b):
        return a + b

    assert add(np.ones(3), 1).tolist() == [2, 2, 2]
=== guvectorize
guvectorize(signatures, layout, **options)

numba.guvectorize with target='cuda': a function of parts of arrays, computed on the device.

Example:
    @cuda.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
    def total(values, out):
        out[0] = 0
        for value in values:
            out[0] += value

    assert total(np.ones((2, 3))).tolist() == [3, 3]
'''

# What a block's barriers that gather a predicate have in common
_VOTE = '''=== syncthreads_{name}
syncthreads_{name}(predicate)

Waits as syncthreads() does, and gives {gives}.

predicate: an integer or a bool. Gives an int32, the same in all threads.
Raises TypingError for another type.

Example:
    @cuda.jit
    def {example}(a, n):
        n[0] = cuda.syncthreads_{name}(a[cuda.threadIdx.x] > 3)

    {example}[1, 8](np.arange(8), np.zeros(1, np.int32))
=== xray
xray(kernel, grid, block, *args, stream=0, shared=0, device=None)

What each line of a kernel costs the memory system and the warps of a GPU.

kernel: a kernel; it runs as kernel[grid, block, stream, shared](*args) does. Counts come from
the emulated device, where the device is a GPU from that of another process, with copies of the
arguments. device: the GPU that is modelled, such as 'H200' or 'T4'; ValueError for an unknown one.
Gives an object with .lines, .instructions, .branches, .loops and .barriers (lists of dicts),
.total, .verdict (what to change first, as texts), .bound, .to_dict() and .to_dataframe(), and with
pictures: .roofline(), .access_picture(), .tile_picture(), .mask_picture(); tables in consoles and
notebooks. An interrupt ends the kernel and gives the counts so far. Of large grids some blocks are counted.

Example:
    @cuda.jit
    def shift(a, out):
        i = cuda.grid(1)
        out[i] = a[i + 1]

    found = cuda.xray(shift, 2, 64, np.zeros(129), np.zeros(128))
    load, store = found.lines
    assert (load['requests'], load['sectors'], load['sectors_ideal']) == (4, 36, 32)
'''

TEXT = _TEXT + "".join(_VOTE.format(name=name, gives=gives, example=example) for name, gives, example in (
    ("count", "the number of threads whose predicate is not 0", "count"),
    ("and", "1 where the predicate is not 0 in all threads, else 0", "every"),
    ("or", "1 where the predicate is not 0 in some thread, else 0", "some"),
))
