# SPDX-License-Identifier: MIT
"""The docstrings of numba's functions: arguments, types, errors, one example each.

An entry begins with `=== name`; its first line is the signature. The examples are run by
tests/cuda/test_docstrings.py.
"""

_TEXT = '''
=== jit
jit(signature_or_function=None, locals={}, cache=False, pipeline_class=None, boundscheck=None, **options)

Compiles a function to machine code, for each combination of argument types.

signature_or_function: the function; or a signature, or a list of them, to compile at once: as
    text 'float64(float64)' or as types. Without one, the first call with new types compiles.
locals: types of local variables by name. cache: keep machine code on disk, where later processes
    find it as long as the function, what it calls and its constants are the same.
boundscheck: whether an index out of bounds raises IndexError: each (True), none (False), by default where
    it costs little.
options: nopython, parallel, fastmath, nogil, error_model ('python' or 'numpy'), inline, debug.
Gives a dispatcher, called as the function is; py_func is the function itself.
Raises TypingError when the function has no meaning for the types, UnsupportedError for what
cannot be compiled; without nopython=True such a function runs in the interpreter, with a warning.

Example:
    @jit(nopython=True)
    def total(a):
        result = 0.0
        for x in a:
            result += x
        return result

    assert total(np.ones(10)) == 10
=== njit
njit(signature_or_function=None, **options)

jit with nopython=True: what cannot be compiled raises TypingError or UnsupportedError.

signature_or_function, options: as for jit. Gives a dispatcher, called as the function is.

Example:
    @njit(parallel=True, fastmath=True)
    def norm(a):
        result = 0.0
        for i in prange(a.size):
            result += a[i] * a[i]
        return np.sqrt(result)

    assert norm(np.ones(4)) == 2
=== jit_module
jit_module(**options)

Compiles every function that the calling module defines, as jit would; a call at its end.

options: as for jit. Gives None. Functions that are compiled already stay as they are.

Example:
    def one():
        return 1

    numba.jit_module(nopython=True)
    assert one() == 1
=== vectorize
vectorize(ftylist_or_function=(), target='cpu', identity=None, **options)

Makes a NumPy ufunc of a function of numbers, with broadcasting, reduce, accumulate, at and outer.

ftylist_or_function: the function, compiled for the types it is called with; or signatures, as
    text or types, compiled at once, the narrowest first.
target: 'cpu', 'parallel' (several threads) or 'cuda'. identity: 0, 1, 'reorderable' or None.
Gives a ufunc. Raises TypingError as jit does, TypeError when a call fits no signature,
ValueError for an unknown target.

Example:
    @vectorize(["float64(float64, float64)"])
    def distance(x, y):
        return np.sqrt(x * x + y * y)

    assert distance(3.0, np.array([4.0]))[0] == 5
=== guvectorize
guvectorize(signatures, layout, target='cpu', identity=None, writable_args=(), **options)

Makes a generalised ufunc of a function that fills its last arguments.

signatures: a list of signatures of arrays and numbers, without result; left out (the layout is
    then the only argument): compiled for the types that calls bring, which must give the outputs.
layout: the axes of each argument, such as '(n),(n)->()'; a number is a fixed length.
target: 'cpu', 'parallel' or 'cuda'. writable_args: inputs, by position or name, that the function
    writes to, too.
Gives a gufunc: it loops over all axes that layout does not name. Raises TypingError as jit does,
ValueError when layout or the axes of a call do not fit.

Example:
    @guvectorize(["(float64[:], float64[:], float64[:])"], "(n),(n)->()")
    def dot(a, b, out):
        out[0] = 0.0
        for i in range(a.shape[0]):
            out[0] += a[i] * b[i]

    assert dot(np.ones((2, 3)), np.ones(3)).tolist() == [3, 3]
=== prange
prange(start, stop, step)

range, of which the iterations may run in any order: with parallel=True on several threads.

start, stop, step: integers, as for range. Sums and products of the loop are gathered per thread.

Example:
    @njit(parallel=True)
    def total(a):
        result = 0.0
        for i in prange(a.size):
            result += a[i]
        return result

    assert total(np.ones(100)) == 100
=== literal
literal(value)

The type of a value that is known while compiling.

value: an int, bool, str, slice or tuple of them. Gives a type. Raises TypeError for others.

Example:
    kind = numba.types.literal(3)
=== optional
optional(type)

The type of a value of `type`, or None.

type: a type of numba. Gives a type. Raises TypeError for what is no type.

Example:
    kind = numba.optional(numba.float64)
=== objmode
objmode(**outputs)

In a compiled function, `with objmode(...):` runs its block in the interpreter.

outputs: the variables that the block sets for the function to go on with, each with its type: a type of numba or its name. TypeError is raised when the block gives a value of another type; exceptions of the block go on in the function.

Example:
    @numba.njit
    def f(n):
        with numba.objmode(k='int64'):
            k = len(str(n))
        return k
    assert f(1000) == 4
=== get_num_threads
get_num_threads()

How many threads parallel code of this thread uses. Gives an int.

Example:
    assert numba.get_num_threads() >= 1
=== set_num_threads
set_num_threads(n)

Sets how many threads parallel code of this thread uses.

n: an int from 1 to numba.config.NUMBA_NUM_THREADS; outside it raises ValueError.

Example:
    numba.set_num_threads(1)
=== get_parallel_chunksize
get_parallel_chunksize()

How many iterations a thread takes at a time in parallel code; 0: all are shared out at once.

Gives an int.

Example:
    assert numba.get_parallel_chunksize() >= 0
=== set_parallel_chunksize
set_parallel_chunksize(n)

Sets how many iterations a thread takes at a time in parallel code.

n: an int; 0 shares all out at once. Gives the setting before. Raises ValueError when n is negative.

Example:
    before = numba.set_parallel_chunksize(8)
    numba.set_parallel_chunksize(before)
=== parallel_chunksize
parallel_chunksize(n)

A with-block in which parallel code has this chunk size.

n: an int; 0 shares all out at once. Raises ValueError when n is negative.

Example:
    with numba.parallel_chunksize(4):
        pass
'''


def describe(namespace):
    """Gives the functions in numba's namespace their docstrings."""
    for entry in _TEXT.split("\n=== ")[1:]:
        name, _, text = entry.partition("\n")
        target = namespace.get(name)
        if target is not None:
            target.__doc__ = text.rstrip("\n")
