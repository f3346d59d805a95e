# SPDX-License-Identifier: MIT
"""Loops and branches that programs write with llvmlite's builder, besides for_range of helpers."""
import contextlib

from llvmlite import ir

from numba.core.written.helpers import for_range


@contextlib.contextmanager
def for_range_slice(builder, start, stop, step, intp=None, inc=True):
    """A loop from start to before stop; gives the number and how many turns were made. `inc`: whether step is
    positive. The body is written within `with`."""
    intp = intp or start.type
    head, body, end = (builder.append_basic_block(f"slice.{part}") for part in ("head", "body", "end"))
    before = builder.basic_block
    builder.branch(head)
    with builder.goto_block(head):
        index, count = builder.phi(intp, name="loop.index"), builder.phi(intp, name="loop.count")
        builder.cbranch(builder.icmp_signed("<" if inc else ">", index, stop), body, end)
    index.add_incoming(start, before)
    count.add_incoming(intp(0), before)
    builder.position_at_end(body)
    yield index, count
    index.add_incoming(builder.add(index, step), builder.basic_block)
    count.add_incoming(builder.add(count, intp(1)), builder.basic_block)
    builder.branch(head)
    builder.position_at_end(end)


@contextlib.contextmanager
def for_range_slice_generic(builder, start, stop, step):
    """Two loops of for_range_slice, of which the step's sign takes one: the one upwards, the one downwards. Both are
    written, each within a `with` of its own."""
    is_upwards = builder.icmp_signed(">=", step, step.type(0))

    @contextlib.contextmanager
    def one(way, inc):
        with way, for_range_slice(builder, start, stop, step, inc=inc) as loop:
            yield loop
    with builder.if_else(is_upwards) as (then, otherwise):
        yield one(then, True), one(otherwise, False)


@contextlib.contextmanager
def loop_nest(builder, shape, intp, order="C"):
    """Loops over all places of an array of the shape (values or numbers); gives the indices, as a tuple. `order`: "C", the
    last index is the innermost; "F", the first."""
    if order not in ("C", "F"):
        raise ValueError(f"the order of loops is 'C' or 'F', not {order!r}")
    axes = list(enumerate(shape))
    with contextlib.ExitStack() as stack:
        found = {}
        for axis, length in axes if order == "C" else reversed(axes):
            length = length if isinstance(length, ir.Value) else intp(length)
            found[axis] = stack.enter_context(for_range(builder, length, intp=intp)).index
        yield tuple(found[axis] for axis, _ in axes)


def cbranch_or_continue(builder, cond, bbtrue):
    """Goes to a block where the condition holds; what follows is for where it does not. Gives the block of that."""
    following = builder.append_basic_block(".continue")
    builder.cbranch(cond, bbtrue, following)
    builder.position_at_end(following)
    return following


def terminate(builder, bbend):
    """Goes to a block, where the code does not go elsewhere by now."""
    if not builder.basic_block.is_terminated:
        builder.branch(bbend)
