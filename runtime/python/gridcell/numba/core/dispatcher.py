# SPDX-License-Identifier: MIT
"""The less used methods of jitted functions: overloads, inspection, statistics; and threads."""
import sys
from collections import Counter, OrderedDict

from gridcell import _gridcell as _extension

Dispatcher = _extension.CPUDispatcher

def _method(function):
    setattr(Dispatcher, function.__name__, function)
    return function


class CompileResult:
    """One compiled version of a function."""

    def __init__(self, dispatcher, signature, objectmode, milliseconds):
        self.signature = signature
        self.objectmode = objectmode
        self.entry_point = dispatcher
        self.lifted = ()
        self.metadata = _metadata(milliseconds)

    def __repr__(self):
        return f"CompileResult(signature={self.signature}, objectmode={self.objectmode})"


def _metadata(milliseconds):
    return {
        "parfor_diagnostics": None,
        "parfors": {},
        "pipeline_times": {"nopython": OrderedDict(compile=milliseconds / 1000)},
        "prune_stats": {},
        "llvm_pass_timings": None,
        "timers": {"compiler_lock": milliseconds / 1000, "llvm_lock": 0.0},
    }


def _overloads(self):
    return OrderedDict(
        (signature.args, CompileResult(self, signature, not compiled, milliseconds))
        for signature, compiled, milliseconds in self._overload_list())


Dispatcher.overloads = property(_overloads, doc="argument types -> what was compiled for them")


_compile_types = Dispatcher.compile


@_method
def compile(self, sig):
    """Compile for one signature ahead of any call; gives what is called then, the function."""
    from numba.core.decorators import parse_signature
    sig = parse_signature(sig)
    if not self._can_compile and sig.args not in self.signatures:
        raise RuntimeError("compilation disabled")
    _compile_types(self, sig)
    return self


@_method
def __copy__(self):
    """Functions are not copied by Python either."""
    return self


@_method
def __deepcopy__(self, memo):
    """Functions are not copied by Python either."""
    return self


@_method
def get_function_type(self):
    """The FunctionType of a function that is declared with one signature; else None."""
    signatures = self.nopython_signatures
    if self._can_compile or len(signatures) != 1:
        return None
    return _extension.FunctionType(signatures[0])


@_method
def fold_argument_types(self, args, kws):
    """(signature of the Python function, types by its parameters) for a call."""
    import inspect
    from numba.core.types import Omitted
    python = inspect.signature(self.py_func)
    bound = python.bind(*args, **kws)
    folded = []
    for name, parameter in python.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            folded.append(_extension.Tuple(bound.arguments.get(name, ())))
        else:
            folded.append(bound.arguments[name] if name in bound.arguments
                          else Omitted(parameter.default))
    return python, tuple(folded)


@_method
def dump(self, tab=""):
    """Print what the function was compiled for."""
    print(f"{tab}DUMP {type(self).__name__}[{self.py_func.__name__}]")
    for signature in self.nopython_signatures:
        print(f"{tab}  {signature}")
    print(f"{tab}END DUMP {type(self).__name__}[{self.py_func.__name__}]")


_NOT_OFFERED = {
    "typingctx": "typing is in C here: numba.typeof(value) and f.nopython_signatures tell types",
    "targetctx": "there is no llvmlite: f.inspect_llvm() shows the code",
    "get_call_template": "typing is in C here: f.compile(types) finds the overload for types",
    "add_overload": "f.compile(types) adds an overload; numba.extending.overload implements a "
                    "function by types",
}


def _not_offered(name):
    def fail(self):
        raise AttributeError(f"gridcell's dispatchers have no {name}: {_NOT_OFFERED[name]}")
    return property(fail, doc="Not offered: raises AttributeError that says what is.")


for _name in _NOT_OFFERED:
    setattr(Dispatcher, _name, _not_offered(_name))
Dispatcher.doc = property(lambda self: self.py_func.__doc__, doc="The docstring.")


@_method
def get_compile_result(self, sig):
    return self.overloads[getattr(sig, "args", sig)]


@_method
def get_overload(self, sig):
    return self.overloads[getattr(sig, "args", sig)].entry_point


def _each(self, what, signature):
    if signature is not None:
        return what(signature)
    return {args: what(args) for args in self.signatures}


@_method
def inspect_llvm(self, signature=None):
    """The optimised LLVM IR: a dict by argument types, or the text for one signature."""
    return _each(self, lambda args: self._inspect("llvm", args), signature)


