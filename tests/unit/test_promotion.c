// SPDX-License-Identifier: MIT
// The promotion table: the result type of each operator and of some functions for every
// pair of number types, as numba gives it. A type is one letter, its place in `letters`;
// '-': there is no such operation.
// Operators know no order of complex numbers; np.minimum has NumPy's.
#include "test.h"

#include "infer_support.h"

static const char letters[] = "0123456789abc";
static const char *const names[] = {"bool", "int8", "int16", "int32", "int64", "uint8",
        "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128"};

enum { TYPES = sizeof names / sizeof *names };

static char result_letter(struct source *source, const char *types)
{
    struct error err = {0};
    struct ir_function *function = support_infer(source, types, TARGET_HOST, &err);
    for (int i = 0; function && i < TYPES; i++)
        if (function->returns == support_type(names[i]))
            return letters[i];
    return function ? '?' : '-';
}

static struct source *import_expression(const char *params, const char *expression)
{
    char code[128];
    struct error err = {0};
    snprintf(code, sizeof code, "def f(%s):\n    return %s\n", params, expression);
    struct source *source = support_import(code, &err);
    if (!source)
        TEST_FAIL("%s: %s", expression, err.message);
    return source;
}

static void check_pair(struct source *source, const char *expression,
        const char *const *rows, int a, int b)
{
    char types[64];
    snprintf(types, sizeof types, "%s %s", names[a], names[b]);
    char actual = result_letter(source, types);
    if (actual != rows[a][b])
        TEST_FAIL("%s for %s: %c, expected %c", expression, types, actual, rows[a][b]);
}

