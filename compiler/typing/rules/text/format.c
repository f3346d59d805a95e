// SPDX-License-Identifier: MIT
// Formatting: format(), f-strings, str.format and the operator %, whose format strings
// are known while compiling.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/text/text.h"

// --- One value

static const struct type *numeric_type(const struct type *type)
{
    switch (type->kind) {
    case TYPE_INT:
        return type->is_signed ? type_int64 : type_uint64;
    case TYPE_FLOAT:
        return type_float64;
    case TYPE_COMPLEX:
        return type_complex128;
    default:
        return type;
    }
}

// A member whose class formats the text of str(), by a specification for texts.
static bool is_formatted_as_text(const struct type *type)
{
    return type->kind == TYPE_ENUM && type->enumeration.format == FORMAT_AS_TEXT;
}

bool rule_text_can_format(const struct type *type)
{
    if (type->kind == TYPE_ENUM && type->enumeration.format == FORMAT_BY_CLASS)
        return false;
    if (is_formatted_as_text(type))
        return true;
    type = type->kind == TYPE_ENUM ? type->element : rule_value_type(type);
    return type_is_number(type) || type == type_string;
}

struct ir_instr *rule_text_format(
        struct rule *r, struct ir_instr *value, struct ir_instr *spec)
{
    const struct type *given = rule_value(r, value)->type;
    if (is_formatted_as_text(given))
        value = rule_text_convert(r, value, 's');
    else if (given->kind == TYPE_ENUM)
        value = rule_cast(r, value, given->element);
    const struct type *type = rule_value_type(rule_value(r, value)->type);
    bool is_single = type == type_float32 || type == type_complex64;
    bool is_real = type->kind == TYPE_FLOAT || type->kind == TYPE_COMPLEX;
    enum text_call call = type == type_string          ? TEXT_FORMAT_TEXT
                          : type->kind == TYPE_BOOL    ? TEXT_FORMAT_BOOL
                          : type->kind == TYPE_FLOAT   ? TEXT_FORMAT_FLOAT
                          : type->kind == TYPE_COMPLEX ? TEXT_FORMAT_COMPLEX
                          : type->is_signed            ? TEXT_FORMAT_INT
                                                       : TEXT_FORMAT_UINT;
    struct ir_instr *operands[3];
    size_t count = 0;
    operands[count++] = rule_cast(r, value, numeric_type(type));
    if (is_real)
        operands[count++] = rule_int(r, type_int32, is_single);
    operands[count++] = rule_cast(r, spec, type_string);
    return rule_text_call(r, call, type_string, operands, count);
}

// --- A text with gaps

struct piece {
    struct ir_instr *value; // NULL: `text` stands for itself
    const char *text;       // or the format specification of the value
    size_t len;
    char conversion;         // r, s, a: before the specification; 0: none
    const struct type *cast; // what the value is converted to first, or NULL
};

struct pieces {
    struct piece *items;
    size_t len;
};

static void add_piece(struct rule *r, struct pieces *pieces, struct piece piece)
{
    if (!piece.value && !piece.len)
        return;
    bool is_plain = piece.value && (piece.conversion || !piece.len) && !piece.cast;
    struct ir_instr *told = is_plain
                                    ? rule_class_text(r, piece.value,
                                              piece.conversion && piece.conversion != 's')
                                    : NULL;
    if (told) {
        piece.value = told;
        piece.conversion = 0;
    }
    size_t len = pieces->len;
    if ((len & (len - 1)) == 0) { // grows by doubling
        struct piece *grown =
                arena_array(&r->in->function->arena, struct piece, len ? 2 * len : 1);
        if (len)
            memcpy(grown, pieces->items, len * sizeof *grown);
        pieces->items = grown;
    }
    pieces->items[pieces->len++] = piece;
}

