// SPDX-License-Identifier: MIT
// Words, numbers, strings and comments; the colours are those of IPython 9's default
// theme.
#include "kernel/cells/highlight.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char keywords[] = " False None True and as assert async await break class "
                               "continue def del elif else except "
                               "finally for from global if import in is lambda nonlocal "
                               "not or pass raise return try "
                               "while with yield ";
static const char builtins[] =
        " abs all any bool bytes dict dir enumerate eval exec filter float format "
        "getattr hasattr "
        "hash id input int isinstance iter len list map max min next object open print "
        "range repr "
        "reversed round self set setattr sorted str sum super tuple type vars zip ";

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_listed(const char *list, const char *word, size_t len)
{
    char padded[32];
    if (len + 3 > sizeof padded)
        return false;
    padded[0] = ' ';
    memcpy(padded + 1, word, len);
    memcpy(padded + 1 + len, " ", 2);
    return strstr(list, padded) != NULL;
}

static void put(struct str *out, const char *before, const char *text, size_t len,
        const char *after)
{
    str_append(out, before);
    str_append_bytes(out, text, len);
    str_append(out, after);
}

static size_t string_len(const char *text, size_t len)
{
    char quote = text[0];
    bool is_triple = len >= 3 && text[1] == quote && text[2] == quote;
    for (size_t i = is_triple ? 3 : 1; i < len; i++) {
        if (text[i] == '\n' && !is_triple)
            return i;
        if (text[i] == '\\')
            i++;
        else if (!is_triple && text[i] == quote)
            return i + 1;
        else if (text[i] == quote && i + 2 < len && text[i + 1] == quote &&
                 text[i + 2] == quote)
            return i + 3;
    }
    return len;
}

static size_t put_word(struct str *out, const char *text, size_t len, bool shows_builtins)
{
    size_t end = 0;
    while (end < len && is_word_char(text[end]))
        end++;
    if (isdigit((unsigned char)text[0]))
        put(out, "\033[32m", text, end, "\033[39m");
    else if (is_listed(keywords, text, end))
        put(out, "\033[38;5;28;01m", text, end, "\033[39;00m");
    else if (shows_builtins && is_listed(builtins, text, end))
        put(out, "\033[38;5;28m", text, end, "\033[39m");
    else
        str_append_bytes(out, text, end);
    return end;
}

// Appends what begins at `text` and returns how much of it that was.
static size_t put_token(
        struct str *out, const char *text, size_t len, bool shows_builtins)
{
    size_t end = 1;
    if (text[0] == '#') {
        const char *newline = memchr(text, '\n', len);
        end = newline ? (size_t)(newline - text) : len;
        put(out, "\033[38;5;66;03m", text, end, "\033[39;00m");
    } else if (text[0] == '"' || text[0] == '\'') {
        end = string_len(text, len);
        put(out, "\033[33m", text, end, "\033[39m");
    } else if (is_word_char(text[0])) {
        end = put_word(out, text, len, shows_builtins);
    } else {
        str_append_char(out, text[0]);
    }
    return end;
}

void highlight_source(struct str *out, const char *source, size_t len)
{
    for (size_t i = 0; i < len;)
        i += put_token(out, source + i, len - i, false);
}

void highlight_line(struct str *out, const char *line, size_t len)
{
    for (size_t i = 0; i < len;)
        i += put_token(out, line + i, len - i, true);
}