TEST(pairs)
{
    static const struct {
        const char *expression;
        const char *rows[TYPES];
    } tables[] = {
            {"a + b", {"4444444449abc", "4444444449abc", "4444444449abc", "444444444aacc",
                              "444444444aacc", "4444488889abc", "444448888aacc",
                              "444448888aacc", "444448888aacc", "999aa9aaa9abc",
                              "aaaaaaaaaaacc", "bbbccbcccbcbc", "ccccccccccccc"}},
            {"a - b", {"4444444449abc", "4444444449abc", "4444444449abc", "444444444aacc",
                              "444444444aacc", "4444488889abc", "444448888aacc",
                              "444448888aacc", "444448888aacc", "999aa9aaa9abc",
                              "aaaaaaaaaaacc", "bbbccbcccbcbc", "ccccccccccccc"}},
            {"a * b", {"4444444449abc", "4444444449abc", "4444444449abc", "444444444aacc",
                              "444444444aacc", "4444488889abc", "444448888aacc",
                              "444448888aacc", "444448888aacc", "999aa9aaa9abc",
                              "aaaaaaaaaaacc", "bbbccbcccbcbc", "ccccccccccccc"}},
            {"a / b", {"aaaaaaaaa9abc", "aaaaaaaaa9abc", "aaaaaaaaa9abc", "aaaaaaaaaaacc",
                              "aaaaaaaaaaacc", "aaaaaaaaa9abc", "aaaaaaaaaaacc",
                              "aaaaaaaaaaacc", "aaaaaaaaaaacc", "999aa9aaa9abc",
                              "aaaaaaaaaaacc", "bbbccbcccbcbc", "ccccccccccccc"}},
            {"a // b",
                    {"4444444449a--", "4444444449a--", "4444444449a--", "444444444aa--",
                            "444444444aa--", "4444488889a--", "444448888aa--",
                            "444448888aa--", "444448888aa--", "999aa9aaa9a--",
                            "aaaaaaaaaaa--", "-------------", "-------------"}},
            {"a % b", {"4444444449a--", "4444444449a--", "4444444449a--", "444444444aa--",
                              "444444444aa--", "4444488889a--", "444448888aa--",
                              "444448888aa--", "444448888aa--", "999aa9aaa9a--",
                              "aaaaaaaaaaa--", "-------------", "-------------"}},
            {"a ** b",
                    {"4449444449abc", "4444444449abc", "4444444449abc", "444444444aacc",
                            "444444444aacc", "4444488889abc", "444448888aacc",
                            "444448888aacc", "444448888aacc", "9999999999abc",
                            "aaaaaaaaaaacc", "bbbccbcccbcbc", "ccccccccccccc"}},
            {"a << b",
                    {"444444444----", "444444444----", "444444444----", "444444444----",
                            "444444444----", "888888888----", "888888888----",
                            "888888888----", "888888888----", "-------------",
                            "-------------", "-------------", "-------------"}},
            {"a >> b",
                    {"444444444----", "444444444----", "444444444----", "444444444----",
                            "444444444----", "888888888----", "888888888----",
                            "888888888----", "888888888----", "-------------",
                            "-------------", "-------------", "-------------"}},
            {"a & b", {"044444444----", "444444444----", "444444444----", "444444444----",
                              "444444444----", "444448888----", "444448888----",
                              "444448888----", "444448888----", "-------------",
                              "-------------", "-------------", "-------------"}},
            {"a | b", {"044444444----", "444444444----", "444444444----", "444444444----",
                              "444444444----", "444448888----", "444448888----",
                              "444448888----", "444448888----", "-------------",
                              "-------------", "-------------", "-------------"}},
            {"a ^ b", {"044444444----", "444444444----", "444444444----", "444444444----",
                              "444444444----", "444448888----", "444448888----",
                              "444448888----", "444448888----", "-------------",
                              "-------------", "-------------", "-------------"}},
            {"a < b", {"00000000000--", "00000000000--", "00000000000--", "00000000000--",
                              "00000000000--", "00000000000--", "00000000000--",
                              "00000000000--", "00000000000--", "00000000000--",
                              "00000000000--", "-------------", "-------------"}},
            {"a == b",
                    {"0000000000000", "0000000000000", "0000000000000", "0000000000000",
                            "0000000000000", "0000000000000", "0000000000000",
                            "0000000000000", "0000000000000", "0000000000000",
                            "0000000000000", "0000000000000", "0000000000000"}},
            {"min(a, b)",
                    {"0123456789a--", "11234234a9a--", "22234234a9a--", "33334334aaa--",
                            "44444444aaa--", "5223456789a--", "6333466789a--",
                            "744447778aa--", "8aaaa8888aa--", "999aa99aa9a--",
                            "aaaaaaaaaaa--", "-------------", "-------------"}},
            {"math.pow(a, b)",
                    {"aaaaaaaaa9a--", "aaaaaaaaa9a--", "aaaaaaaaa9a--", "aaaaaaaaaaa--",
                            "aaaaaaaaaaa--", "aaaaaaaaa9a--", "aaaaaaaaaaa--",
                            "aaaaaaaaaaa--", "aaaaaaaaaaa--", "9aaaaaaaa9a--",
                            "aaaaaaaaaaa--", "-------------", "-------------"}},
            {"math.atan2(a, b)",
                    {"aaaaaaaaa9a--", "aaaaaaaaa9a--", "aaaaaaaaa9a--", "aaaaaaaaaaa--",
                            "aaaaaaaaaaa--", "aaaaaaaaa9a--", "aaaaaaaaaaa--",
                            "aaaaaaaaaaa--", "aaaaaaaaaaa--", "999aa9aaa9a--",
                            "aaaaaaaaaaa--", "-------------", "-------------"}},
            {"math.hypot(a, b)",
                    {"aaaaaaaaa9a--", "aaaaaaaaa9a--", "aaaaaaaaa9a--", "aaaaaaaaaaa--",
                            "aaaaaaaaaaa--", "aaaaaaaaa9a--", "aaaaaaaaaaa--",
                            "aaaaaaaaaaa--", "aaaaaaaaaaa--", "999aa9aaa9a--",
                            "aaaaaaaaaaa--", "-------------", "-------------"}},
            {"math.copysign(a, b)",
                    {"999aa9aaa9a--", "999aa9aaa9a--", "999aa9aaa9a--", "aaaaaaaaaaa--",
                            "aaaaaaaaaaa--", "999aa9aaa9a--", "aaaaaaaaaaa--",
                            "aaaaaaaaaaa--", "aaaaaaaaaaa--", "999aa9aaa9a--",
                            "aaaaaaaaaaa--", "-------------", "-------------"}},
            {"np.minimum(a, b)",
                    {"0123456789abc", "11234234a9abc", "22234234a9abc", "33334334a9acc",
                            "44444444a9acc", "5223456789abc", "6333466789abc",
                            "7444477789acc", "8aaaa88889acc", "9999999999abc",
                            "aaaaaaaaaaacc", "bbbccbbccbcbc", "ccccccccccccc"}},
            {"np.arctan2(a, b)",
                    {"999aa99aa9a--", "999aa99aa9a--", "999aa99aa9a--", "aaaaaaaaa9a--",
                            "aaaaaaaaa9a--", "999aa99aa9a--", "999aa99aa9a--",
                            "aaaaaaaaa9a--", "aaaaaaaaa9a--", "9999999999a--",
                            "aaaaaaaaaaa--", "-------------", "-------------"}},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct source *source = import_expression("a, b", tables[i].expression);
        REQUIRE(source);
        for (int pair = 0; pair < TYPES * TYPES; pair++)
            check_pair(source, tables[i].expression, tables[i].rows, pair / TYPES,
                    pair % TYPES);
        source_destroy(source);
    }
}

TEST(singles)
{
    static const char *const rows[][2] = {
            {"-a", "4444488889abc"},
            {"+a", "4444488889abc"},
            {"~a", "044448888----"},
            {"not a", "0000000000000"},
            {"abs(a)", "1123456789a9a"},
            {"int(a)", "41234567844--"},
            {"bool(a)", "0000000000000"},
            {"round(a)", "44444444444--"},
            {"math.sqrt(a)", "aaaaaaaaa9a--"},
            {"math.floor(a)", "44444888844--"},
            {"math.ceil(a)", "44444888844--"},
            {"math.trunc(a)", "44444888844--"},
            {"math.fabs(a)", "aaaaaaaaa9a--"},
            {"math.exp(a)", "aaaaaaaaa9a--"},
            {"math.erf(a)", "aaaaaaaaa9a--"},
            {"math.radians(a)", "aaaaaaaaa9a--"},
            {"np.sqrt(a)", "999aa99aa9abc"},
            {"np.absolute(a)", "0123456789a9a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct source *source = import_expression("a", rows[i][0]);
        REQUIRE(source);
        for (int a = 0; a < TYPES; a++) {
            char actual = result_letter(source, names[a]);
            if (actual != rows[i][1][a])
                TEST_FAIL("%s for %s: %c, expected %c", rows[i][0], names[a], actual,
                        rows[i][1][a]);
        }
        source_destroy(source);
    }
}
