# SPDX-License-Identifier: MIT
"""%xray, %%xray and %roofline: the launches of a statement or cell, with what their kernels cost a GPU."""
import re

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

_USES = {
    "xray": "%xray [-d GPU] [-o] kernel[grid, block](arguments), or %%xray over a cell of launches",
    "roofline": "%roofline [--gpu NAME] [-o] kernel[grid, block](arguments), or %%roofline over a cell of launches",
}


def _options(line, magic):
    """(name of a GPU or None, whether the results are returned, the statement)."""
    device, is_returned, rest = None, False, line.strip()
    while True:
        option = re.match(r"(?:(-o)|(?:-d|--device|--gpu)(?:\s+|=)(\S+))(?:\s+|$)", rest)
        if not option:
            break
        is_returned = is_returned or bool(option[1])
        device = option[2] or device
        rest = rest[option.end():]
    if re.match(r"--?[a-z]", rest):
        raise UsageError(f"%{magic} has no option {rest.split()[0]}; it is {_USES[magic]}")
    return device, is_returned, rest


def _observe(line, cell, magic, show):
    """Runs the launches of a line and a cell; shows their results where all is done, or what there is of them when
    an interrupt came. (results, whether they are returned)"""
    from gridcell.cuda.observing import Observing
    device, is_returned, statement = _options(line, magic)
    code = "\n".join(part for part in (statement, cell) if part)
    if not code.strip():
        raise UsageError(f"there is no launch: {_USES[magic]}")
    try:
        observing = Observing(device)
    except (RuntimeError, ValueError) as error:
        raise UsageError(str(error)) from None
    is_done = False
    try:
        with observing:
            kernel.run_cell(code)
        is_done = True
    finally:
        if observing.results and (is_done or any(result.is_interrupted for result in observing.results)):
            show(observing.results)
    if not observing.results:
        raise UsageError(f"no kernel was launched: {_USES[magic]}")
    return observing.results, is_returned


def xray(line, cell=None):
    """%xray [-d GPU] [-o] launch: what each line of a kernel costs memory and warps; %%xray: of each launch
    of a cell. -d: the GPU that is modelled; -o: returns the result, of several launches a list."""
    from IPython.display import display
    results, is_returned = _observe(line, cell, "xray", lambda results: display(*results))
    if is_returned:
        return results[0] if len(results) == 1 else results


def roofline(line, cell=None):
    """%roofline [--gpu NAME] [-o] launches: how far kernels are below what the memory and the arithmetic of a GPU
    allow, by their counts and a model; several of them with ; between, or with %%roofline a cell. -o: returns it."""
    from IPython.display import display
    shown = []

    def show(results):
        shown.append(results[0].roofline(*results[1:]))
        display(shown[0])

    _, is_returned = _observe(line, cell, "roofline", show)
    if is_returned:
        return shown[0]
