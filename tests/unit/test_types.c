// SPDX-License-Identifier: MIT
// Names, identity, conversion and unification of types, and their layout at the ABI
// border.
#include "test.h"

#include "compiler/types/abi.h"
#include "compiler/types/type.h"

static const struct type *number(int index)
{
    types_init();
    const struct type *numbers[] = {type_bool, type_int8, type_int16, type_int32,
            type_int64, type_uint8, type_uint16, type_uint32, type_uint64, type_float32,
            type_float64, type_complex64, type_complex128};
    return numbers[index];
}

enum { NUMBERS = 13 };

TEST(names_are_numbas)
{
    types_init();
    CHECK_STR(type_int64->name, "int64");
    CHECK_STR(type_bool->name, "bool");
    CHECK_STR(type_none->name, "none");
    CHECK_STR(type_string->name, "unicode_type");
    CHECK_STR(
            type_array(type_float32, 1, LAYOUT_C, false)->name, "array(float32, 1d, C)");
    CHECK_STR(type_array(type_int64, 2, LAYOUT_A, true)->name,
            "readonly array(int64, 2d, A)");
    CHECK_STR(type_array_in(type_int32, 1, LAYOUT_F, false, false, 0)->name,
            "unaligned array(int32, 1d, F)");
    const struct type *items[] = {type_int64, type_float64, type_int64};
    CHECK_STR(type_tuple(items, 2)->name, "Tuple(int64, float64)");
    CHECK_STR(type_tuple(items, 1)->name, "UniTuple(int64 x 1)");
    CHECK_STR(type_tuple(NULL, 0)->name, "Tuple()");
    CHECK_STR(type_optional(type_int64)->name, "OptionalType(int64)");
    CHECK_STR(type_class(type_float32)->name, "class(float32)");
    CHECK_STR(type_pointer(type_float32)->name, "float32*");
    CHECK_STR(type_range(type_int64)->name, "range_state_int64");
    CHECK_STR(type_iterator(type_range(type_int64))->name, "range_iter_int64");
    struct type_field fields[] = {{.name = "a", .type = type_int32},
            {.name = "b", .type = type_float64, .offset_bytes = 4}};
    CHECK_STR(type_record(fields, 2, 12, false)->name,
            "Record(a[type=int32;offset=0],b[type=float64;offset=4];12;False)");
}

TEST(equal_types_are_one)
{
    types_init();
    CHECK(type_array(type_int8, 3, LAYOUT_C, false) ==
            type_array(type_int8, 3, LAYOUT_C, false));
    CHECK(type_array(type_int8, 3, LAYOUT_C, false) !=
            type_array(type_int8, 3, LAYOUT_F, false));
    CHECK(type_array(type_int8, 1, LAYOUT_C, false) !=
            type_array_in(type_int8, 1, LAYOUT_C, false, true, 3));
    const struct type *items[] = {type_int64, type_int64};
    CHECK(type_tuple(items, 2) == type_tuple(items, 2));
    CHECK(type_tuple(items, 2) != type_zip(items, 2));
    CHECK(type_optional(type_optional(type_int8)) == type_optional(type_int8));
    CHECK(type_int(16, false) == type_uint16);
}

