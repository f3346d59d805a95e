// SPDX-License-Identifier: MIT
// The grammar: [SESSION/]START[-END or :END], where `-` includes the end, a session is a
// number or ~N for the Nth before this one, and END may name a session of its own.
#include "kernel/history/history_ranges.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SESSIONS = 10000, LARGEST_NUMBER = 1000000000 };

// Digits; of numbers that no history has, the largest, so that sums and differences hold.
static long long read_number(const char *text, char **end)
{
    long long number = strtoll(text, end, 10);
    return number < LARGEST_NUMBER ? number : LARGEST_NUMBER;
}

// `3/` or `~3/`. False, with *text where it was, when there is none.
static bool read_session(const char **text, long long *session)
{
    const char *p = *text;
    bool is_relative = *p == '~';
    p += is_relative;
    if (!isdigit((unsigned char)*p))
        return false;
    char *end;
    long long number = read_number(p, &end);
    if (*end != '/')
        return false;
    *session = is_relative ? -number : number;
    *text = end + 1;
    return true;
}

static bool read_line(const char **text, long long *line)
{
    if (!isdigit((unsigned char)**text))
        return false;
    char *end;
    *line = read_number(*text, &end);
    *text = end;
    return true;
}

static void add(
        struct history_ranges *ranges, long long session, long long start, long long stop)
{
    vec_push(&ranges->list, (struct history_range){session, start, stop});
}

static bool is_blank(char c)
{
    return !c || isspace((unsigned char)c);
}

// One word; nothing is added when it is no range.
static void read_word(struct history_ranges *ranges, const char *p)
{
    long long first = 0, last, start = 0, end = 0;
    bool has_session = read_session(&p, &first), has_start = read_line(&p, &start);
    if (!has_session && !has_start)
        return;
    last = first;
    if (!has_start) {
        if (is_blank(*p))
            add(ranges, first, 1, 0);
        return;
    }
    if (is_blank(*p)) {
        add(ranges, first, start, start + 1);
        return;
    }
    char separator = *p++;
    read_session(&p, &last);
    bool is_range = (separator == '-' || separator == ':') && read_line(&p, &end);
    if (!is_range || !is_blank(*p) || last < first || last - first > MOST_SESSIONS)
        return;
    end += separator == '-';
    if (last == first) {
        add(ranges, first, start, end);
        return;
    }
    add(ranges, first, start, 0);
    for (long long session = first + 1; session < last; session++)
        add(ranges, session, 1, 0);
    add(ranges, last, 1, end);
}

void history_ranges_parse(struct history_ranges *ranges, const char *text)
{
    while (*text) {
        text += strspn(text, " \t\n");
        if (*text)
            read_word(ranges, text);
        text += strcspn(text, " \t\n");
    }
}

void history_ranges_finish(struct history_ranges *ranges)
{
    vec_finish(&ranges->list);
}
