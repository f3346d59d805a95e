"""Texts of signatures: each is a Signature that prints as text with the same meaning, or a plain Python error."""
import random
import warnings

import numba
import pytest
from numba import types
from numba.core import sigutils

SEEDS = ("i8(i8)", "void(float64[:], int32)", "f8[:,::1](f8[::1,:], f4[:])", "(int64, uint8)", "Tuple((i8, f8))(i8)",
         "UniTuple(i8, 3)(unicode_type)", "ListType(int64)(DictType(unicode_type, f8))", "optional(i8)(c16)",
         "Array(f8, 2, 'C', readonly=True)(none)", "b1(NPDatetime('D'), NPTimedelta('ns'))", "pyobject(pyobject)",
         "void()", "i8(i8,)")
PIECES = ("i8", "f8", "(", ")", "[", "]", ":", "::1", ",", ", ", "'", "None", "0", "-1", "1e9", "x", " ", "\n", "**", "*",
          "types", "int64", "void", "Tuple", "{", "}", "lambda: 0", "...", "\0", "\ud800", "é", "[:]", "[:" * 40, "(" * 300)
# what Python itself says of an expression, or our types of arguments that are none
PLAIN = (SyntaxError, NameError, TypeError, ValueError, AttributeError, KeyError, IndexError, ZeroDivisionError,
         OverflowError, RecursionError, MemoryError, UnicodeError, NotImplementedError, numba.core.errors.NumbaError)


def mutate(chance, text):
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(text))
        end = min(len(text), at + chance.randint(0, 6))
        text = chance.choice((text[:at] + chance.choice(PIECES) + text[at:], text[:at] + text[end:],
                              text[:at] + chance.choice(PIECES) + text[end:], text[:end] + text[at:]))
    return text


def check(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            args, returns = sigutils.normalize_signature(text)
        except PLAIN as error:
            assert "internal" not in str(error)
            return False
    assert isinstance(args, tuple) and all(isinstance(arg, types.Type) for arg in args)
    assert returns is None or isinstance(returns, types.Type)
    repr((args, returns))
    return True


@pytest.mark.parametrize("text", SEEDS)
def test_seeds_are_signatures(text):
    assert check(text)


@pytest.mark.parametrize("seed", range(4))
def test_mutations(seed):
    chance = random.Random(seed)
    good = sum(check(mutate(chance, chance.choice(SEEDS))) for _ in range(2500))
    assert good > 40


@pytest.mark.parametrize("text", ["i8(i8", "i8 i8", "no_type(i8)", "5", "'i8'", "i8", "i8[:", "i8[5](i8)", ""])
def test_declared_with_a_broken_text(text):
    with pytest.raises(PLAIN):
        numba.njit(text)(lambda x: x)
