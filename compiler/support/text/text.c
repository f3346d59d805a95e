// SPDX-License-Identifier: MIT
// Strings of compiled code: counted memory, joining, repeating, slicing, comparing,
// hashing, and the way from and to UTF-8.
#include "compiler/support/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/support/host_hooks.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/refusal.h"
#include "compiler/support/support.h"

// --- Memory

static const int64_t most_characters = INT64_MAX / 8;

enum { PIECE = 1 << 20 }; // characters between which an interrupt is seen

// How many characters of a text's memory are in use, by whichever text: in the unused end
// of the memory's header.
static int64_t *used_of(struct abi_memory *memory)
{
    return (int64_t *)(void *)((char *)memory->data - sizeof(int64_t));
}

static uint32_t *create_with_room(struct abi_text *out, int64_t len, int64_t room)
{
    *out = (struct abi_text){0};
    struct abi_memory *memory = room <= most_characters ? gridcell_memory_create(room * 4)
                                                        : refusal_note((size_t)room * 4);
    if (!memory)
        return NULL;
    *used_of(memory) = len;
    *out = (struct abi_text){memory, memory->data, len};
    return memory->data;
}

uint32_t *text_create(struct abi_text *out, int64_t len)
{
    return create_with_room(out, len, len);
}

bool text_fill(uint32_t *to, const uint32_t *from, int64_t len)
{
    for (int64_t at = 0; at < len; at += PIECE) {
        if (at && compiler_interrupt_flag)
            return false;
        memcpy(to + at, from + at, (size_t)(len - at < PIECE ? len - at : PIECE) * 4);
    }
    return true;
}

// What making a text has come to, which is dropped where an interrupt came.
static int32_t made(struct abi_text *out, bool is_whole)
{
    if (is_whole)
        return TEXT_OK;
    text_release(out);
    *out = (struct abi_text){0};
    return TEXT_INTERRUPTED;
}

int32_t text_copy(struct abi_text *out, const uint32_t *data, int64_t len)
{
    uint32_t *to = text_create(out, len);
    return to ? made(out, text_fill(to, data, len)) : TEXT_NO_MEMORY;
}

