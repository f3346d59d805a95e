# SPDX-License-Identifier: MIT
"""forceobj=True of vectorize and guvectorize: for each item, or part, the interpreter runs the function."""
import inspect
import threading

from gridcell.cuda.generated import define, identifier
from numba.core.objmode import objmode


def run_on_items(function, result):
    """A function to compile, which has the interpreter run `function`; `result` is the type of what it returns."""
    names = [f"a{number}" for number in range(len(inspect.signature(function).parameters))]
    given = ", ".join(names)
    return _define(function, names, f"    with objmode(r=result):\n        r = python({given})\n    return r\n",
                   {"result": result})


def run_on_parts(function, types, written):
    """The same for arguments of which some are filled: the interpreter has copies of those, which are copied back.

    What the function raises goes on after that, so that what it had filled stays."""
    names = [f"a{number}" for number in range(len(types))]
    filled = {f"t{number}": types[number].copy(layout="C", readonly=False) for number in written}
    outputs = "".join(f"r{name[1:]}={name}, " for name in filled)
    copies = "".join(f"        r{number} = a{number}.copy()\n" for number in written)
    given = ", ".join(f"r{number}" if number in written else name for number, name in enumerate(names))
    back = "".join(f"    a{number}[...] = r{number}\n" for number in written)
    body = (f"    with objmode({outputs}failed='boolean'):\n{copies}        failed = fails({given})\n{back}"
            "    if failed:\n        with objmode():\n            go_on()\n")
    return _define(function, names, body, {**filled, **_keeping(function)})


def _keeping(function):
    """{"fails": calls the function and says whether it raised, "go_on": raises that, in the same thread}."""
    kept = threading.local()

    def fails(*args):
        try:
            function(*args)
        except BaseException as error:
            kept.error = error
            return True
        return False

    def go_on():
        error, kept.error = kept.error, None
        raise error
    return {"fails": fails, "go_on": go_on}


def _define(function, names, body, namespace):
    name = identifier(function.__name__)
    made = define(name, f"def {name}({', '.join(names)}):\n{body}", {"python": function, "objmode": objmode, **namespace})
    made.__doc__, made.__module__, made.__qualname__ = function.__doc__, function.__module__, function.__qualname__
    return made


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
