// SPDX-License-Identifier: MIT
// Resolved IR, built by hand, is compiled for the CPU and the emulated device and run.
#include "tests/unit/test.h"

#include <complex.h>
#include <math.h>

#include "compiler/support/support.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/support/interrupt.h"
#include "tests/unit/ir_builder.h"

static int64_t run_ints(int64_t a, int64_t b, int32_t *status)
{
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    int64_t args[2] = {a, b}, result = -99;
    *status = compiled ? compiled->entry(&result, args) : -1;
    if (compiled && *status > 0)
        CHECK((size_t)*status <= compiled->raise_site_count);
    drop(compiled, f);
    return result;
}

static int64_t int_binary(enum ir_binary operation, int64_t a, int64_t b, int32_t *status)
{
    start("int_binary", PARAMS(type_int64, type_int64), type_int64);
    give(binary(operation, arg(0), arg(1)));
    return run_ints(a, b, status);
}

TEST(integers_divide_as_in_python)
{
    int32_t status;
    CHECK_INT(int_binary(BINARY_FLOORDIV, -7, 2, &status), -4);
    CHECK_INT(int_binary(BINARY_FLOORDIV, 7, -2, &status), -4);
    CHECK_INT(int_binary(BINARY_MOD, -7, 3, &status), 2);
    CHECK_INT(int_binary(BINARY_MOD, 7, -3, &status), -2);
    CHECK_INT(int_binary(BINARY_FLOORDIV, INT64_MIN, -1, &status), INT64_MIN);
    CHECK_INT(int_binary(BINARY_MOD, INT64_MIN, -1, &status), 0);
    CHECK_INT(int_binary(BINARY_POW, 3, 4, &status), 81);
    CHECK_INT(int_binary(BINARY_POW, 2, -1, &status), 0);
    CHECK_INT(int_binary(BINARY_POW, -1, -3, &status), -1);
    CHECK_INT(int_binary(BINARY_POW, 2, 100, &status), 0);
    CHECK_INT(int_binary(BINARY_LSHIFT, 1, 70, &status), 0);
    CHECK_INT(int_binary(BINARY_RSHIFT, -8, 100, &status), -1);
    CHECK_INT(status, 0);
}

TEST(division_by_zero_raises)
{
    start("divide", PARAMS(type_int64, type_int64), type_int64);
    give(binary(BINARY_FLOORDIV, arg(0), arg(1)));
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    int64_t args[2] = {1, 0}, result = 5;
    int32_t status = compiled->entry(&result, args);
    REQUIRE(status == 1 && compiled->raise_site_count == 1);
    CHECK_INT(result, 5);
    CHECK_INT(compiled->raise_sites[0].kind, ERROR_ZERO_DIVISION);
    CHECK_STR(compiled->raise_sites[0].message, "integer division by zero");
    CHECK_STR(compiled->raise_sites[0].function, "divide");
    CHECK_CONTAINS(compiled->llvm_ir, "@divide(");
    struct error err = {0};
    CHECK_CONTAINS(compiled_asm(compiled, &err), "divide:");
    drop(compiled, f);
}

static double float_binary(enum ir_binary operation, double a, double b)
{
    start("float_binary", PARAMS(type_float64, type_float64), type_float64);
    give(binary(operation, arg(0), arg(1)));
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    double args[2] = {a, b}, result = -99;
    if (compiled)
        CHECK_INT(compiled->entry(&result, args), 0);
    drop(compiled, f);
    return result;
}

TEST(floats_divide_as_in_python)
{
    CHECK(float_binary(BINARY_FLOORDIV, -7.5, 2) == -4);
    CHECK(float_binary(BINARY_MOD, -7.5, 2) == 0.5);
    CHECK(float_binary(BINARY_MOD, 7.5, -2) == -0.5);
    CHECK(signbit(float_binary(BINARY_MOD, 4, -2)));
    CHECK(float_binary(BINARY_TRUEDIV, 1, 4) == 0.25);
    CHECK(float_binary(BINARY_POW, 2, 0.5) == sqrt(2));
}

