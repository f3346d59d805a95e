"""The kernels of docs/insight.md, with the counts that the rules of the CUDA programming guide give on paper.

usage: insight.py prints the page's table; --write puts it into the page.
"""
import pathlib
import sys

from common import cuda, np

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "insight.md"
BLOCK = 256
STEPS = [1 << bit for bit in range(8)]  # the distances of a reduction of 256
rng = np.random.default_rng(18)


@cuda.jit
def strided(source, target, stride, start):
    i = cuda.grid(1)
    target[i] = source[i * stride + start]


@cuda.jit
def by_records(points, out):
    i = cuda.grid(1)
    out[i] = points[i].x


@cuda.jit
def by_row(a, out):
    i = cuda.grid(1)
    total = np.float32(0)
    for j in range(a.shape[1]):
        total += a[i, j]
    out[i] = total


@cuda.jit
def gather(source, indices, out):
    i = cuda.grid(1)
    if i < indices.size:
        out[i] = source[indices[i]]


@cuda.jit
def transposed(a, out):
    i, j = cuda.grid(2)
    out[i, j] = a[j, i]


def tiled(columns):
    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array((32, columns), np.float32)
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        i, j = cuda.grid(2)
        tile[y, x] = a[j, i]
        cuda.syncthreads()
        i, j = cuda.blockIdx.y * 32 + x, cuda.blockIdx.x * 32 + y
        out[j, i] = tile[x, y]
    return kernel


@cuda.jit(device=True)
def interleaved(own, i, s):
    if i % (2 * s) == 0:
        own[i] += own[i + s]


@cuda.jit(device=True)
def strided_index(own, i, s):
    k = 2 * s * i
    if k < BLOCK:
        own[k] += own[k + s]


@cuda.jit(device=True)
def sequential(own, i, s):
    if i < BLOCK // 2 // s:
        own[i] += own[i + BLOCK // 2 // s]


def reduction(step):
    """A kernel that adds up each block by this step; s runs over 1, 2, 4... half a block."""
    @cuda.jit
    def kernel(a, out):
        own = cuda.shared.array(BLOCK, np.float32)
        i = cuda.threadIdx.x
        own[i] = a[cuda.grid(1)]
        for bit in range(8):
            cuda.syncthreads()
            step(own, i, 1 << bit)
        if i == 0:
            out[cuda.blockIdx.x] = own[0]
    return kernel


@cuda.jit
def histogram(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i], 1)


