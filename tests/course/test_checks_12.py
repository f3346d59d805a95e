"""Wrong answers to the exercises of notebook 12, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_12

PRELUDE = "import functools\n"
CLOSE = "large values that are close together"
SPAWN = "np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(tasks)"
AGAIN = "for left in range(tries - 1, -1, -1):"
SENT = "all parts go to run, once, with no more than they need"
SHARED_TRIES = """def all_results(submit, tasks, tries):
    results, left = [], tries - 1
    for task in tasks:
        while True:
            try:
                results.append(submit(task))
                break
            except ConnectionError:
                if left == 0:
                    raise
                left -= 1
    return results
"""
LATER = """def all_results(submit, tasks, tries):
    results, waiting = {}, list(tasks) * tries
    for task in waiting:
        if task not in results:
            try:
                results[task] = submit(task)
            except ConnectionError as error:
                last = error
    if len(results) < len(set(tasks)):
        raise last
    return list(results.values())
"""
WRONG = [
    (1, "predicted = 3.0", "it is a function of work, tasks, workers and overhead", "of type float"),
    (1, ("+ overhead", ""), "one task", "6.5 is right"),
    (1, ("rounds * (work / tasks + overhead)", "rounds * work / tasks + overhead"),
     "several tasks for one worker: each has its overhead"),
    (1, ("rounds * (work / tasks + overhead)", "work / tasks + rounds * overhead"),
     "several tasks for one worker: each has its overhead"),
    (1, ("-(-tasks // workers)", "tasks"), "several workers that are all busy to the end"),
    (1, ("-(-tasks // workers)", "tasks / workers"), "workers that are idle in the last round"),
    (1, ("-(-tasks // workers)", "max(-(-tasks // workers), 2 if workers > 3 else 1)"), "more workers than tasks"),
    (1, ("    if tasks == 0:\n        return 0.0\n", ""), "no tasks", "ZeroDivisionError"),

    (2, ("@njit", ""), "it is a compiled function of an array", "plain Python function"),
    (2, ("return count, mean, squares", "return mean, count, squares"), "one value"),
    (2, ("return count, mean, squares", "return float(count), mean, squares"), "one value", "it is to be an int"),
    (2, ("return count, mean, squares", "return count, mean, squares / count"), "many values", "item 2"),
    (2, ("(value - mean) ** 2", "value * value"), "one value"),
    (2, ("    squares = 0.0\n", "    squares = -count * mean * mean\n"), "one value"),
    (2, ("    for value in values:\n        squares += (value - mean) ** 2\n",
         "    if count > 1:\n        for value in values:\n            squares += value * value\n"
         "        squares -= count * mean * mean\n"), CLOSE, "100 values about 1e8"),
    (2, ("    if count == 0:\n        return 0, 0.0, 0.0\n", ""), "no values", "ZeroDivisionError"),

    (3, "merged = (1, 2, 3)", "it is a function of two triples", "of type tuple"),
    (3, ("a[2] + b[2]", "a[2]"), "parts of the same size and the same mean"),
    (3, (" + d * d * a[0] * b[0] / count", ""), "parts of the same size and different means", "item 2"),
    (3, ("a[1] + d * b[0] / count", "(a[1] + b[1]) / 2"), "parts of different sizes", "item 1"),
    (3, ("a[1] + d * b[0] / count", "a[1] + d * a[0] / count"), "parts of different sizes"),
    (3, ("    d = b[1]", "    if b[0] == 0:\n        return b\n    d = b[1]"), "one of them is empty"),
    (3, ("    if count == 0:\n        return 0, 0.0, 0.0\n", ""), "both are empty", "ZeroDivisionError"),
    (3, ("a[2] + b[2] + d * d * a[0] * b[0] / count",
         "a[2] + a[0] * a[1] ** 2 + b[2] + b[0] * b[1] ** 2 - (a[0] * a[1] + b[0] * b[1]) ** 2 / count"), CLOSE),

    (4, "generators = []", "it is a function of seed and tasks", "of type list"),
    (4, (f"[{SPAWN}]", f"({SPAWN})"), "a list of generators", "gave generator"),
    (4, (SPAWN, "child for child in np.random.SeedSequence(seed).spawn(tasks)"), "a list of generators", "SeedSequence"),
    (4, ("SeedSequence(seed)", "SeedSequence()"), "the same seed gives the same numbers again"),
    (4, ("SeedSequence(seed)", "SeedSequence(1)"), "another seed gives others"),
    (4, (SPAWN, "np.random.default_rng(seed) for _ in range(tasks)"), "no two tasks have the same numbers",
     "only 1 are different"),
    (4, (SPAWN, "np.random.default_rng(seed + task) for task in range(tasks)"), "nor do tasks of neighbouring seeds"),
    (4, ("SeedSequence(seed)", "SeedSequence([seed, tasks])"), "the first are the same, however many tasks there are"),
    (4, (".spawn(tasks)", ".spawn(max(tasks, 1))"), "no tasks", "a list of 0 is asked for"),

    (5, "in_parts = None", "it is a function of run, function, values, parts and radius", "Not answered yet"),
    (5, ("[first - begin:last - begin]", "[::-1]"), "one part"),
    (5, ("for first, last in zip(edges, edges[1:])", "for first, last in zip(edges, edges[1:-1] + [values.size - parts + 1])"),
     "a function that needs no neighbours", "has the shape"),
    (5, ("max(first - radius, 0)", "first"), "neighbours"),
    (5, ("values[begin:last + radius]", "values[begin:last]"), "neighbours"),
    (5, ("[first - begin:last - begin]", "[radius:-radius] if radius and len(results) > 1 else result"), "neighbours"),
    (5, ("part * values.size // parts", "part * (values.size // parts)"), "parts that are not all of the same size",
     "has the shape (36,)"),
    (5, ("max(first - radius, 0) for", "(first - radius if first >= radius else first) for"),
     "parts that are shorter than the halo"),
    (5, (" if first < last]", "]"), "more parts than values, and no values", "arrays went to run; 3 have"),
    (5, (" if inner else function(values)", ""), "more parts than values, and no values", "at least one array"),
    (5, ("results = run(function, pieces)", "results = [run(function, [piece])[0] for piece in pieces]"), SENT, "called 4 times"),
    (5, "def in_parts(run, function, values, parts, radius):\n    return run(function, [values])[0] if values.size else values\n",
     SENT, "arrays of 40 values were sent"),

    (6, "all_results = []", "it is a function of submit, tasks and tries", "of type list"),
    (6, ("for task in tasks]", "for task in sorted(tasks)]"), "nothing is lost"),
    (6, (AGAIN, "for left in range(tries - 1, -1, -1):\n            submit(task)"), "nothing is lost", "submitted 2 times"),
    (6, ("[result_of(task) for task in tasks]", "[result_of(task) for task in tasks] or None"), "no tasks"),
    (6, (AGAIN, "for left in range(0, -1, -1):"), "lost once", "with a try left"),
    (6, SHARED_TRIES, "each task has its own tries", "with a try left"),
    (6, LATER, "lost once", "the results are"),
    (6, ("                if left == 0:\n                    raise\n", "                pass\n"), "lost at each try", "None"),
    (6, (AGAIN, "for left in range(tries, -1, -1):"), "lost at each try", "submitted 4 times"),
    (6, ("except ConnectionError", "except Exception"), "other errors are no lost workers", "was submitted 3 times"),
]
globals().update(cases_of(12, checks_12, WRONG, PRELUDE))
