// SPDX-License-Identifier: MIT
// Types by the names that NumPy has for dtypes: "f8", "int32", "U5", "M8[D]", "i4,
// (2,3)f8".
#include "compiler/types/dtype_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/abi.h"
#include "compiler/types/datetime.h"

// Numbers, also after a sign of this machine's order of bytes.
static const struct type *number_named(const char *name)
{
    const struct type *const types[] = {type_bool, type_int8, type_int16, type_int32,
            type_int64, type_uint8, type_uint16, type_uint32, type_uint64, type_float16,
            type_float32, type_float64, type_complex64, type_complex128};
    static const char *const codes[] = {"b1 ? bool_", "i1 b byte", "i2 h short",
            "i4 i intc", "i8 l q p int int_ intp long longlong", "u1 B ubyte",
            "u2 H ushort", "u4 I uintc", "u8 L Q P uint uintp ulong ulonglong",
            "f2 e half", "f4 f single", "f8 d float double", "c8 F csingle",
            "c16 D complex cdouble"};
    name += strchr("<=|", name[0]) && name[0] ? 1 : 0;
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!strcmp(types[i]->name, name))
            return types[i];
        for (const char *code = codes[i]; *code;
                code += strcspn(code, " "), code += strspn(code, " "))
            if (len && len == strcspn(code, " ") && !strncmp(code, name, len))
                return types[i];
    }
    return NULL;
}

// 'U5', 'S12': texts of so many characters, or bytes
static const struct type *text_type_named(const char *name)
{
    char *end;
    name += strchr("<=|", name[0]) && name[0] ? 1 : 0;
    if ((name[0] != 'U' && name[0] != 'S') || name[1] < '1' || name[1] > '9')
        return NULL;
    long len = strtol(name + 1, &end, 10);
    if (*end || len > 1 << 20)
        return NULL;
    return type_cells(name[0] == 'U' ? type_string : type_bytes, (size_t)len);
}

static const struct type *item_named(const char *name)
{
    const struct type *type = number_named(name);
    if (!type)
        type = text_type_named(name);
    return type ? type : time_type_named(name);
}

// "3" or "(2, 3)", which say that a field is an array; the text behind it, NULL: no
// shape.
static const char *read_shape(const char *text, struct type_field *field)
{
    bool is_tuple = *text == '(';
    char *end = (char *)text + (is_tuple ? 1 + strspn(text + 1, " ") : 0);
    while (*end >= '0' && *end <= '9') {
        if (field->ndim == MAX_FIELD_NDIM)
            return NULL;
        field->shape[field->ndim++] = strtol(end, &end, 10);
        end += strspn(end, " ");
        if (!is_tuple || *end == ')')
            break;
        if (*end != ',')
            return NULL;
        end += 1 + strspn(end + 1, " ");
    }
    if (is_tuple && (*end != ')' || !field->ndim))
        return NULL;
    return end + is_tuple + strspn(end + is_tuple, " ");
}

// One field, which ends at a comma outside of a shape or at the end of the text, in bytes
// behind those before it; NULL where it is none.
static const char *read_field(const char *text, struct type_field *field, size_t *size)
{
    char type[32];
    *field = (struct type_field){.name = field->name, .offset_bytes = *size};
    text = read_shape(text + strspn(text, " "), field);
    size_t len = text ? strcspn(text, ",") : 0;
    while (len && text[len - 1] == ' ')
        len--;
    if (!len || len >= sizeof type)
        return NULL;
    memcpy(type, text, len);
    type[len] = 0;
    field->type = item_named(type);
    if (!field->type)
        return NULL;
    size_t bytes = abi_size(field->type);
    for (int i = 0; i < field->ndim; i++)
        if (__builtin_mul_overflow(bytes, (size_t)field->shape[i], &bytes))
            return NULL;
    *size += bytes;
    return text + strcspn(text, ",");
}

enum { MAX_FIELDS_OF_TEXT = 64, FIELD_NAME = 8 };

// "i4, (2,3)f8": a record of fields f0, f1 and so on, without gaps; "i4," of one.
static const struct type *record_named(const char *text)
{
    struct type_field fields[MAX_FIELDS_OF_TEXT];
    char names[MAX_FIELDS_OF_TEXT][FIELD_NAME]; // which the type copies
    size_t count = 0, size = 0, commas = 0;
    while (*text && count < MAX_FIELDS_OF_TEXT) {
        snprintf(names[count], FIELD_NAME, "f%u", (unsigned char)count);
        fields[count].name = names[count];
        text = read_field(text, &fields[count], &size);
        if (!text)
            return NULL;
        count++;
        commas += *text == ',';
        text += *text == ',';
    }
    return *text || !commas ? NULL : type_record(fields, count, size, false);
}

const struct type *type_by_dtype_name(const char *name)
{
    const struct type *type = item_named(name);
    return type ? type : record_named(name);
}
