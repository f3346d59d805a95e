"""What the emulated device finds out about shared memory under debug=True."""
from common import cuda, equal, is_emulated, np, raises

THREADS = 64


def checked(function):
    """A kernel whose shared memory is checked."""
    return cuda.jit(debug=True, opt=False)(function)


def line(kernel, offset):
    """"line N": so many lines below the decorator."""
    return f"line {kernel.py_func.__code__.co_firstlineno + offset}"


def run(kernel, *texts, threads=THREADS):
    """The kernel fails with the texts on the emulated device; elsewhere it is not run."""
    if not is_emulated():
        return
    out = np.zeros(threads)
    if texts:
        with raises(RuntimeError, *texts):
            kernel[2, threads](out)
    else:
        kernel[2, threads](out)


def test_race_of_a_write_and_a_read():
    @checked
    def missing_barrier(out):
        s = cuda.shared.array(THREADS, np.float32)
        t = cuda.threadIdx.x
        s[t] = t
        if t < 63:
            out[t] = s[t + 1]

    @checked
    def read_then_write(out):
        s = cuda.shared.array(THREADS, np.float32)
        t = cuda.threadIdx.x
        s[t] = t
        cuda.syncthreads()
        v = s[(t + 1) % THREADS]
        s[t] = v * 2
        out[t] = v

    run(missing_barrier, "shared memory is read here that no thread",
        line(missing_barrier, 6), "tid=[0, 0, 0]")
    run(read_then_write, "race on shared memory: another thread has", "since the last barrier",
        "the other is tid=[0, 0, ")


def test_race_of_two_writes():
    @checked
    def same_place(out):
        s = cuda.shared.array(2, np.int32)
        t = cuda.threadIdx.x
        s[t % 2] = t
        cuda.syncthreads()
        out[t] = s[0]

    @checked
    def same_value(out):
        s = cuda.shared.array(2, np.int32)
        s[0] = 7
        cuda.syncthreads()
        out[cuda.threadIdx.x] = s[0]

    run(same_place, "race on shared memory: another thread has written here", "tid=[0, 0, 2]",
        f"the other is tid=[0, 0, 0] at {line(same_place, 4)}")
    run(same_value)


def test_nobody_wrote():
    @checked
    def forgotten(out):
        s = cuda.shared.array(THREADS, np.float64)
        t = cuda.threadIdx.x
        if t != 5:
            s[t] = 1
        cuda.syncthreads()
        out[t] = s[t]

    run(forgotten, "shared memory is read here that no thread of the block has written",
        "tid=[0, 0, 5]")


def test_nobody_else_is_named_for_what_nobody_wrote():
    @checked
    def mirrored(out):
        s = cuda.shared.array(THREADS, np.float32)
        t = cuda.threadIdx.x
        s[t] = t
        out[t] = s[THREADS - 1 - t]

    if is_emulated():
        with raises(RuntimeError, "no thread of the block has written"):
            mirrored[1, THREADS](np.zeros(THREADS))
        try:
            mirrored[1, THREADS](np.zeros(THREADS))
        except RuntimeError as error:
            assert "the other is" not in str(error)


def test_divergent_barriers():
    @checked
    def conditional(out):
        if cuda.threadIdx.x < 3:
            cuda.syncthreads()
        out[cuda.threadIdx.x] = 1

    @checked
    def two_barriers(out):
        if cuda.threadIdx.x % 2:
            cuda.syncthreads()
        else:
            cuda.syncthreads()
        out[cuda.threadIdx.x] = 1

    run(conditional, "divergent barrier", line(conditional, 3), "tid=[0, 0, 0]", "which has ended")
    run(two_barriers, "divergent barrier", line(two_barriers, 5), f"at {line(two_barriers, 3)}")


def test_correct_kernels_pass():
    @checked
    def reduction(out):
        s = cuda.shared.array(THREADS, np.float64)
        t = cuda.threadIdx.x
        s[t] = t
        cuda.syncthreads()
        step = THREADS // 2
        while step > 0:
            if t < step:
                s[t] += s[t + step]
            cuda.syncthreads()
            step //= 2
        out[t] = s[0]

    @checked
    def counters(out):
        s = cuda.shared.array(4, np.int32)
        t = cuda.threadIdx.x
        if t < 4:
            s[t] = 0
        cuda.syncthreads()
        cuda.atomic.add(s, t % 4, 1)
        cuda.syncthreads()
        out[t] = s[t % 4]

    @checked
    def in_a_warp(out):
        s = cuda.shared.array(THREADS, np.int32)
        t = cuda.threadIdx.x
        s[t] = t
        cuda.syncwarp()
        v = s[t ^ 1]
        cuda.syncwarp()
        s[t] = v
        out[t] = s[t]

    out = np.zeros(THREADS)
    reduction[3, THREADS](out)
    equal(out, np.full(THREADS, THREADS * (THREADS - 1) / 2))
    counters[2, THREADS](out)
    equal(out, np.full(THREADS, 16.0))
    in_a_warp[2, THREADS](out)
    equal(out, (np.arange(THREADS) ^ 1).astype(float))


def test_all_readers_are_minded():
    @checked
    def last_reader_writes(out):  # the warp has synced since all of it read
        s = cuda.shared.array(THREADS, np.int32)
        t = cuda.threadIdx.x
        s[t] = t
        cuda.syncwarp()
        v = s[t | 31]
        cuda.syncwarp()
        s[t] = v
        out[t] = s[t]

    @checked
    def of_two_warps(out):  # the last reader's warp synced, the other has not
        s = cuda.shared.array(1, np.int32)
        t = cuda.threadIdx.x
        if t == 0:
            s[0] = 1
        cuda.syncthreads()
        if t == 5 or t == 33:
            out[t] = s[0]
        cuda.syncwarp()
        if t == 34:
            s[0] = 2

    @checked
    def after_a_shuffle(out):  # which orders nothing
        s = cuda.shared.array(THREADS, np.int32)
        t = cuda.threadIdx.x
        s[t] = t
        cuda.syncthreads()
        v = s[t ^ 1]
        v = cuda.shfl_sync(0xffffffff, v, 0)
        s[t] = v
        out[t] = v

    out = np.zeros(THREADS)
    last_reader_writes[2, THREADS](out)
    equal(out, (np.arange(THREADS) | 31).astype(float))
    run(of_two_warps, "another thread has read here", "tid=[0, 0, 34]",
        f"the other is tid=[0, 0, 5] at {line(of_two_warps, 8)}")
    run(after_a_shuffle, "another thread has read here", line(after_a_shuffle, 8))


def test_atomics_of_others_before_a_read():
    @checked
    def counted(out):
        s = cuda.shared.array(1, np.int32)
        t = cuda.threadIdx.x
        s[0] = 0
        cuda.syncthreads()
        cuda.atomic.add(s, 0, 1)
        if t == THREADS - 1:
            out[t] = s[0]

    run(counted, "another thread has written here", "tid=[0, 0, 63]", line(counted, 8))


def test_not_checked_without_debug():
    @cuda.jit
    def racy(out):
        s = cuda.shared.array(THREADS, np.float32)
        t = cuda.threadIdx.x
        s[t] = t
        out[t] = s[(t + 1) % THREADS]

    racy[1, THREADS](np.zeros(THREADS))