TEST(unify_numbers)
{
    static const struct {
        int a, b, unified;
    } cases[] = {{0, 1, 1}, {0, 9, 9}, {1, 5, 2}, {1, 6, 3}, {1, 7, 4}, {1, 8, 10},
            {4, 8, 10}, {4, 7, 4}, {1, 9, 9}, {2, 9, 9}, {3, 9, 10}, {4, 9, 10},
            {5, 9, 9}, {6, 9, 9}, {7, 9, 10}, {8, 9, 10}, {9, 10, 10}, {2, 11, 11},
            {3, 11, 12}, {8, 11, 12}, {10, 11, 12}, {9, 11, 11}, {11, 12, 12}, {5, 2, 2},
            {3, 4, 4}, {7, 8, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct type *a = number(cases[i].a), *b = number(cases[i].b);
        CHECK_STR(type_unify(a, b)->name, number(cases[i].unified)->name);
        CHECK_STR(type_unify(b, a)->name, number(cases[i].unified)->name);
    }
}

// Numba's Conversion values, e exact, p promote, s safe, u unsafe, - never; in number()'s
// order.
TEST(convert_numbers)
{
    static const char *const rows[NUMBERS] = {"essssssssssss", "uepppuuuussss",
            "uueppuuuussss", "uuuepuuuuusus", "uuuueuuuuusus", "uusssepppssss",
            "uuussueppusus", "uuuusuuepusus", "uuuuuuuueusus", "uuuuuuuuuepss",
            "uuuuuuuuuueus", "-----------ep", "-----------ue"};
    for (int from = 0; from < NUMBERS; from++) {
        for (int to = 0; to < NUMBERS; to++) {
            char actual = "epsu-"[type_conversion(number(from), number(to))];
            if (actual != rows[from][to])
                TEST_FAIL("%s to %s is %c, expected %c", number(from)->name,
                        number(to)->name, actual, rows[from][to]);
        }
    }
}

TEST(unify_compound)
{
    types_init();
    const struct type *c = type_array(type_int64, 2, LAYOUT_C, false);
    const struct type *f = type_array(type_int64, 2, LAYOUT_F, false);
    CHECK_STR(type_unify(c, f)->name, "array(int64, 2d, A)");
    CHECK_STR(type_unify(c, type_array(type_int64, 2, LAYOUT_C, true))->name,
            "readonly array(int64, 2d, C)");
    CHECK(!type_unify(c, type_array(type_float64, 2, LAYOUT_C, false)));
    CHECK_STR(type_unify(type_none, type_int64)->name, "OptionalType(int64)");
    CHECK_STR(type_unify(type_optional(type_int64), type_float64)->name,
            "OptionalType(float64)");
    const struct type *a[] = {type_int64, type_int64}, *b[] = {type_float64, type_int64};
    CHECK_STR(type_unify(type_tuple(a, 2), type_tuple(b, 2))->name,
            "Tuple(float64, int64)");
    CHECK(!type_unify(type_tuple(a, 2), type_tuple(a, 1)));
    CHECK(!type_unify(type_int64, type_string));
}

TEST(convert_compound)
{
    types_init();
    const struct type *c = type_array(type_int64, 1, LAYOUT_C, false);
    CHECK_INT(
            type_conversion(c, type_array(type_int64, 1, LAYOUT_A, false)), CONVERT_SAFE);
    CHECK_INT(type_conversion(type_array(type_int64, 1, LAYOUT_A, false), c),
            CONVERT_NEVER);
    CHECK_INT(
            type_conversion(c, type_array(type_int64, 1, LAYOUT_C, true)), CONVERT_SAFE);
    CHECK_INT(
            type_conversion(type_array(type_int64, 1, LAYOUT_C, true), c), CONVERT_NEVER);
    CHECK_INT(type_conversion(type_none, type_optional(type_int8)), CONVERT_PROMOTE);
    CHECK_INT(type_conversion(type_int8, type_optional(type_int8)), CONVERT_PROMOTE);
    CHECK_INT(type_conversion(type_optional(type_int8), type_int8), CONVERT_SAFE);
    CHECK_INT(type_conversion(type_string, type_int8), CONVERT_NEVER);
}

TEST(iteration)
{
    types_init();
    CHECK(type_iterated(type_range(type_uint64)) == type_uint64);
    const struct type *matrix = type_array(type_float32, 2, LAYOUT_C, false);
    CHECK_STR(type_iterated(matrix)->name, "array(float32, 1d, C)");
    CHECK_STR(type_iterated(type_enumerate(matrix))->name,
            "Tuple(int64, array(float32, 1d, C))");
    const struct type *items[] = {type_range(type_int64), matrix};
    CHECK_STR(type_iterated(type_zip(items, 2))->name,
            "Tuple(int64, array(float32, 1d, C))");
    CHECK(!type_iterated(type_array(type_int8, 0, LAYOUT_C, false)));
    CHECK(!type_iterated(type_int64));
}

static void visit_leaf(void *context, size_t offset, size_t size_bytes)
{
    size_t *total = context;
    total[0]++;
    total[1] += offset * size_bytes;
}

TEST(abi_layout)
{
    types_init();
    struct {
        int8_t a;
        double b;
        int32_t c;
    } mixed;
    const struct type *items[] = {type_int8, type_float64, type_int32};
    const struct type *tuple = type_tuple(items, 3);
    CHECK_INT(abi_size(tuple), sizeof mixed);
    CHECK_INT(abi_size(type_array(type_int8, 2, LAYOUT_C, false)), 24 + 32);
    CHECK_INT(abi_size(type_optional(type_int32)), 8);
    CHECK_INT(abi_size(type_tuple(NULL, 0)), 0);
    CHECK_INT(abi_alignment(type_complex64), 4);
    CHECK_INT(abi_size(type_none), 0);
    size_t offsets[3], total[2] = {0};
    CHECK_INT(abi_block_layout(items, 3, offsets), 24);
    CHECK_INT(offsets[1], 8);
    CHECK_INT(offsets[2], 16);
    abi_leaves(tuple, 8, visit_leaf, total);
    CHECK_INT(total[0], 3);
    CHECK_INT(total[1], 8 + 16 * 8 + 24 * 4);
}
