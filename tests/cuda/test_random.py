"""Structured arrays in kernels, and numba.cuda.random against plain Python integers."""
import math

from common import cuda, equal, np, raises

from numba import float32, float64
from numba.cuda.random import (create_xoroshiro128p_states, init_xoroshiro128p_state,
                               init_xoroshiro128p_states_cpu, xoroshiro128p_dtype,
                               xoroshiro128p_jump, xoroshiro128p_next,
                               xoroshiro128p_normal_float32, xoroshiro128p_normal_float64,
                               xoroshiro128p_uniform_float32, xoroshiro128p_uniform_float64)

POINT = np.dtype([("x", np.float32), ("n", np.int16), ("y", np.float64)], align=True)
PACKED = np.dtype([("a", np.int8), ("b", np.float64), ("c", np.int32)])
MASK = (1 << 64) - 1


def points(dtype, count=37):
    made = np.zeros(count, dtype)
    for k, name in enumerate(dtype.names):
        made[name] = np.arange(count) * (k + 1) % 100
    return made


def test_fields_are_loaded_and_stored():
    @cuda.jit
    def f(a, out):
        i = cuda.grid(1)
        if i < a.size:
            a[i]["n"] += 2
            a[i].y = a[i].x * 0.5
            out[i] = a[i].n + a["y"][i]

    a = points(POINT)
    expected = a.copy()
    expected["n"] += 2
    expected["y"] = expected["x"] * 0.5
    out = np.zeros(len(a))
    f[2, 32](a, out)
    equal(a["n"], expected["n"])
    equal(a["y"], expected["y"])
    equal(a["x"], expected["x"])
    equal(out, expected["n"] + expected["y"])


def test_packed_records_are_read_bytewise():
    @cuda.jit
    def f(a):
        i = cuda.grid(1)
        if i < a.shape[0]:
            a[i].b = a[i].a + a[i].c
            a[-1 - i].c = i

    a = points(PACKED, 8)
    total = a["a"].astype(float) + a["c"]
    f[1, 1](a[:1])
    assert a["b"][0] == total[0] and a["c"][0] == 0
    f[1, 8](a[::-1][:4].copy())
    d = cuda.to_device(points(PACKED, 1))
    f[1, 1](d)
    assert d.copy_to_host()["b"][0] == 0


def test_record_variable_and_two_dimensions():
    @cuda.jit
    def f(a):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            p = a[i, j]
            p.x = i * 10 + j
            p["n"] = p.x
            column = a["y"]
            column[i, j] = -p.n

    a = np.zeros((3, 5), POINT)
    f[(1, 1), (4, 8)](a)
    expected = np.add.outer(np.arange(3) * 10, np.arange(5))
    equal(a["x"], expected.astype(np.float32))
    equal(a["n"], expected.astype(np.int16))
    equal(a["y"], -expected.astype(float))


def test_unknown_field_is_named():
    @cuda.jit
    def f(a):
        a[0]["z"] = 1

    @cuda.jit
    def g(a, b):
        a[0] = b[0]

    with raises(Exception, "Field 'z' was not found in record"):
        f[1, 1](points(POINT))
    a, b = points(POINT), points(POINT)
    b["x"] = 9
    g[1, 1](a, b)
    equal(a[:1], b[:1])


# --- The generator in plain integers

def turn(x, k):
    return (x << k | x >> (64 - k)) & MASK


class Generator:
    def __init__(self, seed, sequence=0):
        z = (seed + 0x9E3779B97F4A7C15) & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        self.s0 = self.s1 = z ^ z >> 31
        for _ in range(sequence):
            self.jump()

    def next(self):
        s0, s1 = self.s0, self.s1
        result = (s0 + s1) & MASK
        s1 ^= s0
        self.s0, self.s1 = turn(s0, 55) ^ s1 ^ (s1 << 14 & MASK), turn(s1, 36)
        return result

    def jump(self):
        s0 = s1 = 0
        for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
            for bit in range(64):
                if word >> bit & 1:
                    s0, s1 = s0 ^ self.s0, s1 ^ self.s1
                self.next()
        self.s0, self.s1 = s0, s1

    def uniform(self):
        return (self.next() >> 11) * 2.0 ** -53

    def state(self):
        return self.s0, self.s1