TEST(complex_numbers)
{
    start("complex_mix", PARAMS(type_complex128, type_complex128), type_complex128);
    struct ir_instr *a = arg(0), *b = arg(1);
    struct ir_instr *power = binary(BINARY_POW, a, b);
    give(binary(BINARY_ADD, binary(BINARY_MUL, a, b),
            binary(BINARY_TRUEDIV, power, binary(BINARY_SUB, a, b))));
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    double complex args[2] = {1.5 + 2 * I, -0.5 + 1 * I}, result;
    CHECK_INT(compiled->entry(&result, args), 0);
    double complex expected =
            args[0] * args[1] + cpow(args[0], args[1]) / (args[0] - args[1]);
    CHECK(cabs(result - expected) < 1e-12);
    drop(compiled, f);
}

TEST(casts_between_numbers)
{
    start("casts", PARAMS(type_float64), NULL);
    struct ir_instr *x = arg(0);
    struct ir_instr *all =
            tuple(OPERANDS(cast(x, type_int32), cast(x, type_uint64), cast(x, type_bool),
                    cast(x, type_float32), cast(cast(x, type_int64), type_uint8)));
    f->returns = all->type;
    give(all);
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    struct {
        int32_t i32;
        uint64_t u64;
        bool truth;
        float f32;
        uint8_t u8;
    } result;
    double x_value = -3.75;
    CHECK_INT(compiled->entry(&result, &x_value), 0);
    CHECK_INT(result.i32, -3);
    CHECK_INT(result.u64, -3);
    CHECK(result.truth && result.f32 == -3.75f && result.u8 == 253);
    drop(compiled, f);
}

TEST(loop_over_a_range)
{
    start("sum_squares", PARAMS(type_int64, type_int64), type_int64);
    struct ir_instr *total = integer(0), *carried = total;
    struct loop loop =
            loop_start(range(integer(0), arg(0), integer(1)), type_int64, &carried);
    struct ir_instr *next =
            binary(BINARY_ADD, carried, binary(BINARY_MUL, loop.item, loop.item));
    loop_end(&loop, carried, next);
    give(carried);
    int32_t status;
    CHECK_INT(run_ints(10, 0, &status), 285);
    start("sum_steps", PARAMS(type_int64, type_int64), type_int64);
    carried = integer(0);
    loop = loop_start(range(arg(0), integer(-10), arg(1)), type_int64, &carried);
    loop_end(&loop, carried, binary(BINARY_ADD, carried, loop.item));
    give(carried);
    CHECK_INT(run_ints(8, -3, &status), 8 + 5 + 2 - 1 - 4 - 7);
    CHECK_INT(status, 0);
}

TEST(range_with_step_zero_raises)
{
    start("zero_step", PARAMS(type_int64, type_int64), type_int64);
    give(primitive(PRIMITIVE_RANGE_LEN, type_int64,
            OPERANDS(range(integer(0), arg(0), arg(1)))));
    int32_t status;
    run_ints(8, 0, &status);
    CHECK_INT(status, 1);
}

// struct abi_array with up to two axes
struct array {
    void *memory, *parent, *data;
    int64_t dims[4];
};

static const struct type *vector(const struct type *element)
{
    return type_array(element, 1, LAYOUT_C, false);
}

TEST(array_sum_wraps_negative_indices)
{
    start("ends", PARAMS(vector(type_float64)), type_float64);
    struct ir_instr *a = arg(0);
    struct ir_instr *first =
            primitive(PRIMITIVE_ARRAY_LOAD, type_float64, OPERANDS(a, integer(0)));
    struct ir_instr *last =
            primitive(PRIMITIVE_ARRAY_LOAD, type_float64, OPERANDS(a, integer(-1)));
    primitive(PRIMITIVE_ARRAY_STORE, type_none, OPERANDS(a, integer(-2), real(7)));
    give(binary(BINARY_SUB, last, first));
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    double data[4] = {1, 2, 3, 40}, result;
    struct array array = {.data = data, .dims = {4, 8}};
    CHECK_INT(compiled->entry(&result, &array), 0);
    CHECK(result == 39 && data[2] == 7);
    drop(compiled, f);
}

