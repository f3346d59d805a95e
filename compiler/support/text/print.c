// SPDX-License-Identifier: MIT
// What print() writes and what str() makes of several values: lines of text, put together
// piece by piece.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/support/text/text.h"

// A line is gathered per thread and written at once, so that lines of threads do not mix.
static _Thread_local struct str line;

void text_drop_line(void)
{
    if (line.len)
        str_clear(&line);
}

static void print_text(const char *text, int64_t len)
{
    str_append_bytes(&line, text, (size_t)len);
}

// Whether the text is the message as it is, for which Python need not be asked.
static bool is_message(const struct raise_site *site)
{
    return site->message && !site->has_arguments && !site->class_object &&
           strcmp(site->class_name, "KeyError") != 0;
}

static void print_exception(struct abi_memory *held, const char *message,
        int32_t has_arguments, const char *class_name, void *class_object,
        int32_t is_repr)
{
    struct raise_site site =
            raised_site(message, has_arguments, class_name, class_object);
    if ((is_repr || !is_message(&site)) && host_hooks.exception_text)
        host_hooks.exception_text(held, &site, is_repr, &line);
    else if (site.message)
        str_append(&line, site.message);
}

static void print_bool(int32_t truth)
{
    str_append(&line, truth ? "True" : "False");
}

// printf is ten times slower.
static void print_integer(bool is_negative, uint64_t magnitude)
{
    char text[TEXT_INTEGER_MAX], *end = text + sizeof text;
    const char *digits = text_put_integer(end, is_negative, magnitude);
    str_append_bytes(&line, digits, (size_t)(end - digits));
}

static void print_int(int64_t number)
{
    print_integer(number < 0, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

static void print_uint(uint64_t number)
{
    print_integer(false, number);
}

static void print_fixed(double number)
{
    str_printf(&line, "%f", number);
}

static void print_fixed_complex(double real, double imag)
{
    str_printf(&line, "(%f%+fj)", real, imag);
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

static void print_float16(float number)
{
    text_add_half(&line, (double)number);
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
    int32_t status = text_from_utf8(out, line.text, line.len);
    str_clear(&line);
    return status;
}

// Where nobody can tell what NumPy would print, the array's kind stands for it.
static void print_array(const struct type *item, const struct abi_array *array,
        int32_t ndim, int32_t is_repr)
{
    char *text = host_hooks.array_text ? host_hooks.array_text(item, array, ndim, is_repr)
                                       : NULL;
    if (text)
        str_append(&line, text);
    else
        str_printf(&line, "array(%s, %dd)", item->name, ndim);
    free(text);
}

static void print_member(const struct type *type, int64_t value, int32_t is_repr)
{
    char *text =
            host_hooks.member_text ? host_hooks.member_text(type, value, is_repr) : NULL;
    if (text)
        str_append(&line, text);
    else
        str_printf(&line, "%lld", (long long)value);
    free(text);
}

static void print_end(void)
{
    host_hooks.print(line.text, line.len);
    str_clear(&line);
}

const struct support_symbol print_symbols[] = {
        SUPPORT_FUNCTION(print_text),
        SUPPORT_FUNCTION(print_exception),
        SUPPORT_FUNCTION(print_bool),
        SUPPORT_FUNCTION(print_int),
        SUPPORT_FUNCTION(print_uint),
        SUPPORT_FUNCTION(print_fixed),
        SUPPORT_FUNCTION(print_float16),
        SUPPORT_FUNCTION(print_float32),
        SUPPORT_FUNCTION(print_float64),
        SUPPORT_FUNCTION(print_time),
        SUPPORT_FUNCTION(print_complex),
        SUPPORT_FUNCTION(print_fixed_complex),
        SUPPORT_FUNCTION(print_complex64),
        SUPPORT_FUNCTION(print_string),
        SUPPORT_FUNCTION(print_repr),
        SUPPORT_FUNCTION(print_array),
        SUPPORT_FUNCTION(print_member),
        SUPPORT_FUNCTION(print_formatted_float),
        SUPPORT_FUNCTION(print_formatted_int),
        SUPPORT_FUNCTION(print_separator),
        SUPPORT_FUNCTION(print_set_end),
        SUPPORT_FUNCTION(print_bytes),
        SUPPORT_FUNCTION(print_take),
        SUPPORT_FUNCTION(print_end),
        {0},
};