static bool check_piece(struct rule *r, const struct piece *piece)
{
    if (!piece->value)
        return true;
    const struct type *type = piece->value->type;
    if (r->in->target != TARGET_HOST && type->kind == TYPE_TUPLE && type->tuple.len &&
            type->tuple.items[0] == type_ellipsis && !piece->len)
        return true; // parts within parts
    if (!rule_is_printable(type))
        return rule_fail(r, ERROR_TYPING,
                "Formatting is not implemented for values of type %s. %s", type->name,
                rule_text_help(type));
    if (piece->cast &&
            (!type_is_number(rule_value_type(type)) ||
                    type_conversion(rule_value_type(type), piece->cast) == CONVERT_NEVER))
        return rule_fail(r, ERROR_TYPING,
                "%%f format: a number is required, not a value of type %s", type->name);
    if (type->kind == TYPE_ENUM && !piece->conversion && !piece->cast &&
            type->enumeration.format == FORMAT_BY_CLASS)
        return rule_fail(r, ERROR_TYPING,
                "%s has a __format__() of its own, which compiled code does not call: "
                "write {x!s} for the text of str()",
                type->name);
    if (piece->len && !piece->conversion && !rule_text_can_format(type))
        return rule_fail(r, ERROR_TYPING,
                "unsupported format string passed to %s.__format__", type->name);
    return true;
}

static struct ir_instr *emit_piece(struct rule *r, const struct piece *piece)
{
    struct ir_instr *value = piece->value;
    if (!value)
        return rule_text_constant(r, piece->text, piece->len);
    if (piece->cast)
        value = rule_cast(r, value, piece->cast);
    if (piece->conversion && (piece->conversion != 's' || piece->len))
        value = rule_text_convert(r, value, piece->conversion);
    return piece->len ? rule_text_format(
                                r, value, rule_text_constant(r, piece->text, piece->len))
                      : value;
}

// Whether C's printf knows the specification for a value of this type.
static bool is_printf_spec(const struct piece *piece, const struct type *type)
{
    const char *at = piece->text, *end = at + piece->len;
    at += at < end && (*at == '+' || *at == '>');
    at += strspn(at, "0123456789");
    if (at < end && *at == '.')
        at += 1 + strspn(at + 1, "0123456789");
    bool is_float = type->kind == TYPE_FLOAT, is_int = type->kind == TYPE_INT;
    return at + 1 == end && piece->len < 24 &&
           ((is_float && strchr("eEfFgG", *at)) || (is_int && strchr("dxXo", *at)));
}

// On a device an f-string is a tuple of its parts behind an Ellipsis, which only print()
// knows what to do with; a specification is the type of an item before its value.
static bool build_on_device(struct rule *r, const struct pieces *pieces)
{
    struct arena *arena = &r->in->function->arena;
    size_t count = 0, most = 2 * pieces->len + 1;
    const struct type **types = arena_array(arena, const struct type *, most);
    struct ir_instr **values = arena_array(arena, struct ir_instr *, most);
    types[count++] = type_ellipsis;
    for (size_t i = 0; i < pieces->len; i++) {
        const struct piece *piece = &pieces->items[i];
        bool has_spec = piece->value && piece->len;
        if (piece->conversion ||
                (has_spec && !is_printf_spec(piece, rule_value_type(piece->value->type))))
            return rule_fail(r, ERROR_UNSUPPORTED,
                    "in CUDA code an f-string takes a width and a precision for numbers, "
                    "as "
                    "{x:8.3f} and {n:5d}, and no other specifications.");
        if (has_spec)
            types[count++] = type_literal(
                    type_string, arena_strndup(arena, piece->text, piece->len));
        types[count++] = piece->value ? piece->value->type : type_string;
    }
    r->type = type_tuple(types, count);
    if (!r->is_emitting)
        return true;
    for (size_t i = 0, at = 0; at < count; at++) {
        bool is_value = types[at] != type_ellipsis && types[at]->kind != TYPE_LITERAL;
        struct piece plain = is_value ? pieces->items[i++] : (struct piece){0};
        if (plain.value)
            plain.len = 0;
        values[at] = is_value ? emit_piece(r, &plain)
                              : rule_emit(r, IR_CONST, types[at], NULL, 0);
        if (!is_value)
            values[at]->constant.type = types[at];
    }
    r->value = rule_tuple(r, values, count);
    return true;
}