TEST(loops_over_arrays_vectorise)
{
    start("scale", PARAMS(vector(type_float64), vector(type_float64), type_float64),
            type_none);
    struct ir_instr *a = arg(0), *b = arg(1), *c = arg(2);
    struct ir_instr *len = primitive(PRIMITIVE_ARRAY_LEN, type_int64, OPERANDS(a));
    struct loop loop = loop_start(range(integer(0), len, integer(1)), type_int64, NULL);
    struct ir_instr *x =
            primitive(PRIMITIVE_ARRAY_LOAD, type_float64, OPERANDS(b, loop.item));
    primitive(PRIMITIVE_ARRAY_STORE, type_none,
            OPERANDS(a, loop.item, binary(BINARY_MUL, x, c)));
    loop_end(&loop, NULL, NULL);
    give(none());
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    CHECK_CONTAINS(compiled->llvm_ir, " x double>");
    double in[100], out[100];
    for (int i = 0; i < 100; i++)
        in[i] = i;
    struct {
        void *m1, *p1, *d1;
        int64_t n1, s1;
        void *m2, *p2, *d2;
        int64_t n2, s2;
        double c;
    } args = {.d1 = out, .n1 = 100, .s1 = 8, .d2 = in, .n2 = 100, .s2 = 8, .c = 3};
    CHECK_INT(compiled->entry(NULL, &args), 0);
    CHECK(out[0] == 0 && out[99] == 297 && out[50] == 150);
    drop(compiled, f);
}

TEST(slices_clip_as_in_python)
{
    const struct type *strided = type_array(type_int64, 1, LAYOUT_A, false);
    start("slice", PARAMS(vector(type_int64), type_int64, type_int64, type_int64),
            strided);
    struct ir_instr *slice =
            primitive(PRIMITIVE_SLICE, type_slice3, OPERANDS(arg(1), arg(2), arg(3)));
    give(primitive(PRIMITIVE_ARRAY_VIEW, strided, OPERANDS(arg(0), slice)));
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    int64_t data[10];
    static const int64_t cases[][6] = {
            // start, stop, step -> length, first, last
            {2, 5, 1, 3, 2, 4},
            {-3, 100, 1, 3, 7, 9},
            {8, -100, -3, 3, 8, 2},
            {100, 0, -1, 9, 9, 1},
            {5, 2, 1, 0, 0, 0},
            {0, 10, 4, 3, 0, 8},
    };
    for (int i = 0; i < 10; i++)
        data[i] = i;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t *expected = cases[i] + 3;
        struct {
            void *m, *p, *d;
            int64_t n, s, slice[3];
        } args = {.d = data,
                .n = 10,
                .s = 8,
                .slice = {cases[i][0], cases[i][1], cases[i][2]}};
        struct array result;
        CHECK_INT(compiled->entry(&result, &args), 0);
        CHECK_INT(result.dims[0], expected[0]);
        if (!expected[0])
            continue;
        char *start_at = result.data;
        CHECK_INT(*(int64_t *)start_at, expected[1]);
        CHECK_INT(
                *(int64_t *)(start_at + result.dims[1] * (expected[0] - 1)), expected[2]);
    }
    drop(compiled, f);
}

TEST(new_arrays_are_counted)
{
    const struct type *matrix = type_array(type_float32, 2, LAYOUT_C, false);
    start("fresh", PARAMS(type_int64), matrix);
    struct ir_instr *n = arg(0), *shape = tuple(OPERANDS(n, integer(3)));
    struct ir_instr *made = primitive(PRIMITIVE_ARRAY_ZEROS, matrix, OPERANDS(shape));
    struct ir_instr *carried = made;
    struct loop loop = loop_start(range(integer(0), n, integer(1)), type_int64, &carried);
    struct ir_instr *next = primitive(PRIMITIVE_ARRAY_EMPTY, matrix, OPERANDS(shape));
    primitive(PRIMITIVE_ARRAY_FILL, type_none,
            OPERANDS(next, cast(loop.item, type_float32)));
    loop_end(&loop, carried, next);
    give(carried);
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    int64_t count = 5;
    struct array result;
    CHECK_INT(compiled->entry(&result, &count), 0);
    struct abi_memory *memory = result.memory;
    CHECK_INT(memory->count, 1);
    CHECK(memory->data == result.data && ((float *)result.data)[14] == 4);
    CHECK_INT(result.dims[0] * 100 + result.dims[1], 503);
    CHECK_INT(result.dims[2] * 100 + result.dims[3], 1204);
    gridcell_memory_release(memory);
    count = -1;
    CHECK(compiled->entry(&result, &count) > 0);
    drop(compiled, f);
}

