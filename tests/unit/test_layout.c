// SPDX-License-Identifier: MIT
// Arithmetic on shapes and strides.
#include "runtime/device/layout.h"

#include "tests/unit/test.h"

TEST(counts_elements_and_notices_overflow)
{
    CHECK_INT(layout_count((int64_t[]){3, 4, 5}, 3, 8), 60);
    CHECK_INT(layout_count(NULL, 0, 8), 1);
    CHECK_INT(layout_count((int64_t[]){3, 0}, 2, 8), 0);
    CHECK_INT(layout_count((int64_t[]){INT64_MAX, 0}, 2, 8), 0);
    CHECK_INT(layout_count((int64_t[]){-1}, 1, 8), -1);
    CHECK_INT(layout_count((int64_t[]){(int64_t)1 << 40, (int64_t)1 << 30}, 2, 1), -1);
    CHECK_INT(layout_count((int64_t[]){(int64_t)1 << 60}, 1, 8), -1);
}

// The strides of 2 x 3 x 4 elements of 8 bytes, contiguous in one order alone.
static void check_strides(char order, char other, const int64_t expected[3])
{
    int64_t shape[] = {2, 3, 4}, strides[3];
    layout_strides(shape, 3, 8, order, strides);
    for (int i = 0; i < 3; i++)
        CHECK_INT(strides[i], expected[i]);
    CHECK(layout_is_contiguous(shape, strides, 3, 8, order));
    CHECK(!layout_is_contiguous(shape, strides, 3, 8, other));
}

TEST(makes_strides_in_both_orders)
{
    check_strides('C', 'F', (int64_t[]){96, 32, 8});
    check_strides('F', 'C', (int64_t[]){8, 16, 48});
}

TEST(axes_of_length_one_and_empty_arrays_are_contiguous)
{
    CHECK(layout_is_contiguous((int64_t[]){1, 5}, (int64_t[]){999, 4}, 2, 4, 'C'));
    CHECK(layout_is_contiguous((int64_t[]){1, 5}, (int64_t[]){999, 4}, 2, 4, 'F'));
    CHECK(layout_is_contiguous((int64_t[]){7, 0}, (int64_t[]){3, 3}, 2, 4, 'C'));
    CHECK(layout_is_contiguous(NULL, NULL, 0, 4, 'C'));
    CHECK(!layout_is_contiguous((int64_t[]){5}, (int64_t[]){8}, 1, 4, 'C'));
    CHECK(!layout_is_contiguous((int64_t[]){5}, (int64_t[]){-4}, 1, 4, 'C'));
}

static void check_extent(int64_t len, int64_t stride, int64_t low, int64_t high)
{
    int64_t actual_low = 77, actual_high = 77;
    layout_extent(&len, &stride, 1, 4, &actual_low, &actual_high);
    CHECK_INT(actual_low, low);
    CHECK_INT(actual_high, high);
}

TEST(finds_the_bytes_that_are_touched)
{
    check_extent(10, 4, 0, 40);
    check_extent(10, 8, 0, 76);
    check_extent(10, -4, -36, 4);
    check_extent(10, 0, 0, 4);
    check_extent(0, 4, 0, 0);
    check_extent(1, 1000, 0, 4);
    int64_t low, high;
    layout_extent((int64_t[]){3, 4}, (int64_t[]){-100, 8}, 2, 4, &low, &high);
    CHECK_INT(low, -200);
    CHECK_INT(high, 28);
}
