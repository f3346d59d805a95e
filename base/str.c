// SPDX-License-Identifier: MIT
// Text that is put together piece by piece.
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void reserve(struct str *str, size_t more)
{
    size_t needed = str->len + more + 1;
    if (needed <= str->capacity)
        return;
    size_t capacity = str->capacity ? str->capacity : 64;
    while (capacity < needed)
        capacity *= 2;
    str->text = memory_realloc(str->text, capacity);
    str->capacity = capacity;
}

void str_reserve(struct str *str, size_t more)
{
    size_t needed = str->len + more + 1;
    if (needed <= str->capacity)
        return;
    str->text = memory_realloc(str->text, needed);
    str->capacity = needed;
    str->text[str->len] = '\0';
}

void str_append_bytes(struct str *str, const void *bytes, size_t len)
{
    reserve(str, len);
    if (len)
        memcpy(str->text + str->len, bytes, len);
    str->len += len;
    str->text[str->len] = '\0';
}

void str_append(struct str *str, const char *text)
{
    str_append_bytes(str, text, strlen(text));
}

void str_append_char(struct str *str, char c)
{
    str_append_bytes(str, &c, 1);
}

void str_vprintf(struct str *str, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len > 0) {
        reserve(str, (size_t)len);
        vsnprintf(str->text + str->len, (size_t)len + 1, format, again);
        str->len += (size_t)len;
    }
    va_end(again);
}

void str_printf(struct str *str, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_vprintf(str, format, args);
    va_end(args);
}

void str_clear(struct str *str)
{
    str->len = 0;
    if (str->text)
        str->text[0] = '\0';
}

const char *str_text(const struct str *str)
{
    return str->text ? str->text : "";
}

char *str_take(struct str *str)
{
    reserve(str, 0);
    char *text = str->text;
    text[str->len] = '\0';
    *str = (struct str){0};
    return text;
}

void str_finish(struct str *str)
{
    free(str->text);
    *str = (struct str){0};
}

bool str_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *words_from(const char *words, size_t i)
{
    for (; i && *words; i--) {
        words += strcspn(words, " ");
        words += *words == ' ';
    }
    return words;
}

bool words_have(const char *words, const char *word, size_t len)
{
    for (; *words; words = words_from(words, 1))
        if (strcspn(words, " ") == len && !memcmp(words, word, len))
            return true;
    return false;
}

bool str_ends_with(const char *text, const char *suffix)
{
    size_t text_len = strlen(text), suffix_len = strlen(suffix);
    return text_len >= suffix_len && strcmp(text + text_len - suffix_len, suffix) == 0;
}

bool str_append_file(struct str *str, const char *path)
{
    FILE *file = fopen(path, "rb");
    char chunk[8192];
    size_t got;
    if (!file)
        return false;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        str_append_bytes(str, chunk, got);
    fclose(file);
    return true;
}
