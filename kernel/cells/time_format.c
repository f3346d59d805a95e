// SPDX-License-Identifier: MIT
// Notebooks parse these texts, so the odd cases stay as people know them (999.9 ms:
// `1e+03 ms`).
#include "kernel/cells/time_format.h"

#include <math.h>
#include <stdio.h>

static void format_long(double seconds, char *text, size_t size)
{
    static const struct {
        const char *suffix;
        double seconds;
    } units[] = {{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}};
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < 4 && used < size; i++) {
        int value = (int)(seconds / units[i].seconds);
        if (value > 0) {
            seconds = fmod(seconds, units[i].seconds);
            used += (size_t)snprintf(text + used, size - used, "%s%d%s", used ? " " : "",
                    value, units[i].suffix);
        }
        if (seconds < 1)
            return;
    }
}

void time_format(double seconds, int precision, char *text, size_t size)
{
    static const char *const units[] = {"s", "ms", "\u03bcs", "ns"};
    static const double scales[] = {1, 1e3, 1e6, 1e9};
    if (seconds >= 60) {
        format_long(seconds, text, size);
        return;
    }
    int order = 3;
    if (seconds > 0) {
        int magnitude = (int)floor(log10(seconds));
        order = magnitude >= 0 ? 0 : (-magnitude + 2) / 3;
        order = order > 3 ? 3 : order;
    }
    snprintf(text, size, "%.*g %s", precision,
            seconds > 0 ? seconds * scales[order] : 0.0, units[order]);
}