@_method
def inspect_asm(self, signature=None):
    """The machine code as assembly: a dict by argument types, or the text for one signature."""
    return _each(self, lambda args: self._inspect("asm", args), signature)


_CFG_OPTIONS = ("filename", "view", "render_format", "highlight", "interleave", "strip_ir",
                "show_key", "fontsize")


@_method
def inspect_cfg(self, signature=None, show_wrapper=None, **kws):
    """The control-flow graph: a dict by argument types, or the graph for one signature."""
    for key in kws:
        if key not in _CFG_OPTIONS:
            raise ValueError(f"Unexpected key in kwarg: {key}")
    from numba.core.codegen import _CFG
    return _each(self, lambda args: _CFG(self._inspect("dot", args), self._inspect("svg", args)), signature)


@_method
def inspect_disasm_cfg(self, signature=None):
    """The graph, as inspect_cfg."""
    return self.inspect_cfg(signature)


def _types_text(self, args):
    """The text of inspect_types for one signature."""
    types = ", ".join(map(str, getattr(args, "args", args)))
    return (f"{self.py_func.__name__} ({types})\n{'-' * 80}\n"
            f"{self._inspect('types', args)}{'=' * 80}\n")


class Annotate:
    """The typed source of a function, for a notebook."""

    def __init__(self, function, signature=None, **kws):
        self.texts = {args: _types_text(function, args)
                      for args in ([signature] if signature else function.signatures)}

    def __repr__(self):
        return "\n".join(self.texts.values())

    def _repr_html_(self):
        import html
        return "".join(f"<pre>{html.escape(text)}</pre>" for text in self.texts.values())


@_method
def inspect_types(self, file=None, signature=None, pretty=False, style="default", **kwargs):
    """Print the source with the type of each value under its line."""
    if pretty:
        if file is not None:
            raise ValueError("`file` must be None if `pretty=True`")
        return Annotate(self, signature)
    file = sys.stdout if file is None else file
    for args in ([signature] if signature is not None else self.signatures):
        print(_types_text(self, args), end="", file=file)


@_method
def get_annotation_info(self, signature=None):
    return OrderedDict((args, {"text": _types_text(self, args)})
                       for args in ([signature] if signature else self.signatures))


@_method
def get_metadata(self, signature=None):
    """Figures of the compilation: a dict by argument types, or those of one signature."""
    return _each(self, lambda args: self.get_compile_result(args).metadata, signature)


@_method
def parallel_diagnostics(self, signature=None, level=1):
    """Print which loops run on several threads, what they add up, and why others do not."""
    signatures = self.nopython_signatures
    for args, notes in zip([s.args for s in signatures], _extension.loop_notes(self)):
        if signature is None or tuple(args) == tuple(getattr(signature, "args", signature)):
            print(_describe_loops(self.py_func, notes, level))


def _describe_loops(function, notes, level):
    import inspect
    code = function.__code__
    title = f" Parallel Accelerator Optimizing:  Function {function.__name__}, " \
            f"{code.co_filename} ({code.co_firstlineno})  "
    lines = ["", "=" * 80, title, "=" * 80, "",
             f"Parallel loop listing for  Function {function.__name__}, "
             f"{code.co_filename} ({code.co_firstlineno}) "]
    source, first = inspect.getsourcelines(function)
    marks, numbers, count = {}, [], 0
    for line, _, _, text in notes:  # each operation of an array expression was a loop of its own
        loops = max(text.count("("), 1) if text and text.startswith("array operation: ") else 1
        numbers.append(list(range(count, count + loops)))
        count += loops
        marks.setdefault(line, []).extend(f"#{number}" for number in numbers[-1])
    width = max([len(text.rstrip()) for text in source] + [40])
    lines.append("-" * width + "|loop #ID")
    for line, text in enumerate(source, first):
        text = text.rstrip("\n")
        mark = ", ".join(marks.get(line, ()))
        lines.append(f"{text:-<{width}}| {mark}" if mark else f"{text:<{width}}| ")
    lines.append("-" * 30 + " After Optimisation " + "-" * 30)
    if not notes:
        lines.append("No loop runs in parallel.")
    elif count == len(notes):
        lines.append("Parallel structure is already optimal.")
    region = 0
    for (number, *fused), (line, is_parallel, reason_line, text) in zip(numbers, notes):
        if is_parallel:
            with_loops = f", fused with loop(s): {', '.join(map(str, fused))}" if fused else ""
            lines += [f"Parallel region {region}:", f"+--{number} (parallel{with_loops})"]
            if fused:
                lines.append(f"Parallel region {region} (loop #{number}) had {len(fused)} loop(s) fused.")
            region += 1
            if text and level > 1:
                lines.append(f"   {text}")
        else:
            lines.append(f"Loop #{number} (line {line}) runs turn after turn, for line "
                         f"{reason_line}: {text}.")
    lines.append("-" * 80)
    return "\n".join(lines)


