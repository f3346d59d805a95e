"""The cases: a text of expressions.py for a dtype, a layout, a shape, an axis, in or outside parallel=True."""
import dataclasses
import itertools
import pathlib
import random
import re

import expressions

SIZES = (10, 10**3, 10**5, 10**7)
OFTEN = {10: 3, 10**3: 4, 10**5: 4, 10**6: 2, 10**7: 1}  # the small ones take less time to measure
LAYOUTS = ("C", "F", "strided", "reversed", "sliced", "transposed")
TABLE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "numpy-support.md"
# names of the table's page that stand for types, for what takes no time, and for what has no plain call
NO_WORK = frozenset("""
    datetime64 timedelta64 dtype finfo iinfo ndarray ndim shape size result_type promote_types isscalar iscomplexobj isrealobj
    broadcast_shapes may_share_memory shares_memory index_exp s_ ndindex nditer ndenumerate frombuffer ctypes flags itemsize nbytes
    strides T mT imag view item itemset real seed bytes asarray asanyarray empty atleast_1d broadcast_arrays dsplit require
    literal_unroll return_index split str tuple
    multivariate_normal apply_along_axis noncentral_chisquare noncentral_f permuted unstack""".split())


@dataclasses.dataclass(frozen=True)
class Case:
    area: str
    text: str
    dtype: str
    layout: str
    shape: tuple
    is_parallel: bool

    def __str__(self):
        where = ", parallel" if self.is_parallel else ""
        return f"{self.text}   {self.dtype} {self.layout} {'x'.join(map(str, self.shape))}{where}"


def shapes(size, dimensions):
    """Square ones, and for two dimensions long and flat ones, of about so many items."""
    if dimensions == 1:
        return [(size,)]
    side = round(size ** (1 / dimensions))
    if dimensions == 2:
        return [(side, side), (max(size // 3, 1), 3), (3, max(size // 3, 1)), (2 * side, max(side // 2, 1))]
    return [(side,) * 3, (2 * side, side, max(side // 2, 1))]


def with_axis(text, dimensions):
    """A text for each axis that its @ may be."""
    if "@" not in text:
        return [text]
    axes = ["", *(f"axis={k}" for k in range(dimensions))]
    axes += ["axis=(0, 2)", "axis=(0, 1)"] if dimensions == 3 and not re.search("arg|cum|average|median|quantile|perc", text) else []
    comma = "" if "(@" in text else ", "
    return [text.replace("@", comma + axis if axis else "") for axis in axes]


def sizes(group):
    return [size for size in SIZES if size <= group.largest] + ([10**6] if group.largest == 10**6 else [])


def drawn(seed, names=None):
    """Cases without end: a group, then a text of it, then its operands, each by chance."""
    chance = random.Random(seed)
    weights = [len(group.texts) for group in expressions.GROUPS]
    while True:
        group, = chance.choices(expressions.GROUPS, weights)
        dimensions = chance.choice(group.dimensions)
        text = chance.choice(with_axis(chance.choice(group.texts), dimensions))
        layout = "C" if group.is_plain else chance.choice(LAYOUTS)
        size, = chance.choices(sizes(group), [OFTEN[size] for size in sizes(group)])
        shape = chance.choice(shapes(size, dimensions))
        case = Case(group.area, text, chance.choice(group.dtypes), layout, shape, chance.random() < 0.15)
        if not names or re.search(names, f"{case.area}: {case}"):
            yield case


def whole(names=None):
    """Every case, in order."""
    for group in expressions.GROUPS:
        for dimensions, dtype, size in itertools.product(group.dimensions, group.dtypes, sizes(group)):
            texts = [each for text in group.texts for each in with_axis(text, dimensions)]
            layouts = ("C",) if group.is_plain else LAYOUTS
            for text, layout, shape, parallel in itertools.product(texts, layouts, shapes(size, dimensions), (False, True)):
                case = Case(group.area, text, dtype, layout, shape, parallel)
                if not names or re.search(names, f"{case.area}: {case}"):
                    yield case


def unmeasured():
    """Names of the support table that no text has."""
    words = {word for group in expressions.GROUPS for text in group.texts for word in re.findall(r"[A-Za-z_]\w*", text)}
    table = TABLE.read_text().partition("## random (")[0]  # those of Python's random are no functions of NumPy
    return sorted(set(re.findall(r"`(\w+)[(`]", table)) - words - NO_WORK)
