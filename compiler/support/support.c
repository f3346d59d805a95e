// SPDX-License-Identifier: MIT
// What compiled code calls while it runs on the CPU: counted memory, strings, printing.
#include "compiler/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "compiler/support/ufunc_run.h"
#include "compiler/support/host_hooks.h"
#include "compiler/support/text/text.h"

enum { HEADER_BYTES = 64 };
_Static_assert(
        sizeof(struct abi_memory) <= HEADER_BYTES, "the header fits before the data");

static void memory_free(struct abi_memory *memory)
{
    support_count(SUPPORT_RELEASED);
    support_block_destroy(memory, (size_t)memory->size_bytes + HEADER_BYTES);
}

static struct abi_memory *memory_init(struct abi_memory *memory, int64_t size_bytes)
{
    if (!memory)
        return NULL;
    support_count(SUPPORT_MADE);
    memory->count = 1;
    memory->release = memory_free;
    memory->data = (char *)memory + HEADER_BYTES;
    memory->size_bytes = size_bytes;
    return memory;
}

struct abi_memory *gridcell_memory_create(int64_t size_bytes)
{
    return memory_init(
            support_block_create((size_t)size_bytes + HEADER_BYTES), size_bytes);
}

struct abi_memory *gridcell_memory_create_zeroed(int64_t size_bytes)
{
    return memory_init(
            support_block_create_zeroed((size_t)size_bytes + HEADER_BYTES), size_bytes);
}

void gridcell_memory_retain(struct abi_memory *memory)
{
    if (memory)
        __atomic_fetch_add(&memory->count, 1, __ATOMIC_RELAXED);
}

void gridcell_memory_release(struct abi_memory *memory)
{
    if (!memory)
        return;
    // who has the only reference need not count
    if (__atomic_load_n(&memory->count, __ATOMIC_ACQUIRE) == 1 ||
            __atomic_sub_fetch(&memory->count, 1, __ATOMIC_ACQ_REL) == 0)
        memory->release(memory);
}

static int32_t string_compare(const char *a, int64_t a_len, const char *b, int64_t b_len)
{
    int order = memcmp(a, b, (size_t)(a_len < b_len ? a_len : b_len));
    return order ? order : (a_len > b_len) - (a_len < b_len);
}

// A line is gathered per thread and written at once, so that lines of threads do not mix.
static _Thread_local struct str line;

static void print_text(const char *text, int64_t len)
{
    str_append_bytes(&line, text, (size_t)len);
}

static void print_exception(int32_t status, const char *message)
{
    if (message)
        str_append(&line, message);
    else if (host_hooks.exception_text)
        host_hooks.exception_text(status, &line);
}

static void print_bool(int32_t truth)
{
    str_append(&line, truth ? "True" : "False");
}

static void print_int(int64_t number)
{
    str_printf(&line, "%lld", (long long)number);
}

static void print_uint(uint64_t number)
{
    str_printf(&line, "%llu", (unsigned long long)number);
}

static void print_fixed(double number)
{
    str_printf(&line, "%f", number);
}

static void print_float64(double number)
{
    text_add_float(&line, number, false);
}

// `flags`: 1 a span of time, 2 part of something; above: how many units a step is
static void print_time(int64_t count, int32_t unit, int32_t flags)
{
    text_add_time(
            &line, (struct text_time){count, unit, flags >> 2, flags & 1}, flags & 2);
}

static void print_float32(float number)
{
    text_add_float(&line, (double)number, true);
}

static void print_complex(double real, double imag)
{
    text_add_complex(&line, real, imag, false);
}

static void print_complex64(double real, double imag)
{
    text_add_complex(&line, real, imag, true);
}

static void print_string(const uint32_t *data, int64_t len)
{
    text_append_utf8(&line, data, len);
}

static void print_repr(const uint32_t *data, int64_t len)
{
    text_add_repr(&line, data, len);
}

// `format` is for one number of this kind: compiled code made it.
// Whether an integer power needs more bits than `bits`, below 0: of an unsigned type.
static int32_t power_overflows(int64_t base, int64_t exponent, int32_t bits)
{
    __int128 number = bits < 0 ? (__int128)(uint64_t)base : base, result = 1;
    __int128 high =
            bits < 0 ? ((__int128)1 << -bits) - 1 : ((__int128)1 << (bits - 1)) - 1;
    __int128 low = bits < 0 ? 0 : -high - 1;
    uint64_t count = (uint64_t)exponent;
    if ((bits > 0 && exponent < 0) || (number >= -1 && number <= 1))
        return 0;
    for (; count; count--) { // ends by the 64th turn
        if (__builtin_mul_overflow(result, number, &result) || result > high ||
                result < low)
            return 1;
    }
    return 0;
}