static bool build(struct rule *r, const struct pieces *pieces)
{
    for (size_t i = 0; i < pieces->len; i++)
        if (!check_piece(r, &pieces->items[i]))
            return false;
    if (r->in->target != TARGET_HOST)
        return build_on_device(r, pieces);
    r->type = type_string;
    if (!r->is_emitting)
        return true;
    struct ir_instr **values =
            arena_array(&r->in->function->arena, struct ir_instr *, pieces->len + 1);
    for (size_t i = 0; i < pieces->len; i++)
        values[i] = emit_piece(r, &pieces->items[i]);
    r->value = rule_text_build(r, values, pieces->len, false);
    return true;
}

// --- format() and f-strings

// format(value, spec)
bool rule_format(struct rule *r)
{
    size_t len = 0;
    struct piece piece = {.value = r->args[0], .text = ""};
    struct pieces pieces = {0};
    if (rule_has_arg(r, 1))
        piece.text = rule_constant_text(r->args[1], &len);
    piece.len = len;
    if (piece.text) {
        add_piece(r, &pieces, piece);
        return build(r, &pieces);
    }
    if (rule_arg_type(r, 1) != type_string || !rule_text_can_format(r->args[0]->type))
        return rule_no_match(r, "format() takes a number or a string, and a string.");
    if (!rule_text_on_host(r))
        return false;
    r->type = type_string;
    if (r->is_emitting)
        r->value = rule_text_format(r, r->args[0], r->args[1]);
    return true;
}

// The parts of an f-string, one after another.
bool rule_fstring(struct rule *r)
{
    r->name = "f-string";
    struct pieces pieces = {0};
    for (size_t i = 0; i < r->arg_count; i++)
        add_piece(r, &pieces, (struct piece){.value = r->args[i], .text = ""});
    return build(r, &pieces);
}

// {value!r}: the conversion's letter is the second argument
bool rule_convert(struct rule *r)
{
    const struct constant *letter = rule_constant(r->args[1]);
    r->name = "f-string";
    return rule_text_of_value(r, letter ? letter->string.text[0] : 's');
}

// --- str.format

struct format_reader {
    struct rule *r;
    const char *at, *end;
    size_t next; // argument of the next {}
    struct pieces pieces;
};

static bool bad_format(struct rule *r, const char *why)
{
    return rule_fail(r, ERROR_TYPING, "Bad format string: %s", why);
}

// The argument that a field names: nothing, a number or a keyword.
static struct ir_instr *field_value(
        struct format_reader *reader, const char *name, size_t len)
{
    struct rule *r = reader->r;
    size_t keywords = r->instr->call.keyword_count, positional = r->arg_count - keywords;
    size_t position = 0;
    if (!len)
        position = reader->next++;
    else if (strspn(name, "0123456789") >= len)
        position = (size_t)atoll(name);
    else {
        for (size_t i = 0; i < keywords; i++)
            if (strlen(r->instr->call.keywords[i]) == len &&
                    !memcmp(r->instr->call.keywords[i], name, len))
                return r->args[positional + i];
        return NULL;
    }
    return position < positional ? r->args[position] : NULL;
}

