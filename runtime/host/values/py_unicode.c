// SPDX-License-Identifier: MIT
// Lends CPython's tables of characters, and its hash of strings, to compiled code. Where
// it lets nobody have them, tables that were made of its answers.
#include "base/py_compat.h"

#include "compiler/support/characters.h"
#include "runtime/host/values/cases.h"
#include "runtime/host/values/py_values.h"

static int is_space(uint32_t c)
{
    return _PyUnicode_IsWhitespace(c);
}

static int64_t hash_bytes(const void *bytes, int64_t size_bytes)
{
    return py_hash_bytes(bytes, size_bytes);
}

static const struct case_record *record_of(uint32_t c)
{
    static const struct case_record nothing = {
            .changes = {{0, 1}, {0, 1}, {0, 1}, {0, 1}}};
    if (c > CASE_LAST)
        return &nothing;
    return &case_records[case_numbers[case_blocks[c / CASE_BLOCK] * CASE_BLOCK +
                                      c % CASE_BLOCK]];
}

static int change(uint32_t c, uint32_t *out, enum case_change kind)
{
    const struct case_record *record = record_of(c);
    int32_t value = record->changes[kind].value;
    int len = (int)record->changes[kind].len;
    if (len == 1)
        out[0] = c + (uint32_t)value;
    for (int i = 0; len > 1 && i < len; i++)
        out[i] = case_texts[value - 1][i];
    return len;
}

#define QUESTION(name, flag)                                                             \
    static int name(uint32_t c)                                                          \
    {                                                                                    \
        return (record_of(c)->flags & (flag)) != 0;                                      \
    }
QUESTION(is_name_start, CASE_NAME_START)
QUESTION(is_name_part, CASE_NAME_PART)
QUESTION(is_cased, CASE_CASED)
QUESTION(is_case_ignorable, CASE_IGNORABLE)

#define CHANGE(name, kind)                                                               \
    static int name(uint32_t c, uint32_t *out)                                           \
    {                                                                                    \
        return change(c, out, kind);                                                     \
    }
CHANGE(to_lower, CASE_LOWER)
CHANGE(to_upper, CASE_UPPER)
CHANGE(to_title, CASE_TITLE)
CHANGE(to_folded, CASE_FOLDED)

const struct text_tables py_text_tables = {
        .is_alpha = _PyUnicode_IsAlpha,
        .is_decimal = _PyUnicode_IsDecimalDigit,
        .is_digit = _PyUnicode_IsDigit,
        .is_numeric = _PyUnicode_IsNumeric,
        .is_lower = _PyUnicode_IsLowercase,
        .is_upper = _PyUnicode_IsUppercase,
        .is_title = _PyUnicode_IsTitlecase,
        .is_space = is_space,
        .is_printable = _PyUnicode_IsPrintable,
        .is_line_break = _PyUnicode_IsLinebreak,
        .is_name_start = is_name_start,
        .is_name_part = is_name_part,
        .is_cased = is_cased,
        .is_case_ignorable = is_case_ignorable,
        .decimal_value = _PyUnicode_ToDecimalDigit,
        .to_lower = to_lower,
        .to_upper = to_upper,
        .to_title = to_title,
        .to_folded = to_folded,
        .hash_bytes = hash_bytes,
};