static void print_formatted_float(const char *format, double number)
{
    char text[400];
    snprintf(text, sizeof text, format, number);
    str_append(&line, text);
}

static void print_formatted_int(const char *format, long long number)
{
    char text[400];
    snprintf(text, sizeof text, format, number);
    str_append(&line, text);
}

static void print_separator(int64_t *printed)
{
    if ((*printed)++)
        str_append(&line, ", ");
}

// A set without items is written otherwise than with braces.
static void print_set_end(const int64_t *printed)
{
    if (*printed) {
        str_append_char(&line, '}');
        return;
    }
    line.text[--line.len] = '\0';
    str_append(&line, "set()");
}

static void print_bytes(const uint32_t *data, int64_t len)
{
    text_add_bytes(&line, data, len);
}

// What was printed becomes a string instead.
static int32_t print_take(struct abi_text *out)
{
    uint32_t *data = text_create(out, text_utf8_length(line.text, line.len));
    if (data)
        text_decode_utf8(line.text, line.len, data);
    str_clear(&line);
    return data ? TEXT_OK : TEXT_NO_MEMORY;
}

// Where nobody can tell what NumPy would print, the array's kind stands for it.
static void print_array(
        const char *dtype, const struct abi_array *array, int32_t ndim, int32_t is_repr)
{
    char *text = host_hooks.array_text
                         ? host_hooks.array_text(dtype, array, ndim, is_repr)
                         : NULL;
    if (text)
        str_append(&line, text);
    else
        str_printf(&line, "array(%s, %dd)", dtype, ndim);
    free(text);
}

static void print_end(void)
{
    host_hooks.print(line.text, line.len);
    str_clear(&line);
}

const struct support_symbol support_symbols[] = {
        {"gridcell_memory_create", (void *)gridcell_memory_create},
        {"gridcell_memory_create_zeroed", (void *)gridcell_memory_create_zeroed},
        {"gridcell_array_copy", (void *)gridcell_array_copy},
        {"gridcell_array_is_dense", (void *)gridcell_array_is_dense},
        {"gridcell_axes_order", (void *)gridcell_axes_order},
        {"gridcell_copy_blocks", (void *)gridcell_copy_blocks},
        {"gridcell_unravel", (void *)gridcell_unravel},
        {"gridcell_sort", (void *)gridcell_sort},
        {"gridcell_sum_doubles", (void *)gridcell_sum_doubles},
        {"gridcell_sum_floats", (void *)gridcell_sum_floats},
        {"gridcell_select", (void *)gridcell_select},
        {"gridcell_argsort", (void *)gridcell_argsort},
        {"gridcell_memory_retain", (void *)gridcell_memory_retain},
        {"gridcell_memory_release", (void *)gridcell_memory_release},
        {"gridcell_generator_create", (void *)gridcell_generator_create},
        {"gridcell_generator_next", (void *)gridcell_generator_next},
        {"gridcell_coroutine_alloc", (void *)gridcell_coroutine_alloc},
        {"gridcell_coroutine_free", (void *)gridcell_coroutine_free},
        {"gridcell_array_keep", (void *)gridcell_array_keep},
        {"gridcell_row_create", (void *)gridcell_row_create},
        {"gridcell_row_splice", (void *)gridcell_row_splice},
        {"gridcell_row_swap", (void *)gridcell_row_swap},
        {"gridcell_trace_call", (void *)gridcell_trace_call},
        {"gridcell_ufunc_run", (void *)gridcell_ufunc_run},
        {"gridcell_string_compare", (void *)string_compare},
        {"gridcell_print_text", (void *)print_text},
        {"gridcell_print_exception", (void *)print_exception},
        {"gridcell_print_bool", (void *)print_bool},
        {"gridcell_print_int", (void *)print_int},
        {"gridcell_power_overflows", (void *)power_overflows},
        {"gridcell_print_uint", (void *)print_uint},
        {"gridcell_print_fixed", (void *)print_fixed},
        {"gridcell_print_float32", (void *)print_float32},
        {"gridcell_print_float64", (void *)print_float64},
        {"gridcell_print_time", (void *)print_time},
        {"gridcell_print_complex", (void *)print_complex},
        {"gridcell_print_complex64", (void *)print_complex64},
        {"gridcell_print_string", (void *)print_string},
        {"gridcell_print_repr", (void *)print_repr},
        {"gridcell_print_array", (void *)print_array},
        {"gridcell_print_formatted_float", (void *)print_formatted_float},
        {"gridcell_print_formatted_int", (void *)print_formatted_int},
        {"gridcell_print_separator", (void *)print_separator},
        {"gridcell_print_set_end", (void *)print_set_end},
        {"gridcell_print_bytes", (void *)print_bytes},
        {"gridcell_print_take", (void *)print_take},
        {"gridcell_print_end", (void *)print_end},
        {0},
};
