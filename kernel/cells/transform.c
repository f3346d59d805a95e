// SPDX-License-Identifier: MIT
// A tokenizer that knows just enough Python (strings, comments, brackets, continuation)
// to find where statements start, and rewrites the few forms there that are not Python.
#include "kernel/cells/transform.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const char *text;
    size_t len;
};

static char at(const struct source *source, size_t pos)
{
    return pos < source->len ? source->text[pos] : '\0';
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_name_start(char c)
{
    return is_name_char(c) && !isdigit((unsigned char)c);
}

static size_t skip_blanks(const struct source *source, size_t pos)
{
    while (at(source, pos) == ' ' || at(source, pos) == '\t')
        pos++;
    return pos;
}

static size_t line_end(const struct source *source, size_t pos)
{
    while (pos < source->len && source->text[pos] != '\n')
        pos++;
    return pos;
}

// Past the string literal whose quote is at `pos`; a simple one ends at the line's end at
// latest.
static size_t skip_string(const struct source *source, size_t pos)
{
    char quote = at(source, pos);
    bool is_triple = at(source, pos + 1) == quote && at(source, pos + 2) == quote;
    for (pos += is_triple ? 3 : 1; pos < source->len; pos++) {
        char c = source->text[pos];
        if (c == '\\')
            pos++;
        else if (!is_triple && (c == quote || c == '\n'))
            return c == quote ? pos + 1 : pos;
        else if (c == quote && at(source, pos + 1) == quote &&
                 at(source, pos + 2) == quote)
            return pos + 3;
    }
    return source->len;
}

void transform_quote(struct str *out, const char *text, size_t len)
{
    char quote = memchr(text, '\'', len) && !memchr(text, '"', len) ? '"' : '\'';
    static const char blanks[] = "\n\t\r", letters[] = "ntr";
    str_append_char(out, quote);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        const char *blank = memchr(blanks, c, sizeof blanks - 1);
        if (blank)
            str_printf(out, "\\%c", letters[blank - blanks]);
        else if (c == (unsigned char)quote || c == '\\')
            str_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            str_printf(out, "\\x%02x", c);
        else
            str_append_char(out, (char)c);
    }
    str_append_char(out, quote);
}

// ---- whole-cell steps: indentation and prompts

static size_t first_code_line(const struct source *source)
{
    size_t pos = 0;
    while (pos < source->len) {
        size_t end = line_end(source, pos);
        size_t text = skip_blanks(source, pos);
        if (text < end && at(source, text) != '\r')
            return pos;
        pos = end + 1;
    }
    return source->len;
}

// The length of a prompt at `pos`: `>>> `, `... `, `In [3]: `, `   ...: `; 0 for none.
static size_t prompt_len(const struct source *source, size_t pos)
{
    size_t start = pos;
    pos = skip_blanks(source, pos);
    const char *text = source->text + pos;
    size_t left = source->len - pos;
    if (left >= 3 && (!memcmp(text, ">>>", 3) || !memcmp(text, "...", 3))) {
        pos += at(source, pos + 3) == ':' ? 4 : 3;
    } else if (left >= 4 && !memcmp(text, "In [", 4)) {
        for (pos += 4; isdigit((unsigned char)at(source, pos)); pos++)
            ;
        if (at(source, pos) != ']' || at(source, pos + 1) != ':')
            return 0;
        pos += 2;
    } else {
        return 0;
    }
    return pos - start + (at(source, pos) == ' ');
}

// Copies the cell without its prompts, or without the indentation of its first line.
static bool strip_margin(const struct source *source, struct str *out)
{
    size_t first = first_code_line(source);
    bool has_prompt =
            prompt_len(source, first) > 0 && strncmp(source->text + first, "...", 3);
    size_t indent = skip_blanks(source, first) - first;
    if (!has_prompt && indent == 0)
        return false;
    for (size_t pos = 0; pos < source->len;) {
        size_t end = line_end(source, pos), start = pos;
        if (has_prompt)
            start += prompt_len(source, pos);
        else if (pos + indent <= end &&
                 !memcmp(source->text + pos, source->text + first, indent))
            start += indent;
        str_append_bytes(out, source->text + start, end - start + (end < source->len));
        pos = end + 1;
    }
    return true;
}

// ---- rewriting one escaped line

