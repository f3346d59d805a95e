"""Order, search, hash tables and graphs."""
import numpy as np
from numba import cuda, int32, uint32, uint64

from gpu_kernels import case, line

THREADS = 256


def counted(*arguments):
    return *arguments, np.int32(arguments[0].size)


def keys(rng, n):
    return np.int32(4), np.int32(8), rng.integers(-10**9, 10**9, n, np.int32)


def one_exchange(distance, run, values):
    i = np.arange(values.size)
    other = values[i ^ distance]
    takes_least = (i < (i ^ distance)) == ((i & run) == 0)
    return (np.where(takes_least, np.minimum(values, other), np.maximum(values, other)),)


@case(make=keys, launch=line(256), expected=one_exchange, native=lambda *a: (*a, np.int32(a[-1].size)),
      large=1 << 24, small=1024, is_in_place=True)
def bitonic_step(distance, run, values):
    i = cuda.grid(1)
    other = i ^ distance
    if i < values.size and other > i:
        a, b = values[i], values[other]
        if (a > b) == (i & run == 0):
            values[i], values[other] = b, a


def blocks(rng, n):
    return (rng.integers(-10**9, 10**9, n, np.int32),)


@case(make=blocks, launch=line(THREADS), expected=lambda a: (np.sort(a.reshape(-1, THREADS), 1).ravel(),),
      native=counted, large=1 << 21, small=4 * THREADS, is_in_place=True)