@cuda.jit
def shared_histogram(values, bins):
    own = cuda.shared.array(40, np.int32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    if t < own.size:
        own[t] = 0
    cuda.syncthreads()
    if i < values.size:
        cuda.atomic.add(own, values[i], 1)
    cuda.syncthreads()
    if t < own.size:
        cuda.atomic.add(bins, t, own[t])


@cuda.jit
def by_parity(out, width):
    i = cuda.grid(1)
    if (i // width) % 2:
        out[i] = 1
    else:
        out[i] = 2


@cuda.jit
def product(a, b, out):
    x, y = cuda.grid(2)
    total = np.float32(0)
    for k in range(a.shape[1]):
        total += a[y, k] * b[k, x]
    out[y, x] = total


@cuda.jit
def tiled_product(a, b, out):
    left, right = cuda.shared.array((16, 16), np.float32), cuda.shared.array((16, 16), np.float32)
    x, y = cuda.grid(2)
    i, j = cuda.threadIdx.x, cuda.threadIdx.y
    total = np.float32(0)
    for first in range(0, a.shape[1], 16):
        left[j, i] = a[y, first + i]
        right[j, i] = b[first + j, x]
        cuda.syncthreads()
        for k in range(16):
            total += left[j, k] * right[k, i]
        cuda.syncthreads()
    out[y, x] = total


# --- the cases ---------------------------------------------------------------------------------

FIGURES = ("sectors", "ideal", "wavefronts", "conflicts", "divergent")
CASES = []  # (name, cause, figures on paper, function that gives an XRay)


def case(name, cause, sectors, ideal=None, wavefronts=0, conflicts=0, divergent=0):
    """`cause`: words of the verdict's first line, None where nothing stands out."""
    paper = dict(sectors=sectors, ideal=sectors if ideal is None else ideal, wavefronts=wavefronts,
                 conflicts=conflicts, divergent=divergent)
    return lambda run: CASES.append((name, cause, paper, run))


def figures(result):
    """What CASES tell on paper, as counted."""
    total = result.total
    return dict(sectors=total["global_sectors"], ideal=total["global_sectors_ideal"],
                wavefronts=total["shared_wavefronts"],
                conflicts=total["shared_conflicts"] + total["global_conflicts"],
                divergent=total["divergent_branches"])


def zeros(*shape, dtype=np.float32):
    return cuda.to_device(np.zeros(shape, dtype))


def copy(stride, start):
    return cuda.xray(strided, 32, 128, zeros(4096 * stride + start), zeros(4096), stride, start)


# 4096 items of 4 bytes: 128 warps, of which each loads and stores 4 sectors at best
case("copy", None, 128 * (4 + 4))(lambda: copy(1, 0))
# 32 lanes at 32 bytes: a sector each
case("copy, stride 8", "apart", 128 * (32 + 4), 128 * (4 + 4))(lambda: copy(8, 0))
# 128 bytes from the middle of a sector on: 5 sectors
case("copy, misaligned", "misaligned", 128 * (5 + 4), 128 * (4 + 4))(lambda: copy(1, 1))


@case("array of structures", "structure of arrays", 128 * (16 + 4), 128 * (4 + 4))
def records():
    """x of records of 16 bytes: two lanes a sector."""
    points = np.zeros(4096, [(name, np.float32) for name in "xyzw"])
    return cuda.xray(by_records, 32, 128, cuda.to_device(points), zeros(4096))


case("structure of arrays", None, 128 * (4 + 4))(lambda: copy(1, 0))


def sums(a):
    return cuda.xray(by_row, 2, 64, a, zeros(128))


# 128 x 128 items: 4 warps of 128 turns; lanes in different rows, or side by side
case("sums of rows", "threadIdx.x run along the last axis", 4 * 128 * 32 + 4 * 4, 4 * 128 * 4 + 4 * 4)(
    lambda: sums(zeros(128, 128)))
case("sums of columns", None, 4 * 128 * 4 + 4 * 4)(lambda: sums(cuda.to_device(np.zeros((128, 128), np.float32).T)))


def transpose(kernel):
    return cuda.xray(kernel, (4, 4), (32, 32), zeros(128, 128), zeros(128, 128))


# 512 warps; a column of the tile is in one bank, or, with rows of 33 words, in all
case("transpose", "tile in shared memory", 512 * (4 + 32), 512 * (4 + 4))(lambda: transpose(transposed))
case("transpose, tiled", "pad the rows", 512 * 8, None, 512 * (1 + 32), 512 * 31)(lambda: transpose(tiled(32)))
case("transpose, tiled and padded", None, 512 * 8, None, 512 * 2)(lambda: transpose(tiled(33)))


def added(step):
    return cuda.xray(reduction(step), 4, BLOCK, zeros(4 * BLOCK), zeros(4))


def reduced(requests, wavefronts, divergent):
    """Figures of 4 blocks of 8 warps, of which the steps of each make so many requests, of two loads and a store.
    Besides: what is loaded and kept first, and the sum that one lane of a divergent branch writes."""
    return dict(sectors=4 * (8 * 4 + 1), wavefronts=4 * (8 + 3 * wavefronts + 1),
                conflicts=4 * 3 * (wavefronts - requests), divergent=4 * (divergent + 1))


def active(step):
    """Lanes of each active warp, where the lanes that add are the first of the block."""
    lanes = BLOCK // (2 * step)
    return [32] * (lanes // 32) + [lanes % 32] * (lanes % 32 > 0)


# up to 16 each of the 8 warps has a lane in 2 s, beyond that one warp in s / 16 has; never all its lanes
SPARSE = sum(8 if s <= 16 else BLOCK // (2 * s) for s in STEPS)
DENSE = [(s, lanes) for s in STEPS for lanes in active(s)]
PARTIAL = sum(lanes < 32 for _, lanes in DENSE)
# words 2 s apart are in 32 / (2 s) banks
BANKED = sum(-(-lanes // max(1, 32 // (2 * s))) for s, lanes in DENSE)
case("reduction, interleaved", "divergent", **reduced(SPARSE, SPARSE, SPARSE))(lambda: added(interleaved))
case("reduction, strided index", "bank conflicts", **reduced(len(DENSE), BANKED, PARTIAL))(lambda: added(strided_index))
case("reduction, sequential", None, **reduced(len(DENSE), len(DENSE), PARTIAL))(lambda: added(sequential))

VALUES = rng.integers(0, 40, 4096)
COUNTS = np.array([np.bincount(warp, minlength=40) for warp in VALUES.reshape(-1, 32)])
CLASHES = int((COUNTS - 1)[COUNTS > 0].sum())  # lanes that find another at their address
DEPTH = int(COUNTS.max(1).sum())               # the longest row of each warp
TOUCHED = int((COUNTS.reshape(-1, 5, 8).sum(2) > 0).sum())  # sectors, of 8 bins
IDEAL = int((-(-(COUNTS > 0).sum(1) * 4 // 32)).sum())


def counted(kernel):
    return cuda.xray(kernel, 16, BLOCK, cuda.to_device(VALUES), zeros(40, dtype=np.int32))


# 128 warps load 8 sectors of 8 bytes an item; 16 blocks add 40 sums, 8 of them in a second warp that parts
case("histogram", "count in shared memory", 128 * 8 + TOUCHED, 128 * 8 + IDEAL, 0, CLASHES)(lambda: counted(histogram))
case("histogram, shared", "several copies", 128 * 8 + 16 * 5, None, 16 * 2 + DEPTH + 16 * 2, CLASHES, 16 * 2)(
    lambda: counted(shared_histogram))


def multiplied(kernel):
    return cuda.xray(kernel, (4, 4), (16, 16), zeros(64, 64), zeros(64, 64), zeros(64, 64))


# 128 warps of two rows of 16 lanes: an item of each of two rows (8 bytes of two sectors), 16 items of one
case("matrix product", "load a tile", 128 * (64 * (2 + 2) + 4), 128 * (64 * (1 + 2) + 4))(lambda: multiplied(product))
case("matrix product, tiled", None, 128 * (4 * (4 + 4) + 4), None, 128 * 4 * (2 + 16 * 2))(
    lambda: multiplied(tiled_product))

# 4096 threads; half a warp stores at every other of 32 items, or a warp at all
case("branch by lane", "divergent", 128 * 2 * 4, 128 * 2 * 2, 0, 0, 128)(
    lambda: cuda.xray(by_parity, 32, 128, zeros(4096), 1))
case("branch by warp", None, 128 * 4)(lambda: cuda.xray(by_parity, 32, 128, zeros(4096), 32))

INDICES = rng.integers(0, 100_000, 4096)
SCATTERED = sum(np.unique(warp // 8).size for warp in INDICES.reshape(-1, 32))
GATHERED = sum(-(-np.unique(warp).size * 4 // 32) for warp in INDICES.reshape(-1, 32))
case("random gather", "scattered", 128 * (8 + 4) + SCATTERED, 128 * (8 + 4) + GATHERED)(
    lambda: cuda.xray(gather, 32, 128, zeros(100_000), cuda.to_device(INDICES), zeros(4096)))


def table():
    """What the page has of the cases: a table of figures, on paper / as counted, and the verdicts."""
    rows = ["| kernel | sectors | enough | wavefronts | conflicts | divergent |", "|---|---|---|---|---|---|"]
    verdicts = ["", "What the verdict says first; of the others it says that nothing stands out:", ""]
    for name, _, paper, run in CASES:
        result = run()
        found = figures(result)
        rows.append(f"| {name} | {' | '.join(f'{paper[figure]:,} / {found[figure]:,}' for figure in FIGURES)} |")
        if result.verdict:
            verdicts.append(f"- {name}: {result.verdict[0].split(', ', 1)[1].replace('*', '&#42;')}")
    return "\n".join(rows + verdicts) + "\n"


def parts():
    """The page before, in and behind the marks of the table."""
    text = PAGE.read_text()
    begin, end = "<!-- table -->\n", "<!-- end of the table -->\n"
    before, rest = text.split(begin)
    within, behind = rest.split(end)
    return before + begin, within, end + behind


if __name__ == "__main__":
    if "--write" in sys.argv:
        before, _, behind = parts()
        PAGE.write_text(before + table() + behind)
    else:
        print(table(), end="")
