// SPDX-License-Identifier: MIT
// Between which numbers integers lie, of functions built by hand.
#include "test.h"

#include "ir_builder.h"

enum { EXTENT_BITS = 47, TURN_BITS = 50 };

static struct interval interval_of(const struct ir_instr *instr)
{
    struct interval *all = ir_find_intervals(f, NULL, &f->arena);
    return all[instr->id];
}

static void check_interval(const struct ir_instr *instr, int64_t low, int64_t high)
{
    struct interval got = interval_of(instr);
    CHECK_INT(got.low, low);
    CHECK_INT(got.high, high);
}

static struct ir_instr *shape_of_argument(void)
{
    return primitive(PRIMITIVE_ARRAY_LEN, type_int64, OPERANDS(arg(0)));
}

static void start_with_array(void)
{
    start("f", PARAMS(type_array(type_float64, 1, LAYOUT_C, false), type_int64),
            type_int64);
}

TEST(items_of_ranges)
{
    start_with_array();
    struct ir_instr *extent = shape_of_argument(), *number = arg(1);
    struct loop up = loop_start(range(integer(1), extent, integer(1)), type_int64, NULL);
    struct ir_instr *before = binary(BINARY_SUB, up.item, integer(1));
    struct ir_instr *two_before = binary(BINARY_SUB, up.item, integer(2));
    loop_end(&up, NULL, NULL);
    struct loop down = loop_start(
            range(binary(BINARY_SUB, extent, integer(1)), integer(-1), integer(-1)),
            type_int64, NULL);
    loop_end(&down, NULL, NULL);
    struct loop open = loop_start(range(number, extent, integer(1)), type_int64, NULL);
    loop_end(&open, NULL, NULL);
    struct loop far = loop_start(range(integer(0), number, integer(2)), type_int64, NULL);
    loop_end(&far, NULL, NULL);
    give(extent);
    check_interval(extent, 0, (int64_t)1 << EXTENT_BITS);
    check_interval(before, 0, ((int64_t)1 << EXTENT_BITS) - 2);
    CHECK_INT(interval_of(two_before).low, -1);
    CHECK_INT(interval_of(down.item).low, 0);
    CHECK_INT(interval_of(open.item).low, INT64_MIN);
    check_interval(far.item, 0, (int64_t)2 << TURN_BITS);
    ir_function_destroy(f);
}

// What a loop carries: counting up stays above where it began, counting down does not,
// and what doubles wraps around.
static struct interval carried_by(enum ir_binary operation, int64_t other)
{
    start_with_array();
    struct ir_instr *carried = integer(1), *number = arg(1);
    struct loop loop =
            loop_start(range(integer(0), number, integer(1)), type_int64, &carried);
    struct ir_instr *next = binary(operation, carried, integer(other));
    loop_end(&loop, carried, next);
    give(carried);
    struct interval interval = interval_of(carried);
    ir_function_destroy(f);
    return interval;
}

TEST(what_loops_carry)
{
    CHECK_INT(carried_by(BINARY_ADD, 3).low, 1);
    CHECK(carried_by(BINARY_SUB, 1).low < 0);
    CHECK_INT(carried_by(BINARY_SUB, 1).high, 1);
    CHECK_INT(carried_by(BINARY_MUL, 31).low, INT64_MIN);
    CHECK_INT(carried_by(BINARY_ADD, INT32_MAX).low, INT64_MIN);
    CHECK_INT(carried_by(BINARY_FLOORDIV, 2).low, 0);
}

