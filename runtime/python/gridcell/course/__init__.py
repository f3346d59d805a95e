# SPDX-License-Identifier: MIT
"""What checks the answers to the exercises of the course (notebooks/01-... and following).

    from gridcell.course import checks_01 as check
    check.exercise_3(my_function)

A check tries ordinary cases and edges in turn. It prints what is right, or raises NotRight, which says what went wrong
with which input and leaves the answer to the reader. Kernels are also run thread by thread (tracing.py), which finds
races that the emulated device, and often a GPU, would let pass.
"""
from gridcell.course.checking import NotRight

__all__ = ["NotRight"]
