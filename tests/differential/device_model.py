"""The threads of a CUDA grid in plain Python: each is a generator that stops where it waits for others.

All threads of a block come to the same waiting places in the same order, which is how kernels are generated.
"""
import itertools
import types

import numpy as np

WARP = 32


class Dim3(types.SimpleNamespace):
    @classmethod
    def of(cls, extents):
        return cls(**dict(zip("xyz", (*extents, 1, 1, 1)[:3])))

    def places(self):
        """Every index, x running fastest."""
        return [Dim3(x=x, y=y, z=z) for z, y, x in itertools.product(range(self.z), range(self.y), range(self.x))]


class Thread:
    """What a kernel knows as `cuda`."""

    def __init__(self, place, block, block_dim, grid_dim, number, memory):
        self.threadIdx, self.blockIdx, self.blockDim, self.gridDim = place, block, block_dim, grid_dim
        self.laneid = number % WARP
        self.warpsize = WARP
        self.memory = memory

    def grid(self, count):
        at = [getattr(self.blockIdx, axis) * getattr(self.blockDim, axis) + getattr(self.threadIdx, axis)
              for axis in "xyz"[:count]]
        return at[0] if count == 1 else tuple(at)

    def gridsize(self, count):
        sizes = [getattr(self.blockDim, axis) * getattr(self.gridDim, axis) for axis in "xyz"[:count]]
        return sizes[0] if count == 1 else tuple(sizes)

    def shared_array(self, name, shape, dtype):
        if name not in self.memory:
            self.memory[name] = np.zeros(shape, dtype)
        return self.memory[name]


ATOMIC = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "max": max, "min": min, "and_": lambda a, b: a & b,
          "or_": lambda a, b: a | b, "xor": lambda a, b: a ^ b}


def atomic(operation, array, place, value, cut):
    array[place] = cut(ATOMIC[operation](array[place].item(), value))


def launch(kernel, grid, block, *arguments):
    grid_dim, block_dim = Dim3.of(grid), Dim3.of(block)
    places = block_dim.places()
    for block_place in grid_dim.places():
        memory = {}
        threads = [kernel(Thread(place, block_place, block_dim, grid_dim, number, memory), *arguments)
                   for number, place in enumerate(places)]
        run_block(threads)


def run_block(threads):
    answers = [None] * len(threads)
    while True:
        asked = []
        for thread, answer in zip(threads, answers):
            try:
                asked.append(thread.send(answer))
            except StopIteration:
                asked.append(None)
        if all(question is None for question in asked):
            return
        words = {question[0] for question in asked}
        assert len(words) == 1, words
        if words == {"barrier"}:
            answers = whole_block(asked)
        else:
            answers = [answer for first in range(0, len(asked), WARP) for answer in one_warp(asked[first:first + WARP])]


def whole_block(asked):
    form = asked[0][1]
    if form is None:
        return [None] * len(asked)
    predicates = [bool(question[2]) for question in asked]
    answer = {"count": sum(predicates), "and": int(all(predicates)), "or": int(any(predicates))}[form]
    return [answer] * len(asked)


def bits_of(flags):
    return sum(1 << lane for lane, flag in enumerate(flags) if flag)


def popc(value, width):
    return bin(value & ((1 << width) - 1)).count("1")


def clz(value, width):
    return width - (value & ((1 << width) - 1)).bit_length()


def ffs(value, width):
    value &= (1 << width) - 1
    return (value & -value).bit_length()


def group_answers(asked):
    """What the threads of a branch get from one another; the others have asked for nothing."""
    inside = [lane for lane, question in enumerate(asked) if question[1] is not None]
    answers = [None] * len(asked)
    for lane in inside:
        form, value = asked[lane][1:]
        values = [asked[other][2] for other in inside]
        answers[lane] = {"leader": lambda: values[0], "any": lambda: any(values), "all": lambda: all(values),
                         "ballot": lambda: sum(1 << other for other in inside if asked[other][2]),
                         "rank": lambda: inside.index(lane)}[form]()
    return answers


def one_warp(asked):
    if asked[0][0] == "group":
        return group_answers(asked)
    word, values = asked[0][0], [question[1] for question in asked]
    lanes = range(len(asked))
    if word == "ballot":
        return [bits_of(values)] * len(asked)
    if word in ("all", "any"):
        return [(all if word == "all" else any)(values)] * len(asked)
    if word == "eq":
        return [len(set(map(bool, values))) == 1] * len(asked)
    if word == "match_any":
        return [bits_of(other == value for other in values) for value in values]
    sources = {"shfl": lambda lane, by: by % WARP, "shfl_up": lambda lane, by: lane - by if lane >= by else lane,
               "shfl_down": lambda lane, by: lane + by if lane + by < WARP else lane,
               "shfl_xor": lambda lane, by: lane ^ by}[word]
    return [values[sources(lane, asked[lane][2])] for lane in lanes]
