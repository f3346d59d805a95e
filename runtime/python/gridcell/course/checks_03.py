# SPDX-License-Identifier: MIT
"""The exercises of notebook 03: looking inside."""
import re

import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, name_of, need_compiled, need_function, raised, same

_VECTOR = r"<(\d+) x (?:double|float|half|i(?!1>)\d+)>"


def need_vectors(answer, *arguments):
    """The version for these arguments, which all have items of 8 bytes, works on several numbers at a time."""
    from numba import typeof
    called(answer, *arguments)
    if not re.search(_VECTOR, answer.inspect_llvm(tuple(map(typeof, arguments)))):
        raise NotRight(f"{name_of(answer)}() is right, and takes one number at a time: there is no vector in its LLVM IR.")


def need_strict(answer):
    if answer.targetoptions.get("fastmath"):
        raise NotRight(f"{name_of(answer)}() has fastmath. The exercise asks for the additions in their order.")


def _text(function, text):
    lines = text.strip("\n").splitlines()
    return f"{name_of(function)}() of this text:\n" + "\n".join(f"    {line}" for line in lines) + "\n"


_ASSEMBLY = """
\t.text
\t.globl\tgc_f_1
\t.type\tgc_f_1,@function
gc_f_1:
.Lgc_f_1$local:
\tmovl\t$1, %ecx
\taddq\t%rsi, %rax
\tmovl\t%ecx, (%rdi)
\tretq
"""
_COMMENTS = """
# a comment alone
\t# another
\tvmulsd\t%xmm0, %xmm1, %xmm0 # addq is no instruction here
\taddq\t$8, %rdi\t# and neither: are these
"""
_SHORT = "\n\n\tretq\nlabel:\n\n \tretq \nother: # with a comment\n\tnop"


@exercise
def exercise_1(instructions):
    """Counts instructions by name."""
    yield "it is a function of a text"
    need_function(instructions, 1)

    def one(text, expected):
        found = called(instructions, text)
        if not isinstance(found, dict):
            raise NotRight(f"{_text(instructions, text)}gave {found!r}; a dict is asked for.")
        if found != expected:
            wrong = sorted(key for key in {*found, *expected} if found.get(key) != expected.get(key))
            raise NotRight(f"{_text(instructions, text)}has a wrong count of {', '.join(map(repr, wrong))}.")
    yield "labels and directives do not count"
    one(_ASSEMBLY, {"movl": 2, "addq": 1, "retq": 1})
    yield "comments do not count"
    one(_COMMENTS, {"vmulsd": 1, "addq": 1})
    yield "empty lines, instructions without operands, labels with comments"
    one(_SHORT, {"retq": 2, "nop": 1})
    yield "no text"
    one("", {})


@exercise
def exercise_2(lanes):
    """The widest vector of an IR."""
    yield "it is a function of a text"
    need_function(lanes, 1)

    def one(text, expected):
        same(called(lanes, text), expected, _text(lanes, text))
    yield "one type"
    one("  %2 = fmul <4 x double> %1, %1", 4)
    one("  store <16 x float> %3, ptr %4, align 4", 16)
    yield "the widest of several"
    one("  %wide = load <8 x i32>, ptr %a\n  %3 = sitofp <4 x i32> %b to <4 x double>\n  %4 = add <2 x i64> %c, %d", 8)
    one("  %a = add <16 x i8> %x, %y\n  %b = add <2 x i64> %x, %y", 16)
    yield "no vectors"
    one("  %2 = fmul double %1, %1\n  %3 = icmp slt i64 %4, %5", 1)
    one("", 1)
    yield "arrays are no vectors"
    one("  %a = alloca [25 x i8], align 16\n  %b = alloca [32 x double]\n  %c = fadd <2 x double> %d, %e", 2)
    yield "vectors of conditions do not count, those of i16 do"
    one("  %m = fcmp ogt <4 x double> %a, %b\n  %s = and <32 x i1> %m, %n", 4)
    one("  %s = add <8 x i16> %m, %n", 8)