TEST(arithmetic)
{
    start_with_array();
    struct ir_instr *extent = shape_of_argument(), *number = arg(1);
    struct ir_instr *narrow = cast(cast(number, type_int32), type_int64);
    struct ir_instr *byte = cast(cast(number, type_uint8), type_int64);
    struct ir_instr *remainder = binary(BINARY_MOD, number, integer(7));
    struct ir_instr *by_negative = binary(BINARY_MOD, number, integer(-7));
    struct ir_instr *unknown_divisor = binary(BINARY_MOD, extent, number);
    struct ir_instr *mask = binary(BINARY_AND, number, integer(15));
    struct ir_instr *product = binary(BINARY_MUL, number, integer(2));
    struct ir_instr *sum = binary(BINARY_ADD, byte, integer(-3));
    struct ir_instr *cut =
            primitive(PRIMITIVE_MAX, type_int64, OPERANDS(number, integer(0)));
    struct ir_instr *most =
            primitive(PRIMITIVE_MIN, type_int64, OPERANDS(extent, integer(9)));
    struct ir_instr *negative = make(IR_UNARY, type_int64, OPERANDS(most));
    negative->unary = UNARY_NEGATIVE;
    give(extent);
    check_interval(narrow, INT32_MIN, INT32_MAX);
    check_interval(byte, 0, 255);
    check_interval(remainder, 0, 6);
    CHECK_INT(interval_of(by_negative).low, INT64_MIN);
    CHECK_INT(interval_of(unknown_divisor).low, INT64_MIN);
    check_interval(mask, 0, 15);
    CHECK_INT(interval_of(product).low, INT64_MIN);
    check_interval(sum, -3, 252);
    check_interval(cut, 0, INT64_MAX);
    check_interval(most, 0, 9);
    check_interval(negative, -9, 0);
    ir_function_destroy(f);
}

static struct ir_instr *less(struct ir_instr *a, struct ir_instr *b)
{
    return binary(BINARY_SUB, a, b);
}

// What is subtracted from what a range was made of.
TEST(differences)
{
    start("f", PARAMS(type_int64, type_int64, type_int64), type_int64);
    struct ir_instr *n = arg(0), *k = arg(1), *any = arg(2);
    struct ir_instr *least = primitive(
            PRIMITIVE_MIN, type_int64, OPERANDS(binary(BINARY_ADD, n, integer(1)), any));
    struct loop up = loop_start(range(integer(0), n, integer(1)), type_int64, NULL);
    struct ir_instr *mirrored = less(less(n, integer(1)), up.item);
    struct ir_instr *too_far = less(less(n, integer(2)), up.item);
    struct ir_instr *wraps = less(binary(BINARY_ADD, n, integer(2)), up.item);
    struct ir_instr *other = less(less(any, integer(1)), up.item);
    struct ir_instr *doubled = less(mirrored, up.item);
    loop_end(&up, NULL, NULL);
    struct loop from = loop_start(range(k, n, integer(1)), type_int64, NULL);
    struct ir_instr *rest = less(from.item, k);
    struct ir_instr *may_wrap = less(less(n, integer(1)), from.item);
    loop_end(&from, NULL, NULL);
    struct loop down = loop_start(range(n, k, integer(-2)), type_int64, NULL);
    struct ir_instr *risen = less(less(down.item, k), integer(1));
    struct ir_instr *fallen = less(n, down.item);
    loop_end(&down, NULL, NULL);
    struct loop part = loop_start(range(integer(0), least, integer(1)), type_int64, NULL);
    struct ir_instr *folded = less(n, part.item);
    loop_end(&part, NULL, NULL);
    struct loop both = loop_start(range(integer(0), any, any), type_int64, NULL);
    struct ir_instr *unknown = less(less(any, integer(1)), both.item);
    loop_end(&both, NULL, NULL);
    struct ir_instr *below = make(IR_UNARY, type_int64, OPERANDS(any));
    below->unary = UNARY_NEGATIVE;
    struct loop around = loop_start(
            range(below, binary(BINARY_ADD, any, n), integer(1)), type_int64, NULL);
    struct ir_instr *centred = binary(BINARY_ADD, any, around.item);
    struct ir_instr *mirror = less(any, around.item);
    loop_end(&around, NULL, NULL);
    give(n);
    CHECK_INT(interval_of(centred).low, 0);
    CHECK_INT(interval_of(mirror).low, INT64_MIN);
    CHECK_INT(interval_of(mirrored).low, 0);
    CHECK_INT(interval_of(too_far).low, INT64_MIN);
    CHECK_INT(interval_of(wraps).low, INT64_MIN);
    CHECK_INT(interval_of(other).low, INT64_MIN);
    CHECK_INT(interval_of(doubled).low, -((int64_t)1 << TURN_BITS));
    CHECK_INT(interval_of(rest).low, 0);
    CHECK_INT(interval_of(may_wrap).low, INT64_MIN);
    CHECK_INT(interval_of(risen).low, INT64_MIN);
    CHECK_INT(interval_of(fallen).low, 0);
    CHECK_INT(interval_of(folded).low, 0);
    CHECK_INT(interval_of(unknown).low, INT64_MIN);
    ir_function_destroy(f);
}