// The runtime's: keeps what an exception is made of.
static void forget_arguments(const struct type *tuple, const void *block)
{
    (void)tuple, (void)block;
}

TEST(copy_broadcasts_and_casts)
{
    compiler_define_symbol("gridcell_raise_arguments", (void *)forget_arguments);
    const struct type *matrix = type_array(type_float64, 2, LAYOUT_C, false);
    start("assign", PARAMS(matrix, vector(type_int32)), type_none);
    primitive(PRIMITIVE_ARRAY_COPY_INTO, type_none, OPERANDS(arg(0), arg(1)));
    give(none());
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    double target[2][3] = {{0}};
    int32_t source[3] = {1, 2, 3};
    struct {
        struct array target;
        void *m, *p, *d;
        int64_t n, s;
    } args = {.target = {.data = target, .dims = {2, 3, 24, 8}},
            .d = source,
            .n = 3,
            .s = 4};
    CHECK_INT(compiled->entry(NULL, &args), 0);
    CHECK(target[0][0] == 1 && target[1][2] == 3 && target[1][0] == 1);
    args.n = 2;
    CHECK(compiled->entry(NULL, &args) > 0);
    drop(compiled, f);
}

TEST(iterates_enumerate_and_zip)
{
    const struct type *array = vector(type_float64);
    const struct type *zip = type_zip((const struct type *[]){array, array}, 2);
    start("dot", PARAMS(array, array), type_float64);
    struct ir_instr *pairs = primitive(PRIMITIVE_ZIP, zip, OPERANDS(arg(0), arg(1)));
    struct ir_instr *numbered = primitive(
            PRIMITIVE_ENUMERATE, type_enumerate(zip), OPERANDS(pairs, integer(10)));
    const struct type *pair =
            type_tuple((const struct type *[]){type_float64, type_float64}, 2);
    const struct type *item = type_tuple((const struct type *[]){type_int64, pair}, 2);
    struct ir_instr *carried = real(0);
    struct loop loop = loop_start(numbered, item, &carried);
    struct ir_instr *number = make(IR_TUPLE_GET, type_int64, OPERANDS(loop.item));
    struct ir_instr *both = make(IR_TUPLE_GET, pair, OPERANDS(loop.item));
    both->index = 1;
    struct ir_instr *x = make(IR_TUPLE_GET, type_float64, OPERANDS(both));
    struct ir_instr *y = make(IR_TUPLE_GET, type_float64, OPERANDS(both));
    y->index = 1;
    struct ir_instr *product =
            binary(BINARY_MUL, binary(BINARY_MUL, x, y), cast(number, type_float64));
    loop_end(&loop, carried, binary(BINARY_ADD, carried, product));
    give(carried);
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    double a[3] = {1, 2, 3}, b[2] = {10, 100}, result;
    struct {
        void *m1, *p1, *d1;
        int64_t n1, s1;
        void *m2, *p2, *d2;
        int64_t n2, s2;
    } args = {.d1 = a, .n1 = 3, .s1 = 8, .d2 = b, .n2 = 2, .s2 = 8};
    CHECK_INT(compiled->entry(&result, &args), 0);
    CHECK(result == 10 * 10 + 11 * 200);
    drop(compiled, f);
}

TEST(calls_pass_status_on)
{
    start("inner", PARAMS(type_int64, type_int64), type_int64);
    give(binary(BINARY_MOD, arg(0), arg(1)));
    struct ir_function *inner = f;
    inner->may_raise = true;
    start("outer", PARAMS(type_int64, type_int64), type_int64);
    struct ir_instr *call = make(IR_CALL_DIRECT, type_int64, OPERANDS(arg(0), arg(1)));
    call->callee = inner;
    give(binary(BINARY_ADD, call, integer(100)));
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    int64_t args[2] = {7, 4}, result;
    CHECK_INT(compiled->entry(&result, args), 0);
    CHECK_INT(result, 103);
    args[1] = 0;
    int32_t status = compiled->entry(&result, args);
    REQUIRE(status == 1);
    CHECK_STR(compiled->raise_sites[0].function, "inner");
    CHECK_STR(compiled->raise_sites[0].message, "integer modulo by zero");
    drop(compiled, f);
    ir_function_destroy(inner);
}