@exercise
def exercise_3(dot):
    """A vectorised sum of products."""
    yield "it is a compiled function"
    need_compiled(dot, 2)
    a, b = np.random.default_rng(3).integers(-20, 20, (2, 1003)).astype(np.float64)

    def one(a, b):
        same(called(dot, a, b), float(a @ b), call_text(dot, (a, b)), tolerance=1e-12)
    yield "a few numbers"
    one(np.array([1.0, 2.0, 3.0]), np.array([4.0, 0.5, -1.0]))
    yield "many, also what is left over of the last vector"
    for n in (8, 64, 65, 71, 1003):
        one(a[:n], b[:n])
    yield "one number, and none"
    one(a[:1], b[:1])
    one(a[:0], b[:0])
    yield "different lengths raise ValueError"
    raised(dot, ValueError, a, b[:5])
    raised(dot, ValueError, a[:1], b)
    yield "it is a loop of its own, and vectorised"
    if {"dot", "vdot", "inner", "sum"} & set(dot.py_func.__code__.co_names):
        raise NotRight("It is right, and the loop is somebody else's. Write your own.")
    need_vectors(dot, a, b)


@exercise
def exercise_4(contains):
    """Whether an element is there, by vectors."""
    yield "it is a compiled function"
    need_compiled(contains, 2)
    values = np.arange(10, 1010)

    def one(values, wanted, expected):
        found = called(contains, values, wanted)
        if not isinstance(found, (bool, np.bool_)):
            raise NotRight(f"{call_text(contains, (values, wanted))} gave {found!r}; True or False is asked for.")
        same(found, expected, call_text(contains, (values, wanted)))
    yield "in the middle"
    one(values, 500, True)
    yield "at the beginning and at the end"
    for n in (1, 7, 16, 33, 1000):
        one(values[:n], 10, True)
        one(values[:n], 9 + n, True)
    yield "not there"
    one(values, 5, False)
    one(values[:20], 30, False)
    one(values[:0], 0, False)
    yield "more than once"
    one(np.array([3, 1, 3, 3, 1]), 3, True)
    one(np.array([3, 1, 3, 3, 1]), 1, True)
    yield "the loop is vectorised"
    need_vectors(contains, values, 500)


@exercise
def exercise_5(column_sums):
    """The sums of columns, in order, by vectors."""
    matrix = np.random.default_rng(5).normal(size=(50, 37))
    yield "it is a compiled function"
    need_compiled(column_sums, 1)

    def one(matrix):
        expected = np.zeros(matrix.shape[1])
        for row in matrix:
            expected += row
        same(called(column_sums, matrix), expected, call_text(column_sums, (matrix,)))
    yield "a small matrix"
    one(np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]))
    yield "more columns, or more rows"
    one(matrix)
    one(np.ascontiguousarray(matrix.T))
    yield "one row, one column, nothing"
    one(matrix[:1])
    one(matrix[:, :1].copy())
    one(matrix[:0])
    yield "the additions are in their order"
    need_strict(column_sums)
    one(np.array([[1e16], [1.0], [-1e16], [1.0]] * 20))
    yield "the loop is vectorised"
    need_vectors(column_sums, matrix)


@exercise
def exercise_6(polynomial):
    """Horner's rule at many points, by vectors."""
    yield "it is a compiled function"
    need_compiled(polynomial, 2)
    generator = np.random.default_rng(6)

    def one(coefficients, x):
        same(called(polynomial, coefficients, x), np.polyval(coefficients[::-1], x) + np.zeros(len(x)),
             call_text(polynomial, (coefficients, x)), tolerance=1e-9)
    yield "1 + 2 x + 3 x²"
    one(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0, -1.0]))
    yield "other degrees"
    x = generator.normal(size=203)
    for degree in (1, 5, 12):
        one(generator.normal(size=degree + 1), x)
    yield "a constant"
    one(np.array([7.0]), x)
    yield "no coefficients, no points"
    one(np.zeros(0), x)
    one(np.array([1.0, 2.0]), x[:0])
    yield "without fastmath, and vectorised"
    need_strict(polynomial)
    need_vectors(polynomial, generator.normal(size=6), x)