// "name!r:spec" up to its brace.
static bool read_field(struct format_reader *reader)
{
    struct rule *r = reader->r;
    const char *close = memchr(reader->at, '}', (size_t)(reader->end - reader->at));
    if (!close)
        return bad_format(r, "expected '}' before end of string");
    size_t len = (size_t)(close - reader->at);
    if (memchr(reader->at, '{', len))
        return bad_format(r, "fields inside of a format specification are not supported");
    const char *colon = memchr(reader->at, ':', len);
    const char *name_end = colon ? colon : close;
    struct piece piece = {.text = colon ? colon + 1 : "",
            .len = colon ? (size_t)(close - colon - 1) : 0};
    if (name_end - reader->at >= 2 && name_end[-2] == '!') {
        piece.conversion = name_end[-1];
        name_end -= 2;
        if (!strchr("rsa", piece.conversion))
            return bad_format(r, "the conversion is none of !r, !s and !a");
    }
    size_t name_len = (size_t)(name_end - reader->at);
    piece.value = field_value(reader, reader->at, name_len);
    if (!piece.value)
        return rule_fail(r, ERROR_TYPING,
                "Bad format string: there is no argument for the field '{%.*s}'",
                (int)name_len, reader->at);
    add_piece(r, &reader->pieces, piece);
    reader->at = close + 1;
    return true;
}

static bool read_format(struct format_reader *reader)
{
    while (reader->at < reader->end) {
        const char *start = reader->at;
        while (reader->at < reader->end && *reader->at != '{' && *reader->at != '}')
            reader->at++;
        add_piece(reader->r, &reader->pieces,
                (struct piece){.text = start, .len = (size_t)(reader->at - start)});
        if (reader->at == reader->end)
            break;
        bool is_doubled = reader->at + 1 < reader->end && reader->at[1] == *reader->at;
        if (is_doubled) {
            add_piece(reader->r, &reader->pieces,
                    (struct piece){.text = reader->at, .len = 1});
            reader->at += 2;
        } else if (*reader->at == '}') {
            return bad_format(reader->r, "single '}' encountered in format string");
        } else {
            reader->at++;
            if (!read_field(reader))
                return false;
        }
    }
    return true;
}

bool rule_text_format_method(struct rule *r)
{
    size_t len;
    struct format_reader reader = {.r = r};
    reader.at = rule_constant_text(r->receiver, &len);
    if (!reader.at)
        return rule_no_match(r, "format() works on a literal or a global constant.");
    reader.end = reader.at + len;
    return read_format(&reader) && build(r, &reader.pieces);
}

// --- The operator %

struct percent {
    char flags[8], type;
    char width[24], precision[24]; // digits; precision with its point
};

static size_t copy_digits(char *to, size_t size, const char *at, const char *end)
{
    size_t len = 0;
    while (at + len < end && len + 1 < size && at[len] >= '0' && at[len] <= '9')
        len++;
    memcpy(to, at, len);
    to[len] = '\0';
    return len;
}

// Reads "-08.3f"; NULL where it is none.
static const char *read_percent(const char *at, const char *end, struct percent *out)
{
    size_t flags = 0;
    while (at < end && strchr("-+ #0", *at) && flags + 1 < sizeof out->flags)
        out->flags[flags++] = *at++;
    out->flags[flags] = out->precision[0] = '\0';
    at += copy_digits(out->width, sizeof out->width, at, end);
    if (at < end && *at == '.') {
        out->precision[0] = '.';
        at++;
        size_t len = copy_digits(out->precision + 1, sizeof out->precision - 1, at, end);
        if (!len)
            memcpy(out->precision + 1, "0", 2);
        at += len;
    }
    while (at < end && strchr("hlL", *at))
        at++;
    if (at >= end || !strchr("diouxXeEfFgGcrsa", *at))
        return NULL;
    out->type = strchr("iu", *at) ? 'd' : *at;
    return at + 1;
}

static bool has_flag(const struct percent *percent, char flag)
{
    return strchr(percent->flags, flag) != NULL;
}

