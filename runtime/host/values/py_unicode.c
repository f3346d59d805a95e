// SPDX-License-Identifier: MIT
// Lends CPython's tables of characters, and its hash of strings, to compiled code.
#include "base/py.h"

#include "compiler/support/characters.h"
#include "runtime/host/values/py_values.h"

static int is_space(uint32_t c)
{
    return _PyUnicode_IsWhitespace(c);
}

static int64_t hash_bytes(const void *bytes, int64_t size_bytes)
{
    return _Py_HashBytes(bytes, size_bytes);
}

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
        .is_name_start = _PyUnicode_IsXidStart,
        .is_name_part = _PyUnicode_IsXidContinue,
        .is_cased = _PyUnicode_IsCased,
        .is_case_ignorable = _PyUnicode_IsCaseIgnorable,
        .decimal_value = _PyUnicode_ToDecimalDigit,
        .to_lower = _PyUnicode_ToLowerFull,
        .to_upper = _PyUnicode_ToUpperFull,
        .to_title = _PyUnicode_ToTitleFull,
        .to_folded = _PyUnicode_ToFoldedFull,
        .hash_bytes = hash_bytes,
};
