# SPDX-License-Identifier: MIT
"""The version that a stand-in goes by. Programs choose what they call by it, and compare it with the metadata."""
import os
import sys


def version_of(distribution, newest):
    """That of the installed distribution; where there is none, the newest whose behaviour gridcell has."""
    start = distribution + "-"
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:  # an archive, or a folder that is gone
            continue
        for name in names:
            if name[:len(start)].lower() == start and name.endswith((".dist-info", ".egg-info")):
                return name[len(start):].rpartition(".")[0].partition("-py")[0]
    return newest


def parts_of(version):
    """The leading numbers, at most three, and what follows them: (9, 18, 1, "")."""
    numbers, rest = [], version
    while len(numbers) < 3 and rest[:1].isdigit():
        digits = rest[:len(rest) - len(rest.lstrip("0123456789"))]
        numbers.append(int(digits))
        rest = rest[len(digits):]
        if rest[:1] == "." and rest[1:2].isdigit() and len(numbers) < 3:
            rest = rest[1:]
    return (*numbers, *[0] * (3 - len(numbers)), rest)