def generators(count, seed, first=0):
    made = [Generator(seed, first)]
    while len(made) < count:
        made.append(Generator(seed))
        made[-1].s0, made[-1].s1 = made[-2].state()
        made[-1].jump()
    return made


def states_of(array):
    return [(int(s["s0"]), int(s["s1"])) for s in array]


def test_states_are_jumps_apart():
    for count, seed, first in ((1, 1, 0), (50, 1, 0), (33, 2 ** 63 + 5, 7), (16, 0, 1000)):
        expected = [g.state() for g in generators(count, seed, first)]
        assert states_of(create_xoroshiro128p_states(count, seed, first).copy_to_host()) == expected
        host = np.zeros(count, xoroshiro128p_dtype)
        init_xoroshiro128p_states_cpu(host, seed, first)
        assert states_of(host) == expected


def test_many_states_agree_with_the_host():
    device = create_xoroshiro128p_states(5001, 42, subsequence_start=3).copy_to_host()
    host = np.zeros(5001, xoroshiro128p_dtype)
    init_xoroshiro128p_states_cpu(host, 42, 3)
    equal(device, host)
    assert len(set(states_of(device))) == 5001
    assert create_xoroshiro128p_states(0, 1).size == 0


def test_numbers_of_each_thread():
    @cuda.jit
    def f(states, bits, singles, doubles):
        i = cuda.grid(1)
        if i < bits.shape[0]:
            for k in range(bits.shape[1]):
                bits[i, k] = xoroshiro128p_next(states, i)
                singles[i, k] = xoroshiro128p_uniform_float32(states, i)
                doubles[i, k] = xoroshiro128p_uniform_float64(states, i)

    bits, doubles = np.zeros((20, 5), np.uint64), np.zeros((20, 5))
    singles = np.zeros((20, 5), np.float32)
    f[2, 16](create_xoroshiro128p_states(20, 1), bits, singles, doubles)
    for i, g in enumerate(generators(20, 1)):
        for k in range(5):
            assert int(bits[i, k]) == g.next()
            assert singles[i, k] == np.float32(g.uniform())
            assert doubles[i, k] == g.uniform()


def test_normal_numbers():
    @cuda.jit
    def f(states, singles, doubles):
        i = cuda.grid(1)
        if i < len(singles):
            singles[i] = xoroshiro128p_normal_float32(states, i)
            doubles[i] = xoroshiro128p_normal_float64(states, i)

    count = 4000
    singles, doubles = np.zeros(count, np.float32), np.zeros(count)
    f[-(-count // 128), 128](create_xoroshiro128p_states(count, 5), singles, doubles)
    for i, g in enumerate(generators(100, 5)):
        for made, near in ((singles[i], 1e-5), (doubles[i], 1e-6)):
            u1, u2 = float(np.float32(g.uniform())), float(np.float32(g.uniform()))
            expected = math.sqrt(-2 * math.log(u1)) * math.cos(2 * math.pi * u2)
            assert abs(made - expected) < near, (i, made, expected)
    assert abs(doubles.mean()) < 0.06 and abs(doubles.std() - 1) < 0.05


def test_states_in_kernels():
    @cuda.jit
    def f(states):
        i = cuda.grid(1)
        if i < states.size:
            init_xoroshiro128p_state(states, i, i)
            xoroshiro128p_jump(states, i)

    states = cuda.device_array(9, xoroshiro128p_dtype)
    f[1, 32](states)
    assert states_of(states.copy_to_host()) == [Generator(i, 1).state() for i in range(9)]


def test_pi_of_the_tutorial():
    @cuda.jit
    def compute_pi(rng_states, iterations, out):
        thread_id = cuda.grid(1)
        inside = 0
        for i in range(iterations):
            x = xoroshiro128p_uniform_float32(rng_states, thread_id)
            y = xoroshiro128p_uniform_float32(rng_states, thread_id)
            if x ** 2 + y ** 2 <= 1.0:
                inside += 1
        out[thread_id] = 4.0 * inside / iterations

    threads_per_block, blocks = 64, 24
    states = create_xoroshiro128p_states(threads_per_block * blocks, seed=1)
    out = np.zeros(threads_per_block * blocks, dtype=np.float32)
    compute_pi[blocks, threads_per_block](states, 10000, out)
    assert f"{out.mean():.5f}" == "3.14167"