// The specification for format() that does the same.
static const char *spec_of(struct rule *r, const struct percent *percent, bool is_number)
{
    bool is_left = has_flag(percent, '-');
    char align = is_left ? '<' : '>';
    const char *sign = !is_number               ? ""
                       : has_flag(percent, '+') ? "+"
                       : has_flag(percent, ' ') ? " "
                                                : "";
    bool fills = is_number && has_flag(percent, '0') && !is_left;
    char text[96];
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s",
            fills          ? ""
            : align == '<' ? "<"
                           : ">",
            sign, is_number && has_flag(percent, '#') ? "#" : "", fills ? "0" : "",
            percent->width, percent->precision,
            is_number ? (char[2]){percent->type, '\0'} : "");
    return arena_strdup(&r->in->function->arena, text);
}

static bool percent_piece(struct rule *r, struct pieces *pieces,
        const struct percent *percent, struct ir_instr *value)
{
    const struct type *type = rule_value_type(value->type);
    bool is_text = strchr("rsa", percent->type) != NULL;
    bool is_integer = strchr("dxXoc", percent->type) != NULL;
    struct piece piece = {.value = value};
    if (is_integer && percent->precision[0])
        return bad_format(r, "a precision of integers is not supported");
    if (percent->type == 'c' && type == type_string)
        is_text = true;
    else if (is_integer)
        piece.cast = value->type->kind == TYPE_INT ? NULL
                     : type->kind == TYPE_INT      ? type
                                                   : type_int64;
    else if (!is_text)
        piece.cast = type_float64;
    if (is_integer && percent->type != 'd' && !is_text && !type_is_integer(type))
        return rule_fail(r, ERROR_TYPING,
                "%%%c format: an integer is required, not a value of type %s",
                percent->type, type->name);
    piece.conversion = !is_text ? 0 : percent->type == 'c' ? 's' : percent->type;
    piece.text = spec_of(r, percent, !is_text);
    if (is_text && !percent->width[0] && !percent->precision[0])
        piece.text = "";
    piece.len = strlen(piece.text);
    add_piece(r, pieces, piece);
    return true;
}

static bool read_percents(struct rule *r, struct pieces *pieces, const char *at,
        const char *end, struct ir_instr *const *values, size_t count)
{
    size_t used = 0;
    while (at < end) {
        const char *mark = memchr(at, '%', (size_t)(end - at));
        size_t len = (size_t)((mark ? mark : end) - at);
        add_piece(r, pieces, (struct piece){.text = at, .len = len});
        if (!mark)
            break;
        at = mark + 1;
        if (at < end && *at == '%') {
            add_piece(r, pieces, (struct piece){.text = "%", .len = 1});
            at++;
            continue;
        }
        struct percent percent;
        at = read_percent(at, end, &percent);
        if (!at)
            return bad_format(r, "a conversion after % is incomplete or not supported");
        if (used == count)
            return rule_fail(r, ERROR_TYPING, "not enough arguments for format string");
        if (!percent_piece(r, pieces, &percent, values[used++]))
            return false;
    }
    return used == count ||
           rule_fail(r, ERROR_TYPING,
                   "not all arguments converted during string formatting");
}

bool rule_text_percent(struct rule *r)
{
    size_t len;
    const char *text = rule_constant_text(r->args[0], &len);
    if (!text)
        return rule_no_match(r, "% formats by a literal or a global constant.");
    const struct type *type = r->args[1]->type;
    size_t count = type->kind == TYPE_TUPLE ? type->tuple.len : 1;
    struct ir_instr **values =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        values[i] = r->args[1];
        if (type->kind == TYPE_TUPLE && r->is_emitting) {
            values[i] = rule_tuple_get(r, r->args[1], i);
        } else if (type->kind == TYPE_TUPLE) { // a value of the item's type will do
            values[i] = arena_new(&r->in->function->arena, struct ir_instr);
            values[i]->type = type->tuple.items[i];
        }
    }
    struct pieces pieces = {0};
    return read_percents(r, &pieces, text, text + len, values, count) &&
           build(r, &pieces);
}