int32_t text_from_ascii(struct abi_text *out, const char *text, size_t len)
{
    uint32_t *to = text_create(out, (int64_t)len);
    for (size_t i = 0; to && i < len; i++)
        to[i] = (unsigned char)text[i];
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

int32_t text_view(
        struct abi_text *out, const struct abi_text *from, int64_t start, int64_t stop)
{
    gridcell_memory_retain(from->memory);
    *out = (struct abi_text){
            from->memory, from->data + start, stop > start ? stop - start : 0};
    return TEXT_OK;
}

int32_t text_same(struct abi_text *out, const struct abi_text *from)
{
    return text_view(out, from, 0, from->len);
}

void text_release(const struct abi_text *text)
{
    gridcell_memory_release(text->memory);
}

void text_builder_append(struct text_builder *builder, const uint32_t *data, int64_t len)
{
    if (builder->len + len > builder->capacity) {
        int64_t capacity = 2 * (builder->len + len) + 16;
        uint32_t *grown = builder->failed
                                  ? NULL
                                  : refusal_realloc(builder->data, (size_t)capacity * 4);
        builder->failed = !grown;
        if (!grown)
            return;
        builder->data = grown;
        builder->capacity = capacity;
    }
    if (len)
        memcpy(builder->data + builder->len, data, (size_t)len * 4);
    builder->len += len;
}

void text_builder_add(struct text_builder *builder, uint32_t c)
{
    text_builder_append(builder, &c, 1);
}

int32_t text_builder_take(struct text_builder *builder, struct abi_text *out)
{
    int32_t status = builder->failed ? TEXT_NO_MEMORY
                                     : text_copy(out, builder->data, builder->len);
    free(builder->data);
    *builder = (struct text_builder){0};
    return status;
}

// --- UTF-8

int64_t text_utf8_length(const char *utf8, size_t size)
{
    int64_t len = 0;
    for (size_t i = 0; i < size; i++)
        len += ((unsigned char)utf8[i] & 0xC0) != 0x80;
    return len;
}

void text_decode_utf8(const char *utf8, size_t size, uint32_t *out)
{
    const unsigned char *at = (const unsigned char *)utf8, *end = at + size;
    while (at < end) {
        uint32_t c = *at++;
        int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0;
        if (more)
            c &= 0x3Fu >> more;
        for (; more && at < end; more--)
            c = c << 6 | (*at++ & 0x3F);
        *out++ = c;
    }
}

void text_append_utf8(struct str *out, const uint32_t *data, int64_t len)
{
    for (int64_t i = 0; i < len; i++) {
        uint32_t c = data[i];
        if (c < 0x80) {
            str_append_char(out, (char)c);
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        static const uint8_t leads[] = {0, 0xC0, 0xE0, 0xF0};
        str_append_char(out, (char)(leads[more] | c >> 6 * more));
        while (more--)
            str_append_char(out, (char)(0x80 | (c >> 6 * more & 0x3F)));
    }
}

// --- Comparing and searching

bool text_equal(const struct abi_text *a, const struct abi_text *b)
{
    return a->len == b->len && !memcmp(a->data, b->data, (size_t)a->len * 4);
}

static int32_t text_compare(const struct abi_text *a, const struct abi_text *b)
{
    int64_t shorter = a->len < b->len ? a->len : b->len;
    for (int64_t i = 0; i < shorter; i++)
        if (a->data[i] != b->data[i])
            return a->data[i] < b->data[i] ? -1 : 1;
    return (a->len > b->len) - (a->len < b->len);
}

int64_t text_find_in(const uint32_t *text, int64_t len, const struct abi_text *part)
{
    for (int64_t i = 0; i + part->len <= len; i++)
        if (!part->len || (text[i] == part->data[0] &&
                                  !memcmp(text + i, part->data, (size_t)part->len * 4)))
            return i;
    return -1;
}

void text_clamp(int64_t len, int64_t *start, int64_t *stop)
{
    if (*stop > len)
        *stop = len;
    else if (*stop < 0)
        *stop = *stop + len < 0 ? 0 : *stop + len;
    if (*start < 0)
        *start = *start + len < 0 ? 0 : *start + len;
}

static int32_t text_contains(
        bool *out, const struct abi_text *part, const struct abi_text *text)
{
    *out = text_find_in(text->data, text->len, part) >= 0;
    return TEXT_OK;
}

static void narrow(const struct abi_text *text, size_t width, char *bytes)
{
    for (int64_t i = 0; i < text->len; i++) {
        uint32_t wide = text->data[i];
        memcpy(bytes + (size_t)i * width, &wide, width); // little endian
    }
}

// Python's hash: of the narrowest form that holds the characters.
static int32_t text_hash(int64_t *out, const struct abi_text *text)
{
    uint32_t all = 0;
    for (int64_t i = 0; i < text->len; i++)
        all |= text->data[i];
    size_t width = all < 0x100 ? 1 : all < 0x10000 ? 2 : 4;
    size_t size = (size_t)text->len * width;
    char few[256] = "", *bytes = size > sizeof few ? malloc(size) : few;
    if (!bytes)
        return TEXT_NO_MEMORY;
    narrow(text, width, bytes);
    *out = host_hooks.characters->hash_bytes(bytes, (int64_t)size);
    if (bytes != few)
        free(bytes);
    return TEXT_OK;
}

// --- Making text of text

// Adds `b` behind `a` in the memory of `a`, if nothing is there yet: texts are not
// changed, so that those which share the memory see no difference.
static bool append_in_place(
        struct abi_text *out, const struct abi_text *a, const struct abi_text *b)
{
    if (!a->memory)
        return false;
    int64_t end = a->data + a->len - (uint32_t *)a->memory->data, expected = end;
    if (end + b->len > a->memory->size_bytes / 4 ||
            !__atomic_compare_exchange_n(used_of(a->memory), &expected, end + b->len,
                    false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return false;
    memcpy((uint32_t *)a->data + a->len, b->data, (size_t)b->len * 4);
    return text_view(out, a, 0, a->len + b->len) == TEXT_OK;
}

static int32_t text_concat(
        struct abi_text *out, const struct abi_text *a, const struct abi_text *b)
{
    if (!a->len || !b->len)
        return text_same(out, a->len ? a : b);
    if (append_in_place(out, a, b))
        return TEXT_OK;
    // a long text that grows by little may grow on
    int64_t len = a->len + b->len, room = a->len > 64 && b->len < a->len ? len / 2 : 0;
    uint32_t *to = create_with_room(out, len, len + room);
    if (!to)
        return TEXT_NO_MEMORY;
    return made(out,
            text_fill(to, a->data, a->len) && text_fill(to + a->len, b->data, b->len));
}

static int32_t text_repeat(
        struct abi_text *out, const struct abi_text *text, int64_t count)
{
    if (count <= 0 || !text->len)
        return text_view(out, text, 0, 0);
    int64_t len;
    if (__builtin_mul_overflow(text->len, count, &len))
        return support_raise("OverflowError", "repeated string is too long");
    uint32_t *to = text_create(out, len);
    if (!to)
        return TEXT_NO_MEMORY;
    bool is_whole = true;
    for (int64_t i = 0, since = 0; is_whole && i < count; i++) {
        is_whole = text_fill(to + i * text->len, text->data, text->len);
        since += text->len;
        if (since < PIECE)
            continue;
        since = 0;
        is_whole &= !compiler_interrupt_flag;
    }
    return made(out, is_whole);
}

// Characters start, start + step...: `count` of them, all there.
static int32_t text_pick(struct abi_text *out, const struct abi_text *text, int64_t start,
        int64_t count, int64_t step)
{
    uint32_t *to = text_create(out, count);
    for (int64_t i = 0; to && i < count; i++)
        to[i] = text->data[start + i * step];
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

static int64_t clamp_bound(int64_t bound, int64_t len, int64_t low, int64_t high)
{
    if (bound < 0)
        bound = bound < -len ? low : bound + len < low ? low : bound + len;
    return bound > high ? high : bound;
}

// `slice`: start, stop, step
static int32_t text_slice(
        struct abi_text *out, const struct abi_text *text, const int64_t *slice)
{
    int64_t len = text->len, start = slice[0], stop = slice[1], step = slice[2], count;
    if (step == 0)
        return support_raise("ValueError", "slice step cannot be zero");
    if (step > 0) {
        start = clamp_bound(start, len, 0, len);
        stop = clamp_bound(stop, len, 0, len);
        count = stop > start ? (stop - start - 1) / step + 1 : 0;
    } else {
        start = clamp_bound(start, len, -1, len - 1);
        stop = stop == INT64_MIN ? -1 : clamp_bound(stop, len, -1, len - 1);
        count = start > stop ? (int64_t)(((uint64_t)start - (uint64_t)stop - 1) /
                                         (0 - (uint64_t)step)) +
                                       1
                             : 0;
    }
    if (step == 1)
        return text_view(out, text, start, start + count);
    return text_pick(out, text, start, count, step);
}

static int32_t text_from_code(struct abi_text *out, int64_t code)
{
    if (code != (int32_t)code)
        return support_raise("OverflowError", "Python int too large to convert to C int");
    if (code < 0 || code > 0x10FFFF)
        return support_raise("ValueError", "chr() arg not in range(0x110000)");
    uint32_t c = (uint32_t)code;
    return text_copy(out, &c, 1);
}

static int32_t text_code(int64_t *out, const struct abi_text *text)
{
    if (text->len != 1)
        return support_raise("TypeError",
                "ord() expected a character, but string of length %lld found",
                (long long)text->len);
    *out = text->data[0];
    return TEXT_OK;
}

// The least or greatest character (`sign` 1 or -1).
static int32_t text_extreme(
        struct abi_text *out, const struct abi_text *text, int64_t sign)
{
    if (!text->len)
        return support_raise("ValueError", "%s() %s", sign > 0 ? "min" : "max",
                host_hooks.nothing_to_compare);
    int64_t best = 0;
    for (int64_t i = 1; i < text->len; i++)
        if (sign > 0 ? text->data[i] < text->data[best]
                     : text->data[i] > text->data[best])
            best = i;
    return text_view(out, text, best, best + 1);
}

int32_t text_from_utf8(struct abi_text *out, const char *utf8, size_t len)
{
    uint32_t *to = text_create(out, text_utf8_length(utf8, len));
    if (to)
        text_decode_utf8(utf8, len, to);
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

// --- Bytes, and items of arrays of fixed length

// The item of `array`, which has no dimensions: zeros at its end do not count.
static int32_t text_from_cells(
        struct abi_text *out, const struct abi_array *array, int64_t len, int64_t width)
{
    const char *cells = array->data;
    uint32_t *to = text_create(out, len);
    for (int64_t i = 0; to && i < len; i++) {
        to[i] = (unsigned char)cells[i];
        if (width == 4)
            memcpy(&to[i], cells + 4 * i, sizeof *to);
    }
    while (to && out->len && !to[out->len - 1])
        out->len--;
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

// The bytes of a row of them.
static int32_t text_from_items(struct abi_text *out, const struct abi_array *row)
{
    const unsigned char *bytes = row->data;
    int64_t len = row->dims[0];
    uint32_t *to = text_create(out, len);
    for (int64_t i = 0; to && i < len; i++)
        to[i] = bytes[i];
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

// `is_other`: a str is put into an item of bytes, or bytes into one of characters. The
// whole text has to be ASCII then, as for NumPy, also what does not fit.
static int32_t text_to_cells(int64_t *out, const struct abi_array *array, int64_t len,
        int64_t width, const struct abi_text *text, int64_t is_other)
{
    char *cells = array->data;
    for (int64_t i = 0; is_other && i < text->len; i++)
        if (text->data[i] > 127)
            return support_raise(width == 1 ? "UnicodeEncodeError" : "UnicodeDecodeError",
                    "'ascii' codec can't %s character %u in position %lld: ordinal not "
                    "in range(128)",
                    width == 1 ? "encode" : "decode", text->data[i], (long long)i);
    for (int64_t i = 0; i < len; i++) {
        uint32_t c = i < text->len ? text->data[i] : 0;
        memcpy(cells + i * width, &c, (size_t)width); // little endian
    }
    *out = len;
    return TEXT_OK;
}

static int32_t enum_value(int64_t *out, int64_t value, const int64_t *values,
        int64_t count, const struct abi_text *class_name)
{
    *out = value;
    for (int64_t i = 0; i < count; i++)
        if (values[i] == value)
            return TEXT_OK;
    struct str name = {0};
    text_append_utf8(&name, class_name->data, class_name->len);
    int32_t status = support_raise(
            "ValueError", "%lld is not a valid %s", (long long)value, str_text(&name));
    str_finish(&name);
    return status;
}

static int32_t flag_value(int64_t *out, int64_t value, int64_t mask, int64_t boundary,
        const struct abi_text *class_name)
{
    *out = boundary == BOUNDARY_CONFORM ? value & mask : value;
    bool is_refused = boundary == BOUNDARY_KEEP ? value < 0 : (value & ~mask) != 0;
    if (boundary == BOUNDARY_CONFORM || !is_refused)
        return TEXT_OK;
    struct str name = {0};
    text_append_utf8(&name, class_name->data, class_name->len);
    int32_t status = support_raise("ValueError",
            value < 0 ? "<flag '%s'> invalid value %lld: compiled code takes no negative "
                        "numbers for members"
                      : "<flag '%s'> invalid value %lld: it has bits of no member",
            str_text(&name), (long long)value);
    str_finish(&name);
    return status;
}

const struct support_symbol text_symbols[] = {
        SUPPORT_FUNCTION(text_from_cells),
        SUPPORT_FUNCTION(text_from_items),
        SUPPORT_FUNCTION(text_to_cells),
        SUPPORT_FUNCTION(text_compare),
        SUPPORT_FUNCTION(text_contains),
        SUPPORT_FUNCTION(text_hash),
        SUPPORT_FUNCTION(text_concat),
        SUPPORT_FUNCTION(text_repeat),
        SUPPORT_FUNCTION(text_slice),
        SUPPORT_FUNCTION(text_from_code),
        SUPPORT_FUNCTION(text_code),
        SUPPORT_FUNCTION(text_extreme),
        SUPPORT_FUNCTION(enum_value),
        SUPPORT_FUNCTION(flag_value),
        {0},
};
