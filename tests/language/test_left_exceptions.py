# SPDX-License-Identifier: MIT
"""An exception that `finally` drops, by break, continue or return, leaves nothing for the next one to show."""
import traceback

import pytest
from conftest import function_of

from numba import njit

BODIES = {
    "continue": """
    for i in range(3):
        try:
            deep(n)
        finally:
            continue
    raise ValueError('end')""",
    "break": """
    for i in range(3):
        try:
            deep(n)
        finally:
            break
    fails(n)""",
    "sometimes": """
    for i in range(3):
        try:
            deep(n)
        finally:
            if i < 2:
                continue
            raise ValueError('end')""",
    "cause": """
    try:
        raise IndexError('A') from KeyError('C')
    finally:
        if n:
            raise ValueError('B')""",
    "no cause": """
    try:
        raise IndexError('A') from None
    finally:
        if n:
            raise ValueError('B')""",
    "cause that is left": """
    while True:
        try:
            try:
                raise IndexError('A') from KeyError('C')
            finally:
                break
        finally:
            n += 1
    raise ValueError(f'after {n}')""",
    "return": """
    try:
        try:
            raise IndexError('A')
        finally:
            return 1
    finally:
        if n:
            raise ValueError('B')""",
    "return of a handler": """
    try:
        try:
            deep(n)
        except IndexError:
            return 1
    finally:
        raise ValueError('x')""",
    "two at once": """
    for i in range(3):
        try:
            raise IndexError(f'at {n}')
        finally:
            try:
                if i == 1:
                    raise IndexError(f'bt {n}')
            finally:
                if i < 2:
                    continue
            raise ValueError('x')""",
    "another function": """
    returns(n)
    raise ValueError('clean')""",
    "raised again": """
    try:
        deep(n)
    except IndexError as e:
        try:
            raise ValueError('v')
        except ValueError:
            pass
        raise""",
    "goes on": """
    try:
        deep(n)
    finally:
        try:
            fails(n + 1)
        except IndexError:
            pass""",
}


def plain_fails(n):
    if n > 0:
        raise IndexError(f"fails {n}")


def plain_deep(n):
    fails(n)
    return n


def plain_returns(n):
    try:
        deep(n)
    finally:
        return 7


fails, deep, returns = njit(plain_fails), njit(plain_deep), njit(plain_returns)


def told(function, *args):
    """The exception and those in its context: class, text, cause; the calls that the first went through."""
    with pytest.raises(Exception) as raised:
        function(*args)
    error, out = raised.value, []
    calls = [frame.name.removeprefix("plain_") for frame in traceback.extract_tb(error.__traceback__)]
    while error:
        out.append((type(error), str(error), type(error.__cause__), error.__suppress_context__))
        error = error.__context__
    return out, calls[calls.index("f"):]


@pytest.mark.parametrize("name", BODIES)
def test_what_is_told(name):
    f = njit(function_of(f"def f(n):{BODIES[name]}\n", fails=fails, deep=deep, returns=returns))
    plain = function_of(f"def f(n):{BODIES[name]}\n", fails=plain_fails, deep=plain_deep, returns=plain_returns)
    globals_before = dict(fails=fails, deep=deep)
    try:
        globals().update(fails=plain_fails, deep=plain_deep)
        want = told(plain, 7)
    finally:
        globals().update(globals_before)
    for _ in range(2):
        assert told(f, 7) == want


def test_no_chain_of_all_that_was_left():
    """Each call added two to the context of the next exception; a text of 60,000 ended the process."""
    f = njit(function_of(f"def f(n):{BODIES['two at once'].replace('i < 2', 'i < 3')}\n"))
    g = njit(function_of("def f(n):\n    raise ValueError(f'clean {n}')\n"))
    for _ in range(10):
        f(7)
    assert len(told(g, 1)[0]) == 1
