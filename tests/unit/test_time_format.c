// SPDX-License-Identifier: MIT
// Time spans in the words of %time and %timeit.
#include "tests/unit/test.h"

#include "kernel/cells/time_format.h"

TEST(spans_in_words)
{
    static const struct {
        double seconds;
        int precision;
        const char *text;
    } cases[] = {{376e-9, 3, "376 ns"}, {1.5e-6, 3, "1.5 \u03bcs"},
            {0.0123456, 3, "12.3 ms"}, {0.0123456, 5, "12.346 ms"},
            {0.9999, 3, "1e+03 ms"}, {1.0, 3, "1 s"}, {12.3456, 3, "12.3 s"},
            {60.0, 3, "1min"}, {63.5, 3, "1min 3s"}, {3600.0, 3, "1h"},
            {7507.0, 3, "2h 5min 7s"}, {93600.5, 3, "1d 2h"}, {0, 3, "0 ns"},
            {-1, 3, "0 ns"}, {1e-12, 3, "0.001 ns"}, {5e-4, 3, "500 \u03bcs"},
            {1e-3, 3, "1 ms"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        time_format(cases[i].seconds, cases[i].precision, text, sizeof text);
        CHECK_STR(text, cases[i].text);
    }
}
