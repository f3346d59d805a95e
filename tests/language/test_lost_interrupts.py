"""No interrupt is lost that comes while the compiler, or what it calls, runs Python code."""
import pytest

import interrupted_calls


@pytest.mark.parametrize("name", interrupted_calls.WORKS)
def test_interrupt_of_each_call(name):
    assert not interrupted_calls.lost(name)
