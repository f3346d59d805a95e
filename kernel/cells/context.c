// SPDX-License-Identifier: MIT
// A tolerant reading of code that is not finished: strings, comments, brackets,
// statements.
#include "kernel/cells/context.h"

#include <ctype.h>
#include <string.h>

#include "base/vec.h"

enum { MAX_DEPTH = 200 };

// A bracket, or a string whose replacement field is being read.
struct level {
    char opening; // ( [ { or the quote
    size_t at;    // of the bracket; of a string, its first letter
    bool is_triple;
};

struct reader {
    const char *code;
    size_t end, at;
    struct level levels[MAX_DEPTH];
    int depth;
    struct context context;
};

bool context_is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

size_t context_name_start(const char *code, size_t end)
{
    while (end > 0 && context_is_name_char(code[end - 1]))
        end--;
    return end;
}

size_t context_byte_offset(const char *text, long long characters)
{
    size_t offset = 0;
    while (text[offset] && characters-- > 0) {
        offset++;
        while (((unsigned char)text[offset] & 0xC0) == 0x80)
            offset++;
    }
    return offset;
}

long long context_char_offset(const char *text, size_t bytes)
{
    long long count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

// ---- forward: strings, comments, brackets

static void push(struct reader *reader, char opening, size_t at, bool is_triple)
{
    if (reader->depth < MAX_DEPTH)
        reader->levels[reader->depth++] = (struct level){opening, at, is_triple};
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

static bool is_triple_at(const struct reader *reader, size_t at)
{
    const char *text = reader->code + at;
    return at + 2 < reader->end && text[1] == text[0] && text[2] == text[0];
}

static bool has_prefix(const struct reader *reader, size_t begin, size_t quote, char low)
{
    for (size_t i = begin; i < quote; i++) {
        if (tolower((unsigned char)reader->code[i]) == low)
            return true;
    }
    return false;
}

// Reads the rest of a string, `at` after its opening quotes or after a replacement field.
static void read_string(struct reader *reader, const struct level *string)
{
    const char *code = reader->code;
    size_t quotes = string->is_triple ? 3 : 1, first = string->at;
    while (!is_quote(code[first]))
        first++;
    bool is_format = has_prefix(reader, string->at, first, 'f');
    while (reader->at < reader->end) {
        char c = code[reader->at];
        if (c == '\\') {
            reader->at += 2;
        } else if (c == string->opening &&
                   (!string->is_triple || is_triple_at(reader, reader->at))) {
            reader->at += quotes;
            return;
        } else if (c == '\n' && !string->is_triple) {
            return;
        } else if (is_format && c == '{' && code[reader->at + 1] != '{') {
            push(reader, string->opening, string->at, string->is_triple);
            push(reader, '{', reader->at++, false);
            return;
        } else {
            reader->at += is_format && c == '{' ? 2 : 1;
        }
    }
    reader->at = reader->end;
    reader->context.string = first + quotes;
    reader->context.string_begin = string->at;
    reader->context.quote = string->opening;
}

static void begin_string(struct reader *reader)
{
    size_t quote = reader->at, begin = quote;
    while (begin > 0 && quote - begin < 2 && strchr("fFrRbBuU", reader->code[begin - 1]))
        begin--;
    if (begin > 0 && context_is_name_char(reader->code[begin - 1]))
        begin = quote;
    struct level string = {reader->code[quote], begin, is_triple_at(reader, quote)};
    reader->at += string.is_triple ? 3 : 1;
    read_string(reader, &string);
}

static void skip_line(struct reader *reader)
{
    while (reader->at < reader->end && reader->code[reader->at] != '\n')
        reader->at++;
}

// A line that begins with an escape is no Python, quotes in it mean nothing.
static void begin_statement(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t;", reader->code[reader->at]))
        reader->at++;
    reader->context.statement = reader->at;
    char c = reader->at < reader->end ? reader->code[reader->at] : '\0';
    reader->context.is_escape = c == '%' || c == '!';
    reader->context.is_cell_magic =
            reader->at == 0 && reader->end > 1 && c == '%' && reader->code[1] == '%';
    if (reader->context.is_escape) {
        skip_line(reader);
        // a cell magic's body is read as if it were Python
        reader->context.is_cell_magic &= reader->at == reader->end;
    }
}

// A closing bracket also closes what was left open inside it.
static void close_bracket(struct reader *reader, char closing)
{
    char opening = closing == ')' ? '(' : closing == ']' ? '[' : '{';
    for (int i = reader->depth; i-- > 0 && !is_quote(reader->levels[i].opening);) {
        if (reader->levels[i].opening != opening)
            continue;
        reader->depth = i;
        if (i > 0 && is_quote(reader->levels[i - 1].opening)) {
            struct level string = reader->levels[--reader->depth];
            read_string(reader, &string);
        }
        return;
    }
}

static void read_char(struct reader *reader)
{
    char c = reader->code[reader->at];
    if (is_quote(c)) {
        begin_string(reader);
        return;
    }
    if (c == '#') {
        skip_line(reader);
        reader->context.is_comment = reader->at == reader->end;
        return;
    }
    reader->at++;
    if (strchr("([{", c)) {
        push(reader, c, reader->at - 1, false);
    } else if (strchr(")]}", c)) {
        close_bracket(reader, c);
    } else if (c == '\\' && reader->at < reader->end) {
        reader->at++;
    } else if ((c == '\n' || c == ';') && reader->depth == 0) {
        begin_statement(reader);
    }
}

struct context context_find(const char *code, size_t end)
{
    struct reader reader = {.code = code, .end = end};
    reader.context.string = reader.context.bracket = CONTEXT_NONE;
    begin_statement(&reader);
    while (reader.at < end)
        read_char(&reader);
    if (reader.depth > 0)
        reader.context.bracket = reader.levels[reader.depth - 1].at;
    size_t line = end;
    while (line > 0 && code[line - 1] != '\n')
        line--;
    reader.context.line = line;
    return reader.context;
}

// ---- backward: one expression

// The opening bracket of the closing one at `end - 1`; CONTEXT_NONE when it is missing.
static size_t opening_of(const char *code, size_t end)
{
    int depth = 0;
    for (size_t i = end; i-- > 0;) {
        char c = code[i];
        if (is_quote(c)) {
            while (i > 0 && (code[i - 1] != c || (i > 1 && code[i - 2] == '\\')))
                i--;
            if (i == 0)
                return CONTEXT_NONE;
            i--;
        } else if (strchr(")]}", c)) {
            depth++;
        } else if (strchr("([{", c) && --depth == 0) {
            return i;
        }
    }
    return CONTEXT_NONE;
}

static size_t string_start(const char *code, size_t end)
{
    char quote = code[end - 1];
    for (size_t i = end - 1; i-- > 0 && code[i] != '\n';) {
        if (code[i] == quote && (i == 0 || code[i - 1] != '\\')) {
            size_t begin = i;
            while (begin > 0 && i - begin < 2 && strchr("fFrRbBuU", code[begin - 1]))
                begin--;
            return begin;
        }
    }
    return end;
}

size_t context_expression_start(const char *code, size_t end)
{
    size_t start = end;
    for (bool needs_atom = true; start > 0;) {
        char c = code[start - 1];
        size_t before = start;
        if (context_is_name_char(c)) {
            before = context_name_start(code, start);
        } else if (strchr(")]}", c)) {
            before = opening_of(code, start);
            if (before == CONTEXT_NONE)
                return end;
            start = before;
            // a literal or a bracketed expression, unless something is called or
            // subscripted
            needs_atom = false;
            if (c == '}' || before == 0 ||
                    (!context_is_name_char(code[before - 1]) &&
                            !strchr(")]\"'", code[before - 1])))
                return start;
            continue;
        } else if (is_quote(c)) {
            return string_start(code, start);
        } else {
            return needs_atom ? end : start;
        }
        start = before;
        needs_atom = false;
        if (start == 0 || code[start - 1] != '.')
            return start;
        start--;
        needs_atom = true;
    }
    return start;
}

// ---- names that the code binds

struct binder {
    const char *code;
    size_t end, at;
    void (*found)(const char *name, size_t len, enum binding kind, void *data);
    void *data;
    int depth;
    bool is_parameters; // inside the brackets of a def, or between lambda and its colon
    bool is_targets;    // after for, import, as: names up to the end of the list
    enum binding next;  // of the next name; BINDING_VALUE: none
};

static bool is_word(const char *name, size_t len, const char *word)
{
    return strlen(word) == len && !memcmp(name, word, len);
}

static bool is_one_of(const char *name, size_t len, const char *const *words)
{
    for (; *words; words++) {
        if (is_word(name, len, *words))
            return true;
    }
    return false;
}

static bool opens_line(const struct binder *binder, size_t start)
{
    while (start > 0 && strchr(" \t", binder->code[start - 1]))
        start--;
    return start == 0 || binder->code[start - 1] == '\n';
}

// Whether an assignment follows: `=`, `: type`, or more targets and then `=`.
static bool is_assigned(const struct binder *binder, size_t start)
{
    size_t i = binder->at;
    while (i < binder->end && strchr(" \t", binder->code[i]))
        i++;
    if (i >= binder->end)
        return false;
    char c = binder->code[i], next = i + 1 < binder->end ? binder->code[i + 1] : '\0';
    if (c == ':' && next == '=')
        return true;
    if (binder->depth > 0)
        return false;
    if (c == '=')
        return next != '=';
    if (c == ':' && opens_line(binder, start))
        return next == ' ';
    while (i < binder->end &&
            (context_is_name_char(binder->code[i]) || strchr(" \t,*()", binder->code[i])))
        i++;
    return c == ',' && i + 1 < binder->end && binder->code[i] == '=' &&
           binder->code[i + 1] != '=';
}

static void read_word(struct binder *binder, size_t start)
{
    static const char *const targets[] = {"for", "import", "as", NULL};
    static const char *const ends[] = {
            "in", "if", "else", "and", "or", "not", "return", NULL};
    const char *name = binder->code + start;
    size_t len = binder->at - start;
    if (is_one_of(name, len, targets)) {
        binder->is_targets = true;
    } else if (is_word(name, len, "def") || is_word(name, len, "class")) {
        binder->next = name[0] == 'd' ? BINDING_FUNCTION : BINDING_CLASS;
    } else if (is_word(name, len, "lambda")) {
        binder->is_parameters = true;
    } else if (is_one_of(name, len, ends)) {
        binder->is_targets = false;
    } else if (isdigit((unsigned char)name[0])) {
        return;
    } else if (binder->next != BINDING_VALUE) {
        binder->found(name, len, binder->next, binder->data);
        binder->is_parameters = binder->next == BINDING_FUNCTION;
        binder->next = BINDING_VALUE;
        binder->depth = 0;
    } else if (binder->is_parameters || binder->is_targets ||
               is_assigned(binder, start)) {
        enum binding kind = binder->is_parameters ? BINDING_PARAMETER : BINDING_VALUE;
        binder->found(name, len, kind, binder->data);
    }
}

static void read_mark(struct binder *binder, char c)
{
    if (strchr("([{", c))
        binder->depth++;
    else if (strchr(")]}", c) && binder->depth > 0)
        binder->depth--;
    if (c == '\n' && binder->depth == 0)
        binder->is_targets = false;
    if ((c == ':' || c == '\n') && binder->depth == 0)
        binder->is_parameters = binder->is_targets = false;
    // a default or an annotation ends where the next parameter begins
    if (binder->is_targets && (c == '=' || c == ':'))
        binder->is_targets = false;
}

void context_each_binding(const char *code, size_t len,
        void (*found)(const char *name, size_t len, enum binding kind, void *data),
        void *data)
{
    struct binder binder = {code, len, 0, found, data, 0, false, false, BINDING_VALUE};
    struct reader reader = {.code = code, .end = len};
    while (binder.at < len) {
        char c = code[binder.at];
        size_t start = binder.at;
        if (context_is_name_char(c)) {
            while (binder.at < len && context_is_name_char(code[binder.at]))
                binder.at++;
            if (start == 0 || code[start - 1] != '.')
                read_word(&binder, start);
        } else if (is_quote(c) || c == '#') {
            reader.at = start;
            reader.depth = 0;
            read_char(&reader);
            binder.at = reader.at > len ? len : reader.at;
        } else {
            read_mark(&binder, c);
            binder.at++;
        }
    }
}
