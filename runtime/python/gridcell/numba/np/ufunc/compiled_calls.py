# SPDX-License-Identifier: MIT
"""What compiled code calls where it names a gufunc: a loop over the axes that the layout leaves."""
from gridcell import _gridcell as _extension
from numba.core.decorators import compiler_options


def _define(name, text, namespace):
    from gridcell.cuda.generated import define
    told = compiler_options({"nopython": True, "error_model": "numpy"})
    return _extension.CPUDispatcher(define(name, text, namespace), told, {})


def _part(ndim, first_ndim, namespace):
    """part(a, i, first): of an operand, what belongs to turn i over the first output."""
    return _define("part", f"""\
def part(a, i, first):
    if np.ndim(a) - {ndim} < np.ndim(first) - {first_ndim}:
        return a
    elif a.shape[0] == 1:
        return a[0]
    else:
        return a[i]
""", namespace)


def _value_part(first_ndim, namespace):
    """The same of an input without dimensions that the function takes as an array of one."""
    return _define("part", f"""\
def part(a, i, first):
    if np.ndim(a) == 0:
        return np.full(1, value(a))
    elif np.ndim(a) < np.ndim(first) - {first_ndim}:
        return a
    elif a.shape[0] == 1:
        return a[0:1]
    else:
        return a[i:i + 1]
""", namespace)


def _single(namespace):
    return _define("single", """\
def single(a):
    if np.ndim(a) == 0:
        return np.full(1, value(a))
    else:
        return a
""", namespace)


def _loop_check(ndim, first_ndim, namespace):
    """fits(a, first): refuses an operand whose axes in front do not go with those of the first output."""
    return _define("fits", f"""\
def fits(a, first):
    if np.ndim(a) > {ndim}:
        for j in range(np.ndim(a) - {ndim}):
            extent = a.shape[np.ndim(a) - {ndim} - 1 - j]
            at = np.ndim(first) - {first_ndim} - 1 - j
            if at < 0:
                raise ValueError("Loop and array shapes are incompatible")
            elif extent != 1 and extent != first.shape[at]:
                raise ValueError("Loop and array shapes are incompatible")
""", namespace)


def _checks(builder, names):
    """(lines, functions by name) that refuse operands whose shapes contradict one another."""
    import numpy as np
    lines, functions, seen = [], {"np": np}, set()
    first, first_ndim = names[len(builder.inputs)], len(builder.outputs[0])
    for number, (name, dims) in enumerate(zip(names, builder.operands)):
        functions[f"fits{number}"] = _loop_check(len(dims), first_ndim, {"np": np})
        if name != first:
            lines.append(f"fits{number}({name}, {first})")
        for k, dim in enumerate(dims):
            extent = f"{name}.shape[np.ndim({name}) - {len(dims) - k}]"
            wanted = dim if dim in seen or str(dim).isdigit() else None
            seen.add(dim)
            if wanted is None:
                lines.append(f"core_{dim} = {extent}")
                continue
            wanted = wanted if str(dim).isdigit() else f"core_{dim}"
            lines.append(f"if {extent} != {wanted}:")
            lines.append("    raise ValueError('Operand has a mismatch in one of its core dimensions')")
    return lines, functions


def call_function(builder, types):
    """A jitted function that takes inputs and outputs as the gufunc does, and fills the outputs."""
    import numpy as np
    from gridcell.library.elementwise import value
    count = len(builder.operands)
    names = [f"a{number}" for number in range(count)]
    first, first_ndim = names[len(builder.inputs)], len(builder.outputs[0])
    base = {"np": np, "value": value}
    space = {"np": np, "core": builder.core, "single": _single(dict(base))}
    inner, outer, whole = [], [], []
    for number, (name, dims) in enumerate(zip(names, builder.operands)):
        space[f"part{number}"] = _part(len(dims), first_ndim, dict(base))
        part = f"part{number}({name}, i, {first})"
        outer.append(part)
        is_output = number >= len(builder.inputs)
        if is_output and not dims:
            inner.append(f"{name}[i:i + 1]")
            whole.append(f"{name}.reshape(1)")
        elif not dims and types and hasattr(types[number], "ndim"):
            space[f"one{number}"] = _value_part(first_ndim, dict(base))
            inner.append(f"one{number}({name}, i, {first})")
            whole.append(f"single({name})")
        else:
            inner.append(part)
            whole.append(name)
    arguments = ", ".join(names)
    function = _define("gufunc", f"""\
def gufunc({arguments}):
    if np.ndim({first}) == {first_ndim}:
        core({", ".join(whole)})
    elif np.ndim({first}) == {first_ndim + 1}:
        for i in range({first}.shape[0]):
            core({", ".join(inner)})
    else:
        for i in range({first}.shape[0]):
            gufunc({", ".join(outer)})
""", space)
    space["gufunc"] = function
    lines, functions = _checks(builder, names)
    body = "\n".join("    " + line for line in [*lines, f"gufunc({arguments})"])
    return _define("checked", f"def checked({arguments}):\n{body}\n", {**functions, "gufunc": function})