// The text of an escape from `pos` on, its backslash continuations joined by a blank.
// *end is past its last newline; *lines the number of newlines inside.
static char *escape_text(const struct source *source, size_t pos, size_t *end, int *lines)
{
    struct str text = {0};
    *lines = 0;
    for (;;) {
        size_t stop = line_end(source, pos), last = stop;
        while (last > pos && isspace((unsigned char)source->text[last - 1]))
            last--;
        bool continues =
                last > pos && source->text[last - 1] == '\\' && stop < source->len;
        if (continues)
            last--;
        while (continues && last > pos && isspace((unsigned char)source->text[last - 1]))
            last--;
        str_append_bytes(&text, source->text + pos, last - pos);
        pos = stop + 1;
        if (!continues)
            break;
        str_append_char(&text, ' ');
        pos = skip_blanks(source, pos);
        ++*lines;
    }
    *end = pos < source->len ? pos : source->len;
    return str_take(&text);
}

static void emit_call(
        struct str *out, const char *method, const char *first, size_t first_len)
{
    str_printf(out, "get_ipython().%s(", method);
    transform_quote(out, first, first_len);
    str_append_char(out, ')');
}

static void emit_line_magic(
        struct str *out, const char *name, size_t name_len, const char *line)
{
    str_append(out, "get_ipython().run_line_magic(");
    transform_quote(out, name, name_len);
    str_append(out, ", ");
    transform_quote(out, line, strlen(line));
    str_append_char(out, ')');
}

static void emit_help(struct str *out, const char *target, size_t len, bool is_detailed)
{
    const char *magic = memchr(target, '*', len) ? "psearch"
                        : is_detailed            ? "pinfo2"
                                                 : "pinfo";
    char *name = strndup(target, len);
    emit_line_magic(out, magic, strlen(magic), name ? name : "");
    free(name);
}

// `text` follows a percent sign.
static void emit_magic(struct str *out, const char *text)
{
    size_t len = strlen(text);
    if (len > 1 && text[len - 1] == '?' && !strpbrk(text, " \t")) {
        bool is_detailed = text[len - 2] == '?';
        struct str target = {0};
        str_append_char(&target, '%');
        str_append_bytes(&target, text, len - (is_detailed ? 2 : 1));
        emit_help(out, target.text, target.len, is_detailed);
        str_finish(&target);
        return;
    }
    size_t name_len = strcspn(text, " \t");
    const char *rest = text + name_len + strspn(text + name_len, " \t");
    emit_line_magic(out, text, name_len, rest);
}

// `/f a b`, `,f a b` and `;f a b`: calls with the words as they are, each one quoted, or
// quoted as a whole.
static void emit_called(struct str *out, char kind, const char *text)
{
    size_t name_len = strcspn(text, " \t");
    str_append_bytes(out, text, name_len);
    str_append_char(out, '(');
    const char *word = text + name_len + strspn(text + name_len, " \t");
    for (bool is_first = true; *word; is_first = false) {
        size_t len = kind == ';' ? strlen(word) : strcspn(word, " \t");
        if (!is_first)
            str_append(out, ", ");
        if (kind == '/')
            str_append_bytes(out, word, len);
        else
            transform_quote(out, word, len);
        word += len + strspn(word + len, " \t");
    }
    str_append_char(out, ')');
}

// `text` starts with one of the characters that is_escape knows.
static void emit_escape(struct str *out, const char *text, bool is_value)
{
    bool is_double = text[0] == text[1];
    const char *rest = text + (is_double ? 2 : 1);
    rest += strspn(rest, " \t");
    if (*text == '%')
        emit_magic(out, text + 1);
    else if (strchr("/,;", *text))
        emit_called(out, *text, text + 1);
    else if (*text == '!')
        emit_call(
                out, is_double || is_value ? "getoutput" : "system", rest, strlen(rest));
    else
        emit_help(out, rest, strlen(rest), is_double);
}

static bool is_escape(const struct source *source, size_t pos)
{
    char c = at(source, pos), next = at(source, pos + 1);
    if (c == '!')
        return next != '=';
    if (c == '?')
        return true;
    if (c == '/' || c == ',' || c == ';')
        return is_name_start(next);
    return c == '%' && (is_name_start(next) || next == '%');
}

// ---- statements

struct statement {
    size_t end;    // past its newline
    size_t escape; // where the escape of `x = %magic` or `x = !cmd` starts; 0: none
    size_t help;   // the first question mark of a final `?` or `??`; 0: none
};

static bool is_plain_assignment(const struct source *source, size_t pos)
{
    char before = pos ? at(source, pos - 1) : '\0';
    return at(source, pos + 1) != '=' && !(before && strchr("=<>!+-*/%&|^@:", before));
}

// Whether only question marks and blanks are left of the line.
static bool is_final_help(const struct source *source, size_t pos)
{
    size_t end = pos;
    while (at(source, end) == '?')
        end++;
    size_t rest = skip_blanks(source, end);
    return end - pos <= 2 && (rest >= source->len || at(source, rest) == '\n');
}

