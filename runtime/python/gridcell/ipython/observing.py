# SPDX-License-Identifier: MIT
"""Magics about launches: %xray, %roofline, %%compare_kernels, %%gpu_timeline."""
import re

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

_USES = {
    "xray": "%xray [-d GPU] [-o] kernel[grid, block](arguments), or %%xray over a cell of launches",
    "roofline": "%roofline [--gpu NAME] [-o] kernel[grid, block](arguments), or %%roofline over a cell of launches",
    "compare_kernels": "%%compare_kernels [-d GPU] [-r RUNS] [-o] over a cell of launches on the same data",
    "gpu_timeline": "%%gpu_timeline [-s FILE.json] [-o] over a cell",
}


_DEVICE = "-d|--device|--gpu"


def _parsed(line, magic, flags):
    """({the first name of a flag: its value}, the rest of the line); flags: names that take a value, by |."""
    found, rest = {}, line.strip()
    pattern = re.compile(rf"(?:(-o)|({'|'.join(flags)})(?:\s+|=)(\S+))(?:\s+|$)")
    while option := pattern.match(rest):
        name = option[1] or next(flag for flag in flags if option[2] in flag.split("|"))
        found[name.split("|")[0]] = option[3] or True
        rest = rest[option.end():]
    missing = re.fullmatch("|".join(flags), rest)
    if missing:
        raise UsageError(f"{missing[0]} takes a value; it is {_USES[magic]}")
    if re.match(r"--?[a-z]", rest):
        raise UsageError(f"%{magic} has no option {rest.split()[0]}; it is {_USES[magic]}")
    return found, rest


def _no_launch(magic):
    return f"no kernel was launched: {_USES[magic]}"


def _code(statement, cell, magic):
    code = "\n".join(part for part in (statement, cell) if part)
    if not code.strip():
        raise UsageError(f"there is no launch: {_USES[magic]}")
    return code


def _observe(line, cell, magic, observer, show):
    """Runs the launches of a line and a cell; shows their results where all is done, or what there is of them when
    an interrupt came. (results, whether they are returned)"""
    options, statement = _parsed(line, magic, [_DEVICE])
    code = _code(statement, cell, magic)
    try:
        observing = observer(options.get("-d"))
    except (RuntimeError, ValueError) as error:
        raise UsageError(str(error)) from None
    is_done = False
    try:
        with observing:
            kernel.run_cell(code, cell is None)  # of a line nobody wants to see a value
        is_done = True
    finally:
        if observing.results and (is_done or any(result.is_interrupted for result in observing.results)):
            show(observing.results)
    if not observing.results:
        raise UsageError(_no_launch(magic))
    return observing.results, "-o" in options


_MOST_SHOWN = 10


def _show_some(results):
    """The first ones, and one that an interrupt ended."""
    from IPython.display import display
    shown = results[:_MOST_SHOWN] + [result for result in results[_MOST_SHOWN:] if result.is_interrupted]
    display(*shown)
    if len(shown) < len(results):
        print(f"{len(results) - len(shown):,} more launches are not shown; %%xray -o returns all of them")


def xray(line, cell=None):
    """%xray [-d GPU] [-o] launch: what each line of a kernel costs memory and warps; %%xray: of each launch
    of a cell. -d: the GPU that is modelled; -o: returns the result, of several launches a list."""
    from gridcell.cuda.observing import Observing
    results, is_returned = _observe(line, cell, "xray", Observing, _show_some)
    if is_returned:
        return results[0] if len(results) == 1 else results


def roofline(line, cell=None):
    """%roofline [--gpu NAME] [-o] launches: how far kernels are below what the memory and the arithmetic of a GPU
    allow, by their counts and a model, and by their times where that GPU is there; several of them with ; between, or with %%roofline a cell. -o: returns it."""
    from IPython.display import display
    from gridcell.insight.measuring import Measuring
    shown = []

    def show(results):
        shown.append(results[0].roofline(*results[1:]))
        display(shown[0])

    _, is_returned = _observe(line, cell, "roofline", Measuring, show)
    if is_returned:
        return shown[0]


def compare_kernels(line, cell=None):
    """%%compare_kernels [-d GPU] [-r RUNS] [-o]: the launches of a cell as variants of one kernel, each tried on the
    data that is there at first: right or not, time on the device, and what the counts of %xray say differently."""
    from IPython.display import display
    from gridcell.insight.comparing import Comparing
    options, statement = _parsed(line, "compare_kernels", [_DEVICE, "-r"])
    code = _code(statement, cell, "compare_kernels")
    runs = str(options.get("-r", 9))
    if not runs.isdigit() or not int(runs):
        raise UsageError(f"-r takes a number of runs, not {runs!r}; it is {_USES['compare_kernels']}")
    try:
        comparing = Comparing(options.get("-d"), int(runs))
    except ValueError as error:
        raise UsageError(str(error)) from None
    try:
        with comparing:
            kernel.run_cell(code)
    finally:  # also what there is before a variant that fails
        comparison = comparing.comparison() if comparing.count else None
        if comparison:
            display(comparison)
    if not comparison:
        raise UsageError(_no_launch("compare_kernels"))
    if "-o" in options:
        return comparison


def gpu_timeline(line, cell=None):
    """%%gpu_timeline [-s FILE.json] [-o]: what a cell does on host and device, in time: compilation, copies, launches,
    kernels, waiting. -s writes a trace that Perfetto opens, -o returns the timeline."""
    from IPython.display import display
    from gridcell.insight.timeline import Recording
    options, statement = _parsed(line, "gpu_timeline", ["-s"])
    code = _code(statement, cell, "gpu_timeline")
    recording = Recording()
    try:
        with recording:
            kernel.run_cell(code)
    finally:  # also of what a failure or an interrupt ended
        timeline = recording.timeline()
        display(timeline)
    if "-s" in options:
        timeline.save_trace(options["-s"])
    if "-o" in options:
        return timeline
