# SPDX-License-Identifier: MIT
"""Variables that are read where no way leads past an assignment, though the text has one before."""
import pytest

from numba import njit
from numba.core.errors import TypingError

# what, the function's body, the results for 0 and 3
COMPILED = [
    ("in_except", "    try:\n        z = 6 // n\n    except Exception:\n        return z\n    return 10 + z\n", (0, 12)),
    ("in_except_array", "    try:\n        z = np.ones(4)[5 - n]\n    except Exception:\n        return z + 0.5\n    return z\n",
     (0.5, 1.0)),
    ("in_except_list", "    try:\n        z = [[1], [2]][3 - n]\n    except Exception:\n        return z\n    return z\n",
     ([], [1])),
    ("in_except_text", "    try:\n        z = ('ab', 'cd')[3 - n]\n    except Exception:\n        y = z + '!'\n"
     "        return y\n    return z\n", ("!", "ab")),
    ("other_branch", "    if n > 1:\n        z = 3.5\n    else:\n        return z\n    return z + 1\n", (0.0, 4.5)),
    ("after_loop", "    for i in range(n):\n        z = i\n    return z\n", (0, 2)),
    ("tuple", "    if n == 3:\n        z = (n, 1.5)\n    else:\n        return z\n    return z\n", ((0, 0.0), (3, 1.5))),
    ("never_run", "    if n == 3:\n        z = n\n    elif n > 5:\n        return z\n    return n\n", (0, 3)),
    ("assigned_after", "    try:\n        z = 6 // n\n    except Exception:\n        y = z + 1\n        z = y + 1\n    return z\n", (2, 2)),
]

REFUSED = [
    ("before", "    if n > 1:\n        return z\n    z = 1\n    return z\n"),
    ("in_its_own_value", "    z = z + n\n    return z\n"),
    ("deleted", "    z = 1\n    del z\n    return z\n"),
    ("dead_assignment", "    if False:\n        z = 1\n    return z\n"),
    ("caught", "    try:\n        n = 6 // n\n    except Exception as z:\n        pass\n    return z\n"),
]


def test_unassigned_variables_have_the_type_of_their_assignments(make):
    for what, body, expected in COMPILED:
        f = njit(make(f"def f(n):\n{body}"))
        assert (f(0), f(3)) == expected, what


def test_reads_that_come_before_every_assignment_are_refused(make):
    for what, body in REFUSED:
        f = njit(make(f"def f(n):\n{body}"))
        with pytest.raises(TypingError, match="'?z'? .*(before assignment|before it is set)"):
            f(3)
            pytest.fail(what)
