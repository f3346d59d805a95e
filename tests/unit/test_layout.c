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

TEST(makes_strides_in_both_orders)
{
    int64_t shape[] = {2, 3, 4}, strides[3];
    layout_strides(shape, 3, 8, 'C', strides);
    CHECK_INT(strides[0], 96);
    CHECK_INT(strides[1], 32);
    CHECK_INT(strides[2], 8);
    CHECK(layout_is_contiguous(shape, strides, 3, 8, 'C'));
    CHECK(!layout_is_contiguous(shape, strides, 3, 8, 'F'));
    layout_strides(shape, 3, 8, 'F', strides);
    CHECK_INT(strides[0], 8);
    CHECK_INT(strides[1], 16);
    CHECK_INT(strides[2], 48);
    CHECK(layout_is_contiguous(shape, strides, 3, 8, 'F'));
    CHECK(!layout_is_contiguous(shape, strides, 3, 8, 'C'));
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
