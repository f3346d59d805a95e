// SPDX-License-Identifier: MIT
// The result type of each operator and of some functions for every number type, and for
// every pair of them as promotions.txt has it, where a type is one letter.
// Operators know no order of complex numbers; np.minimum has NumPy's.
#include "test.h"

#include "infer_support.h"

static const char letters[] = "0123456789abc";
static const char *const names[] = {"bool", "int8", "int16", "int32", "int64", "uint8",
        "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128"};

enum { TYPES = sizeof names / sizeof *names, EXPRESSION_SIZE = 32 };

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

// Reads the next group of promotions.txt: expressions that share one table of TYPES rows.
// Returns how many expressions there are, 0 at the end.
static int read_group(FILE *file, char expressions[][EXPRESSION_SIZE], char rows[][32])
{
    char line[160];
    int expression_count = 0, row_count = 0;
    while (row_count < TYPES && fgets(line, sizeof line, file)) {
        if (sscanf(line, "? %31[^\n]", expressions[expression_count]) == 1)
            expression_count++;
        else if (expression_count && sscanf(line, " %31s", rows[row_count]) == 1)
            row_count++;
    }
    return row_count == TYPES ? expression_count : 0;
}

static void check_pairs(const char *expression, char rows[][32])
{
    struct source *source = import_expression("a, b", expression);
    REQUIRE(source);
    for (int a = 0; a < TYPES; a++)
        for (int b = 0; b < TYPES; b++) {
            char types[64];
            snprintf(types, sizeof types, "%s %s", names[a], names[b]);
            char actual = result_letter(source, types);
            if (actual != rows[a][b])
                TEST_FAIL("%s for %s: %c, expected %c", expression, types, actual,
                        rows[a][b]);
        }
    source_destroy(source);
}

TEST(pairs)
{
    FILE *file = fopen(TEST_DATA "/promotions.txt", "r");
    REQUIRE(file);
    char expressions[8][EXPRESSION_SIZE], rows[TYPES][32];
    int checked = 0;
    for (int count; (count = read_group(file, expressions, rows)); checked += count)
        for (int i = 0; i < count; i++)
            check_pairs(expressions[i], rows);
    CHECK_INT(checked, 21);
    fclose(file);
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
            {"round(a)", "44444444844--"}, // numba's int64 wraps from 2**63 on
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
