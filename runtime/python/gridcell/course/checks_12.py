# SPDX-License-Identifier: MIT
"""The exercises of notebook 12: beyond one machine."""
import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, need_compiled, need_function, raised, reason, same


@exercise
def exercise_1(predicted):
    """How long equal tasks take on some workers."""
    yield "it is a function of work, tasks, workers and overhead"
    need_function(predicted, 4)

    def one(work, tasks, workers, overhead):
        right = -(-tasks // workers) * (work / tasks + overhead) if tasks else 0.0
        arguments = work, tasks, workers, overhead
        same(called(predicted, *arguments), right, call_text(predicted, arguments), tolerance=1e-12)
    yield "one task"
    one(6.0, 1, 1, 0.5)
    yield "several tasks for one worker: each has its overhead"
    one(6.0, 3, 1, 0.5)
    yield "several workers that are all busy to the end"
    one(6.0, 6, 3, 0.5)
    yield "workers that are idle in the last round"
    one(6.0, 4, 3, 0.25)
    one(6.0, 7, 2, 0.0)
    yield "more workers than tasks"
    one(6.0, 2, 8, 0.5)
    yield "no tasks"
    one(0.0, 0, 2, 0.5)


_VALUES = np.random.default_rng(2).normal(5, 2, 100)


def _triple(values):
    if not values.size:
        return 0, 0.0, 0.0
    exact = values.astype(np.longdouble)
    mean = exact.mean()
    return values.size, float(mean), float(((exact - mean) ** 2).sum())


def _need_triple(result, values, what):
    """Counts are equal, and the rest is, but for rounding."""
    expected = _triple(values)
    same(tuple(result) if isinstance(result, list) else result, expected, what, tolerance=1e-7)
    if not isinstance(result[0], (int, np.integer)):
        raise NotRight(f"{what} gave the count {result[0]!r}; it is to be an int.")


@exercise
def exercise_2(part):
    """Count, mean, and the sum of squares about the mean."""
    yield "it is a compiled function of an array"
    need_compiled(part, 1)
    yield "one value"
    _need_triple(called(part, _VALUES[:1]), _VALUES[:1], "one value")
    yield "many values"
    _need_triple(called(part, _VALUES), _VALUES, "100 values")
    _need_triple(called(part, _VALUES[::3]), _VALUES[::3], "every third of 100 values")
    yield "large values that are close together"
    _need_triple(called(part, 1e8 + _VALUES), 1e8 + _VALUES, "100 values about 1e8")
    yield "no values"
    _need_triple(called(part, _VALUES[:0]), _VALUES[:0], "no values")


def _need_merged(merged, first, second):
    what = f"parts of {first.size} and {second.size} value{'s' * (second.size != 1)}"
    _need_triple(called(merged, _triple(first), _triple(second)), np.concatenate([first, second]), what)


@exercise
def exercise_3(merged):
    """The triple of two parts together."""
    yield "it is a function of two triples"
    need_function(merged, 2)
    yield "parts of the same size and the same mean"
    _need_merged(merged, _VALUES[:30], _VALUES[29::-1])
    yield "parts of the same size and different means"
    _need_merged(merged, _VALUES[:30], _VALUES[30:60] + 10)
    yield "parts of different sizes"
    _need_merged(merged, _VALUES[:80], _VALUES[80:] - 10)
    _need_merged(merged, _VALUES[:1], _VALUES[1:2])
    yield "one of them is empty"
    _need_merged(merged, _VALUES[:0], _VALUES)
    _need_merged(merged, _VALUES, _VALUES[:0])
    yield "both are empty"
    _need_merged(merged, _VALUES[:0], _VALUES[:0])
    yield "large values that are close together"
    _need_merged(merged, 1e8 + _VALUES[:20], 1e8 + _VALUES[20:])


@exercise
def exercise_4(generators):
    """A generator for each task."""
    yield "it is a function of seed and tasks"
    need_function(generators, 2)

    def drawn(seed, tasks):
        """The first numbers of each generator."""
        result = called(generators, seed, tasks)
        what = call_text(generators, (seed, tasks))
        if not isinstance(result, list) or len(result) != tasks:
            raise NotRight(f"{what} gave {type(result).__name__}"
                           f"{f' of {len(result)}' if hasattr(result, '__len__') else ''}; a list of {tasks} is asked for.")
        for one in result:
            if not isinstance(one, np.random.Generator):
                raise NotRight(f"{what} has a {type(one).__name__} in its list; it is to have Generators.")
        return [tuple(one.random(2)) for one in result]
    yield "a list of generators"
    first = drawn(7, 5)
    yield "the same seed gives the same numbers again"
    if drawn(7, 5) != first:
        raise NotRight("Two lists of the seed 7 give different numbers.")
    yield "another seed gives others"
    if drawn(8, 5) == first:
        raise NotRight("The seeds 7 and 8 give the same numbers.")
    yield "no two tasks have the same numbers"
    if len(set(first)) < 5:
        raise NotRight(f"Of 5 generators of the seed 7 only {len(set(first))} are different.")
    yield "nor do tasks of neighbouring seeds"
    shared = set(first) & set(drawn(8, 5) + drawn(9, 5) + drawn(6, 5))
    if shared:
        raise NotRight(f"{len(shared)} of the 5 generators of the seed 7 are also among those of the seeds 6, 8 and 9.")
    yield "the first are the same, however many tasks there are"
    if drawn(7, 9)[:5] != first:
        raise NotRight("The first 5 generators of 9 give other numbers than the 5 of 5.")
    yield "no tasks"
    drawn(7, 0)


def _weighted(radius):
    """A function of an array whose results depend on so many neighbours on either side, and on where the array ends."""
    weights = np.arange(1.0, 2 * radius + 2)

    def function(values):
        return np.convolve(np.pad(values, radius, mode="edge"), weights, mode="valid") if values.size else values.copy()
    return function


def _parts_sent(in_parts, n, parts, radius):
    """The sizes of the arrays of each call of run, where the result is right; and what was tried."""
    sent, values, function = [], np.random.default_rng(5).normal(size=n), _weighted(radius)

    def run(given, arrays):
        arrays = list(arrays)
        sent.append([array.size for array in arrays])
        return [given(array) for array in arrays]
    what = f"{n} values in {parts} part{'s' * (parts > 1)}, radius {radius}"
    try:
        result = in_parts(run, function, values.copy(), parts, radius)
    except Exception as error:
        raise NotRight(f"{what} raised {reason(error)}") from None
    same(result, function(values), what, tolerance=1e-9)
    return sent, what


@exercise
def exercise_5(in_parts):
    """A function of neighbours, applied to an array in parts."""
    yield "it is a function of run, function, values, parts and radius"
    need_function(in_parts, 5)
    yield "one part"
    _parts_sent(in_parts, 40, 1, 2)
    yield "a function that needs no neighbours"
    _parts_sent(in_parts, 40, 4, 0)
    yield "neighbours"
    _parts_sent(in_parts, 40, 4, 1)
    _parts_sent(in_parts, 40, 2, 3)
    yield "parts that are not all of the same size"
    _parts_sent(in_parts, 37, 4, 2)
    yield "parts that are shorter than the halo"
    _parts_sent(in_parts, 20, 10, 5)
    yield "more parts than values, and no values"
    for n in (3, 0):
        sent, what = _parts_sent(in_parts, n, 5, 2)
        if 0 in sum(sent, []) or len(sum(sent, [])) > n:
            raise NotRight(f"{what}: {len(sum(sent, []))} arrays went to run; {n} have elements of their own.")
    yield "all parts go to run, once, with no more than they need"
    sent, what = _parts_sent(in_parts, 40, 4, 2)
    if len(sent) != 1:
        raise NotRight(f"{what}: run was called {len(sent)} times.")
    if len(sent[0]) != 4 or max(sent[0]) > 10 + 2 * 2:
        raise NotRight(f"{what}: arrays of {', '.join(map(str, sent[0]))} values were sent.")


def _with_losses(all_results, tasks, lost, tries):
    """Each task is lost as often as `lost` says: the result, or a ConnectionError; what was submitted; what was tried."""
    submitted = []

    def submit(task):
        submitted.append(task)
        if submitted.count(task) <= lost.get(task, 0):
            raise ConnectionError(f"the worker of task {task} is gone")
        return task * task
    text = f"tasks {tasks}, of which {', '.join(f'{task} is lost {n} times' for task, n in lost.items()) or 'none is lost'}"
    text = f"{text}, {tries} tries"
    try:
        result = all_results(submit, tasks, tries)
    except ConnectionError as error:
        result = error
    except Exception as error:
        raise NotRight(f"{text}: raised {reason(error)}") from None
    return result, submitted, text


@exercise
def exercise_6(all_results):
    """The results of tasks some of which get lost."""
    yield "it is a function of submit, tasks and tries"
    need_function(all_results, 3)

    def need_results(tasks, lost, tries):
        result, submitted, text = _with_losses(all_results, tasks, lost, tries)
        if isinstance(result, ConnectionError):
            raise NotRight(f"{text}: ConnectionError was raised, with a try left.")
        if result != [task * task for task in tasks]:
            raise NotRight(f"{text}: the results are {result}; {[task * task for task in tasks]} is right.")
        for task in tasks:
            if submitted.count(task) != lost.get(task, 0) + 1:
                raise NotRight(f"{text}: task {task} was submitted {submitted.count(task)} times.")
    yield "nothing is lost"
    need_results([3, 1, 2], {}, 3)
    yield "no tasks"
    need_results([], {}, 3)
    yield "lost once"
    need_results([3, 1, 2], {1: 1}, 3)
    yield "each task has its own tries"
    need_results([5, 6, 7, 8], {5: 2, 6: 2, 8: 1}, 3)
    yield "lost at each try"
    result, submitted, text = _with_losses(all_results, [4, 9], {9: 9}, 3)
    if not isinstance(result, ConnectionError):
        raise NotRight(f"{text}: the result is {result}; the last ConnectionError is to be raised.")
    if submitted.count(9) != 3:
        raise NotRight(f"{text}: task 9 was submitted {submitted.count(9)} times.")
    yield "other errors are no lost workers"
    asked = []

    def broken(task):
        asked.append(task)
        return 1 // task
    raised(all_results, ZeroDivisionError, broken, [2, 0, 1], 3)
    if asked.count(0) != 1:
        raise NotRight(f"A task that divides by zero was submitted {asked.count(0)} times: it will fail as often as it is tried.")