static struct statement scan_statement(const struct source *source, size_t pos)
{
    struct statement found = {0};
    size_t start = pos;
    int depth = 0;
    bool has_assignment = false;
    while (pos < source->len) {
        char c = source->text[pos];
        if (c == '#') {
            pos = line_end(source, pos);
            continue;
        }
        if (c == '"' || c == '\'') {
            pos = skip_string(source, pos);
            continue;
        }
        if (c == '\n' && depth == 0)
            break;
        if (strchr("([{", c))
            depth++;
        else if (strchr(")]}", c))
            depth -= depth > 0;
        else if (c == '\\')
            pos++;
        else if (c == '?' && depth == 0 && pos > start && is_final_help(source, pos))
            found.help = found.help ? found.help : pos;
        else if (c == '=' && depth == 0 && !has_assignment &&
                 is_plain_assignment(source, pos)) {
            has_assignment = true;
            size_t value = skip_blanks(source, pos + 1);
            if (is_escape(source, value) && !strchr("?/,;", at(source, value))) {
                found.escape = value;
                break;
            }
        }
        pos++;
    }
    found.end = pos < source->len ? pos + 1 : source->len;
    return found;
}

static void end_lines(const struct source *source, struct str *out, size_t end, int lines)
{
    bool has_newline = end > 0 && source->text[end - 1] == '\n';
    for (int i = 0; i < lines + has_newline; i++)
        str_append_char(out, '\n');
}

static size_t rewrite_escape(
        const struct source *source, struct str *out, size_t pos, bool is_value)
{
    size_t end;
    int lines;
    char *text = escape_text(source, pos, &end, &lines);
    emit_escape(out, text, is_value);
    free(text);
    end_lines(source, out, end, lines);
    return end;
}

// `name?` and `a.b[0]??`: help on the expression right before the mark.
static bool rewrite_help(
        const struct source *source, struct str *out, size_t start, size_t help)
{
    size_t from = help;
    while (from > start && (is_name_char(at(source, from - 1)) ||
                                   strchr(".*%[]'\"", at(source, from - 1))))
        from--;
    if (from == help)
        return false;
    emit_help(out, source->text + from, help - from, at(source, help + 1) == '?');
    return true;
}

static size_t rewrite_statement(const struct source *source, struct str *out, size_t pos)
{
    size_t text = skip_blanks(source, pos);
    if (is_escape(source, text)) {
        str_append_bytes(out, source->text + pos, text - pos);
        return rewrite_escape(source, out, text, false);
    }
    struct statement found = scan_statement(source, pos);
    if (found.escape) {
        str_append_bytes(out, source->text + pos, found.escape - pos);
        return rewrite_escape(source, out, found.escape, true);
    }
    size_t mark = out->len;
    if (found.help) {
        str_append_bytes(out, source->text + pos, text - pos);
        if (rewrite_help(source, out, text, found.help)) {
            end_lines(source, out, found.end, 0);
            return found.end;
        }
        out->len = mark;
    }
    str_append_bytes(out, source->text + pos, found.end - pos);
    return found.end;
}

// ---- cell magics and one-line cells

static bool is_cell_magic_at(const struct source *source, size_t pos)
{
    if (at(source, pos) != '%' || at(source, pos + 1) != '%')
        return false;
    size_t name = pos + 2;
    while (name < source->len && !isspace((unsigned char)source->text[name]))
        name++;
    return name > pos + 2 && source->text[name - 1] != '?';
}

bool transform_is_cell_magic(const char *code, size_t len)
{
    struct source source = {code, len};
    return is_cell_magic_at(&source, first_code_line(&source));
}

static void rewrite_cell_magic(const struct source *source, struct str *out, size_t pos)
{
    size_t end = line_end(source, pos), last = end;
    while (last > pos && isspace((unsigned char)source->text[last - 1]))
        last--;
    size_t name_end = pos + 2;
    while (name_end < last && !isspace((unsigned char)source->text[name_end]))
        name_end++;
    size_t line = name_end < last ? skip_blanks(source, name_end) : last;
    str_append_bytes(out, source->text, pos);
    str_append(out, "get_ipython().run_cell_magic(");
    transform_quote(out, source->text + pos + 2, name_end - pos - 2);
    str_append(out, ", ");
    transform_quote(out, source->text + line, last - line);
    str_append(out, ", ");
    struct str body = {0};
    if (end + 1 < source->len)
        str_append_bytes(&body, source->text + end + 1, source->len - end - 1);
    if (body.len && body.text[body.len - 1] != '\n')
        str_append_char(&body, '\n');
    transform_quote(out, str_text(&body), body.len);
    str_finish(&body);
    str_append(out, ")\n");
}

static bool is_blank_from(const struct source *source, size_t pos)
{
    while (pos < source->len && isspace((unsigned char)source->text[pos]))
        pos++;
    return pos == source->len;
}