@_method
def typeof_pyval(self, value):
    return _extension.typeof(value)


def _stats(self):
    from numba.core.codegen import _CompileStats
    cache = getattr(self, "_cache", None)  # which kernels do not have
    if getattr(cache, "path", None) is not None:
        return _CompileStats(cache.path, cache.hits.copy(), cache.misses.copy())
    misses = Counter({args: 1 for args in self.signatures})
    return _CompileStats(cache_path=None, cache_hits=Counter(), cache_misses=misses)


def _cache_of(self):
    from numba.core import caching
    return caching.cache_of(self)


def _set_cache(self, cache):
    from numba.core import caching
    caching.set_cache(self, cache)


Dispatcher._cache = property(_cache_of, _set_cache, doc="where its code is kept on disk")
Dispatcher.stats = property(_stats, doc="how often the cache was hit and missed")
Dispatcher.is_compiling = property(lambda self: False)


@_method
def enable_caching(self):
    """Keep code that is compiled from now on on disk, as cache=True does."""
    from numba.core import caching
    caching.attach(self)


# --- loops and threads -----------------------------------------------------------------------

class prange:
    """range, of which the iterations may run in any order."""

    __gridcell_builtin__ = "numba.prange"

    def __new__(cls, *args):
        return range(*args)


class pndindex:
    """pndindex(shape)

    np.ndindex, under the name that parallel loops have it: the indices of an array of that shape.

    shape: a tuple of integers, or the integers. Gives tuples. Raises as np.ndindex does.

    Example:
        @njit
        def trace(a):
            total = 0.0
            for i, j in pndindex(a.shape):
                if i == j:
                    total += a[i, j]
            return total

        assert trace(np.eye(3)) == 3
    """

    __gridcell_builtin__ = "numpy.ndindex"

    def __new__(cls, *args):
        import numpy
        return numpy.ndindex(*args)


class literal_unroll:
    """literal_unroll(tuple)

    Loops over a tuple of values of different types: compiled code has the loop's body once for each.

    tuple: a tuple. Gives the tuple itself in plain Python. Raises nothing.

    Example:
        @njit
        def total(pairs):
            result = 0.0
            for x in literal_unroll(pairs):
                result += x
            return result

        assert total((1, 2.5, True)) == 4.5
    """

    __gridcell_builtin__ = "numba.literal_unroll"

    def __new__(cls, items):
        return items


class literally:
    """literally(value)

    The value itself: compiled code of ours needs no literals for arguments.

    value: anything. Gives the value. Raises nothing.

    Example:
        assert numba.literally(3) == 3
    """

    __gridcell_builtin__ = "numba.literally"

    def __new__(cls, value):
        return value


def get_num_threads():
    """How many threads parallel code uses."""
    return _extension.thread_count()[0]


def set_num_threads(n):
    """Set how many threads parallel code uses: 1 to the number of processors."""
    _extension.set_thread_count(n)


get_num_threads.__gridcell_builtin__ = "numba.get_num_threads"
set_num_threads.__gridcell_builtin__ = "numba.set_num_threads"


def threading_layer():
    """The name of what runs threads: a pool with work stealing, safe to fork and to nest."""
    return "workqueue"


def get_thread_id():
    """The number of the thread in the parallel loop that it runs; 0 outside of one."""
    return _extension.thread_number()


get_thread_id.__gridcell_builtin__ = "numba.get_thread_id"


def get_parallel_chunksize():
    """How many turns of a parallel loop are one piece of work; 0: as many as suit."""
    return _extension.chunk_turns()


def set_parallel_chunksize(n):
    """Set how many turns of this thread's parallel loops are one piece of work.

    Returns what it was."""
    return _extension.chunk_turns(n)


get_parallel_chunksize.__gridcell_builtin__ = "numba.get_parallel_chunksize"
set_parallel_chunksize.__gridcell_builtin__ = "numba.set_parallel_chunksize"


class parallel_chunksize:
    """Set the chunk size in a with block."""

    __gridcell_builtin__ = "numba.parallel_chunksize"

    def __init__(self, n):
        self._turns = n

    def __enter__(self):
        self._before = set_parallel_chunksize(self._turns)

    def __exit__(self, *exception):
        set_parallel_chunksize(self._before)


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