def sort_blocks(a):
    own = cuda.shared.array(THREADS, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    own[t] = a[i]
    cuda.syncthreads()
    run = 2
    while run <= THREADS:
        distance = run
        while distance > 1:
            distance >>= 1
            other = t ^ distance
            if other > t:
                x, y = own[t], own[other]
                if (x > y) == ((t & run) == 0):
                    own[t], own[other] = y, x
            cuda.syncthreads()
        run *= 2
    a[i] = own[t]


def searched(rng, n):
    return np.sort(rng.random(n)), rng.random(n), np.zeros(n, np.int64)


@case(make=searched, launch=line(256), expected=lambda a, wanted, out: (np.searchsorted(a, wanted),),
      native=counted, large=1 << 20, small=900)
def binary_search(a, wanted, out):
    i = cuda.grid(1)
    if i < wanted.size:
        value = wanted[i]
        low, high = 0, a.size
        while low < high:
            middle = (low + high) // 2
            if a[middle] >= value:
                high = middle
            else:
                low = middle + 1
        out[i] = low


EMPTY = -1


def to_insert(rng, n):
    return rng.permutation(4 * n)[:n].astype(np.int32), np.full(2 * n, EMPTY, np.int32), np.zeros(1, np.int32)


def inserted_count(keys, table, count):
    return (np.array([keys.size]),)


@case(make=to_insert, launch=line(256), expected=inserted_count,
      native=lambda keys, table, count: (keys, table, count, np.int32(keys.size), np.int32(table.size)),
      large=1 << 20, small=512, is_in_place=True)
def hash_insert(keys, table, count):
    i = cuda.grid(1)
    if i < keys.size:
        key = keys[i]
        slot = (uint32(key) * uint32(2654435769) >> uint32(7)) % uint32(table.size)
        while True:
            found = cuda.atomic.cas(table, slot, EMPTY, key)
            if found == EMPTY:
                cuda.atomic.add(count, 0, 1)
                break
            if found == key:
                break
            slot = (slot + 1) % table.size


def to_rank(rng, n):
    return rng.permutation(n).astype(np.float32), np.zeros(n, np.int32)


@case(make=to_rank, launch=line(128), expected=lambda a, out: (np.argsort(np.argsort(a)),), native=counted,
      large=1 << 15, small=300)
def rank_by_counting(a, out):
    i = cuda.grid(1)
    if i < a.size:
        rank = 0
        for j in range(a.size):
            if a[j] < a[i] or (a[j] == a[i] and j < i):
                rank += 1
        out[i] = rank


def mixed(keys, out):
    with np.errstate(over="ignore"):
        h = keys ^ (keys >> np.uint64(33))
        h *= np.uint64(0xff51afd7ed558ccd)
        h ^= h >> np.uint64(33)
        h *= np.uint64(0xc4ceb9fe1a85ec53)
        return (h ^ (h >> np.uint64(33)),)


@case(make=lambda rng, n: (rng.integers(0, 2**63, n, np.uint64), np.zeros(n, np.uint64)), launch=line(256),
      expected=mixed, native=counted, large=1 << 22, small=400)
def murmur_finish(keys, out):
    i = cuda.grid(1)
    if i < keys.size:
        h = keys[i]
        h ^= h >> uint64(33)
        h *= uint64(0xff51afd7ed558ccd)
        h ^= h >> uint64(33)
        h *= uint64(0xc4ceb9fe1a85ec53)
        h ^= h >> uint64(33)
        out[i] = h


def graph(rng, n, degree=8):
    counts = rng.integers(0, 2 * degree, n)
    starts = np.zeros(n + 1, np.int32)
    np.cumsum(counts, out=starts[1:])
    return starts, rng.integers(0, n, starts[-1], np.int32)


def searched_graph(rng, n):
    levels = np.full(n, -1, np.int32)
    levels[rng.integers(0, n, n // 4)] = 3
    return *graph(rng, n), np.int32(3), levels


def one_level(starts, edges, level, levels):
    levels = levels.copy()
    sources = np.repeat(np.arange(levels.size), np.diff(starts))
    reached = edges[levels[sources] == level]
    levels[reached[levels[reached] < 0]] = level + 1
    return (levels,)


def with_count(*arguments):
    return *arguments, np.int32(arguments[-1].size)


@case(make=searched_graph, launch=line(256), expected=one_level, native=with_count, large=1 << 19, small=300,
      is_in_place=True)
def bfs_level(starts, edges, level, levels):
    v = cuda.grid(1)
    if v < levels.size and levels[v] == level:
        for k in range(starts[v], starts[v + 1]):
            w = edges[k]
            if levels[w] == -1:
                levels[w] = level + 1


def ranked(rng, n):
    starts, edges = graph(rng, n)
    return starts, edges, rng.random(n, np.float32), 1 + rng.integers(0, 9, n, np.int32), np.zeros(n, np.float32)


def next_ranks(starts, edges, ranks, degrees, out):
    sums = np.zeros(out.size)
    np.add.at(sums, np.repeat(np.arange(out.size), np.diff(starts)), (ranks / degrees)[edges])
    return (np.float32(0.15) / out.size + np.float32(0.85) * sums,)


DAMPING = np.float32(0.85)


@case(make=ranked, launch=line(128), expected=next_ranks, native=with_count, large=1 << 19, small=300)
def page_rank(starts, edges, ranks, degrees, out):
    v = cuda.grid(1)
    if v < out.size:
        total = np.float32(0)
        for k in range(starts[v], starts[v + 1]):
            w = edges[k]
            total += ranks[w] / np.float32(degrees[w])
        out[v] = (np.float32(1) - DAMPING) / np.float32(out.size) + DAMPING * total


def all_pairs(rng, n):
    return n // 2, rng.integers(1, 1000, (n, n), np.int32)


@case(make=all_pairs, launch=lambda n: ((-(-n // 32), -(-n // 8)), (32, 8)), large=4096, small=60, is_in_place=True,
      expected=lambda k, far: (np.minimum(far, far[:, k, None] + far[k]),),
      native=lambda k, far: (np.int32(k), far, np.int32(far.shape[0])))
def floyd_warshall_step(k, far):
    j, i = cuda.grid(2)
    if i < far.shape[0] and j < far.shape[1]:
        detour = far[i, k] + far[k, j]
        if detour < far[i, j]:
            far[i, j] = detour


def sorted_graph(rng, n):
    starts, edges = graph(rng, n, 12)
    for v in range(n):
        edges[starts[v]:starts[v + 1]].sort()
    return starts, edges, np.zeros(n, np.int64)


def shared_neighbours(starts, edges, out):
    counts = np.zeros_like(out)
    lists = [edges[starts[v]:starts[v + 1]] for v in range(out.size)]
    for v in range(out.size):
        for w in lists[v]:
            i = j = 0
            while i < lists[v].size and j < lists[w].size:
                counts[v] += lists[v][i] == lists[w][j]
                i, j = i + (lists[v][i] <= lists[w][j]), j + (lists[w][j] <= lists[v][i])
    return (counts,)


@case(make=sorted_graph, launch=line(128), expected=shared_neighbours, native=with_count, large=1 << 15, small=60)
def triangles(starts, edges, out):
    v = cuda.grid(1)
    if v < out.size:
        count = 0
        for k in range(starts[v], starts[v + 1]):
            w = edges[k]
            i, j = starts[v], starts[w]
            while i < starts[v + 1] and j < starts[w + 1]:
                if edges[i] < edges[j]:
                    i += 1
                elif edges[i] > edges[j]:
                    j += 1
                else:
                    count += 1
                    i += 1
                    j += 1
        out[v] = count