TEST(while_loop_can_be_interrupted)
{
    start("forever", PARAMS(type_int64), type_none);
    struct ir_block *head = ir_block_create(f);
    jump(head);
    at = head;
    jump(head);
    struct compiled *compiled = build(COMPILE_FUNCTION, TARGET_HOST);
    REQUIRE(compiled);
    int64_t zero = 0;
    compiler_interrupt_request();
    CHECK_INT(compiled->entry(NULL, &zero), STATUS_INTERRUPTED);
    compiler_interrupt_clear();
    drop(compiled, f);
}

static int32_t ufunc_status;

static void record_status(void *data, int32_t status)
{
    ufunc_status = status;
}

TEST(ufunc_loop_dense_and_strided)
{
    compiler_define_symbol("gridcell_ufunc_raise", (void *)record_status);
    start("gauss", PARAMS(type_float64, type_float64), type_float64);
    struct ir_instr *x = arg(0), *y = arg(1);
    struct ir_instr *power = primitive(
            PRIMITIVE_MATH_SQRT, type_float64, OPERANDS(binary(BINARY_MUL, x, x)));
    give(binary(BINARY_ADD, power, y));
    struct compiled *compiled = build(COMPILE_UFUNC, TARGET_HOST);
    REQUIRE(compiled && compiled->ufunc_loop);
    CHECK_CONTAINS(compiled->llvm_ir, " x double>");
    double a[100], b[100], out[100];
    for (int i = 0; i < 100; i++)
        a[i] = -i, b[i] = 1000 * i;
    char *pointers[3] = {(char *)a, (char *)b, (char *)out};
    intptr_t count = 100, steps[3] = {8, 8, 8}, spread[3] = {16, 0, 8};
    compiled->ufunc_loop(pointers, &count, steps, NULL);
    CHECK(out[0] == 0 && out[99] == 99099 && out[42] == 42042);
    count = 50;
    compiled->ufunc_loop(pointers, &count, spread, NULL);
    CHECK(out[0] == 0 && out[49] == 98);
    CHECK_INT(ufunc_status, 0);
    // accumulate: the output is the first input, one element on
    char *shifted[3] = {(char *)out, (char *)b, (char *)(out + 1)};
    out[0] = 1;
    count = 99;
    compiled->ufunc_loop(shifted, &count, steps, NULL);
    CHECK(out[2] == 1001 && out[99] == 1 + 1000.0 * 98 * 99 / 2);
    drop(compiled, f);
}

TEST(ufunc_loop_that_raises)
{
    start("ratio", PARAMS(type_int64, type_int64), type_int64);
    f->may_raise = true;
    give(binary(BINARY_FLOORDIV, arg(0), arg(1)));
    struct compiled *compiled = build(COMPILE_UFUNC, TARGET_HOST);
    REQUIRE(compiled);
    int64_t a[3] = {8, 9, 10}, b[3] = {2, 0, 5}, out[3] = {-1, -1, -1};
    char *pointers[3] = {(char *)a, (char *)b, (char *)out};
    intptr_t count = 3, steps[3] = {8, 8, 8};
    compiled->ufunc_loop(pointers, &count, steps, NULL);
    CHECK_INT(ufunc_status, 1);
    CHECK(out[0] == 4 && out[1] == -1);
    drop(compiled, f);
}

// Remainder loops use the same code as vectorised ones.
TEST(mathematics_is_the_same_at_every_position)
{
    start("exponential", PARAMS(type_float64), type_float64);
    give(primitive(PRIMITIVE_MATH_EXP, type_float64, OPERANDS(arg(0))));
    struct compiled *compiled = build(COMPILE_UFUNC, TARGET_HOST);
    REQUIRE(compiled);
    double in[37], out[37];
    for (int i = 0; i < 37; i++)
        in[i] = 0.7371;
    char *pointers[2] = {(char *)in, (char *)out};
    intptr_t steps[2] = {8, 8};
    for (intptr_t count = 1; count <= 37; count++) {
        compiled->ufunc_loop(pointers, &count, steps, NULL);
        for (int i = 2; i < count; i++)
            CHECK(out[i] == out[1]);
        CHECK(fabs(out[0] - exp(0.7371)) < 1e-15);
    }
    drop(compiled, f);
}