// A cell of one line whose first word is a magic: `ls -l`, `cd ..`, `pip install x`; or
// `exit`.
static bool rewrite_automagic(const struct source *source, struct str *out,
        const struct transform_options *options)
{
    size_t pos = first_code_line(source), end = line_end(source, pos), stop = pos;
    if (!is_name_start(at(source, pos)) || !is_blank_from(source, end))
        return false;
    while (is_name_char(at(source, stop)))
        stop++;
    size_t rest = skip_blanks(source, stop);
    char *name = strndup(source->text + pos, stop - pos);
    bool is_alone = is_blank_from(source, rest);
    bool is_exit = is_alone && name && (!strcmp(name, "exit") || !strcmp(name, "quit"));
    bool is_operator =
            rest < end && strchr("=<>+*,;:&|^@%()[]{}?", at(source, rest)) != NULL;
    bool is_magic = name && !is_operator && (rest > stop || is_alone) &&
                    options->is_automagic && options->is_automagic(name, options->data);
    free(name);
    if (!is_exit && !is_magic)
        return false;
    str_append_bytes(out, source->text, is_exit ? stop : pos);
    if (is_exit) {
        str_append(out, "()\n");
        return true;
    }
    size_t next;
    int lines;
    char *text = escape_text(source, pos, &next, &lines);
    emit_magic(out, text);
    free(text);
    str_append_char(out, '\n');
    return true;
}

// `f a, b` in a cell of one line, where %autocall says that it means f(a, b).
static bool rewrite_autocall(const struct source *source, struct str *out,
        const struct transform_options *options)
{
    static const char *const operators[] = {"is ", "not ", "in ", "and ", "or ", "if "};
    size_t pos = first_code_line(source), end = line_end(source, pos), stop = pos;
    if (!options->is_called || !is_name_start(at(source, pos)) ||
            !is_blank_from(source, end))
        return false;
    while (is_name_char(at(source, stop)) || at(source, stop) == '.')
        stop++;
    size_t rest = skip_blanks(source, stop), last = end;
    while (last > rest && isspace((unsigned char)source->text[last - 1]))
        last--;
    bool has_rest = rest < last;
    if (has_rest && (rest == stop || strchr("=<>,&^|*/+-%@:;.([{#?!", at(source, rest)) ||
                            memchr(source->text + rest, '=', last - rest)))
        return false;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!strncmp(source->text + rest, operators[i], strlen(operators[i])))
            return false;
    }
    char *name = strndup(source->text + pos, stop - pos);
    bool is_called = name && options->is_called(name, has_rest, options->data);
    free(name);
    if (!is_called)
        return false;
    str_append_bytes(out, source->text, stop);
    str_append_char(out, '(');
    str_append_bytes(out, source->text + rest, last - rest);
    str_append(out, ")\n");
    return true;
}

// Whether anything in the cell can need rewriting: most cells hold none of these
// characters.
static bool may_need_rewriting(const struct source *source)
{
    if (memchr(source->text, '%', source->len) ||
            memchr(source->text, '!', source->len) ||
            memchr(source->text, '?', source->len))
        return true;
    for (size_t pos = 0; pos < source->len; pos = line_end(source, pos) + 1) {
        char first = at(source, skip_blanks(source, pos));
        if (first && strchr("/,;", first))
            return true;
    }
    return false;
}

char *transform_cell(
        const char *code, size_t len, const struct transform_options *options)
{
    struct source source = {code, len};
    struct str stripped = {0}, out = {0};
    if (strip_margin(&source, &stripped))
        source = (struct source){str_text(&stripped), stripped.len};
    size_t first = first_code_line(&source);
    if (memchr(code, '\0', len)) {
        str_append_bytes(&out, source.text, source.len);
    } else if (is_cell_magic_at(&source, first)) {
        rewrite_cell_magic(&source, &out, first);
    } else if (!rewrite_automagic(&source, &out, options) &&
               !rewrite_autocall(&source, &out, options)) {
        bool rewrites = may_need_rewriting(&source);
        for (size_t pos = 0; rewrites && pos < source.len;)
            pos = rewrite_statement(&source, &out, pos);
        if (!rewrites)
            str_append_bytes(&out, source.text, source.len);
    }
    str_finish(&stripped);
    return str_take(&out);
}

bool transform_ends_with_semicolon(const char *code, size_t len)
{
    struct source source = {code, len};
    char last = '\0';
    for (size_t pos = 0; pos < len;) {
        char c = code[pos];
        if (c == '#') {
            pos = line_end(&source, pos);
        } else if (c == '"' || c == '\'') {
            pos = skip_string(&source, pos);
            last = c;
        } else {
            last = isspace((unsigned char)c) ? last : c;
            pos++;
        }
    }
    return last == ';';
}
