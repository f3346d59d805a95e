// SPDX-License-Identifier: MIT
// Kernels, built by hand, run block by block as the emulated device runs them, and become
// PTX.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/emulated/interchange.h"
#include "compiler/ir/analyses.h"
#include "tests/unit/test.h"

#include "tests/unit/ir_builder.h"

// struct abi_array of one axis
struct vector {
    void *memory, *parent, *data;
    int64_t len, stride;
};

struct vector_and_count {
    struct vector a;
    int64_t n;
};

static const struct type *vector_of(const struct type *element)
{
    return type_array(element, 1, LAYOUT_C, false);
}

static struct ir_instr *coordinate(enum ir_primitive name, int axis)
{
    struct ir_instr *instr = primitive(name, type_int32, 0, NULL);
    instr->immediate = axis;
    return instr;
}

static struct ir_instr *grid(void)
{
    struct ir_instr *instr = primitive(PRIMITIVE_CUDA_GRID, type_int64, 0, NULL);
    instr->immediate = 1;
    return instr;
}

static struct ir_instr *thread_x(void)
{
    return cast(coordinate(PRIMITIVE_CUDA_THREAD_IDX, 0), type_int64);
}

static struct ir_instr *shared(const struct type *element, const int64_t *shape)
{
    const struct type *type = type_array_in(element, 1, LAYOUT_C, false, true, 3);
    struct ir_instr *instr = primitive(PRIMITIVE_CUDA_SHARED_ARRAY, type, 0, NULL);
    instr->immediate_shape = shape;
    return instr;
}

static struct ir_instr *load(struct ir_instr *array, struct ir_instr *index)
{
    return primitive(PRIMITIVE_ARRAY_LOAD, array->type->element, OPERANDS(array, index));
}

static void store(
        struct ir_instr *array, struct ir_instr *index, struct ir_instr *element)
{
    primitive(PRIMITIVE_ARRAY_STORE, type_none, OPERANDS(array, index, element));
}

static void barrier(void)
{
    primitive(PRIMITIVE_CUDA_SYNCTHREADS, type_none, 0, NULL);
    f->has_barrier = true;
}

// if condition: what is made until `end_if`, which takes what this returns.
static struct ir_block *start_if(struct ir_instr *condition)
{
    struct ir_block *inside = ir_block_create(f), *end = ir_block_create(f);
    branch(condition, inside, end);
    at = inside;
    return end;
}

static void end_if(struct ir_block *end)
{
    jump(end);
    at = end;
}

// Runs blocks one after the other; returns the first status that is not 0.
static int32_t run_grid(const struct compiled *compiled, int32_t blocks, int32_t threads,
        int64_t dynamic_bytes, const void *args, struct abi_emulated_block *block)
{
    static _Alignas(64) char shared_memory[65536], scratch[1 << 20];
    static volatile int32_t stop;
    *block = (struct abi_emulated_block){
            .grid_dim = {blocks, 1, 1},
            .block_dim = {threads, 1, 1},
            .shared = shared_memory,
            .dynamic_shared_bytes = dynamic_bytes,
            .scratch = scratch,
            .scratch_bytes = sizeof scratch,
            .stop = &stop,
            .joined = 1,
    };
    CHECK(compiled->frame_bytes * (size_t)threads <= sizeof scratch);
    for (int32_t i = 0; i < blocks; i++) {
        block->block_idx[0] = i;
        int32_t status = compiled->emulated_entry(block, args);
        if (status)
            return status;
    }
    return 0;
}

// if i < n: out[i] = a[i] + b[i]
static void build_add(void)
{
    const struct type *type = vector_of(type_float32);
    start("add", PARAMS(type, type, type), type_none);
    struct ir_instr *out = arg(0), *a = arg(1), *b = arg(2), *i = grid();
    struct ir_instr *len = primitive(PRIMITIVE_ARRAY_LEN, type_int64, OPERANDS(out));
    struct ir_block *end = start_if(compare(COMPARE_LT, i, len));
    store(out, i, binary(BINARY_ADD, load(a, i), load(b, i)));
    end_if(end);
    give(none());
}

TEST(kernel_without_barrier_vectorises)
{
    build_add();
    struct compiled *compiled = build(COMPILE_KERNEL, TARGET_EMULATOR);
    REQUIRE(compiled);
    CHECK_CONTAINS(compiled->llvm_ir, " x float>");
    CHECK_INT(compiled->frame_bytes, 0);
    float a[1000], b[1000], out[1000];
    for (int i = 0; i < 1000; i++)
        a[i] = (float)i, b[i] = 2 * (float)i;
    struct vector args[3] = {
            {.data = out, .len = 1000, .stride = 4},
            {.data = a, .len = 1000, .stride = 4},
            {.data = b, .len = 1000, .stride = 4},
    };
    struct abi_emulated_block block;
    CHECK_INT(run_grid(compiled, 8, 128, 0, args, &block), 0);
    bool is_right = true;
    for (int i = 0; i < 1000; i++)
        is_right &= out[i] == 3 * (float)i;
    CHECK(is_right);
    drop(compiled, f);
}

// Reverses each block through shared memory; threads past `n` leave before the barrier.
static void build_reverse(void)
{
    static const int64_t shape[1] = {64};
    start("reverse", PARAMS(vector_of(type_int64), type_int64), type_none);
    struct ir_instr *a = arg(0), *n = arg(1), *buffer = shared(type_int64, shape);
    struct ir_instr *i = grid(), *t = thread_x();
    struct ir_block *end = start_if(compare(COMPARE_LT, t, n));
    store(buffer, t, load(a, i));
    barrier();
    struct ir_instr *mirrored = binary(BINARY_SUB, binary(BINARY_SUB, n, integer(1)), t);
    store(a, i, load(buffer, mirrored));
    end_if(end);
    give(none());
}

TEST(barrier_with_early_return)
{
    build_reverse();
    struct compiled *compiled = build(COMPILE_KERNEL, TARGET_EMULATOR);
    REQUIRE(compiled);
    CHECK(compiled->frame_bytes > 0);
    CHECK_INT(compiled->static_shared_bytes, 512);
    int64_t data[128];
    for (int i = 0; i < 128; i++)
        data[i] = i;
    struct vector_and_count args = {{.data = data, .len = 128, .stride = 8}, 50};
    struct abi_emulated_block block;
    CHECK_INT(run_grid(compiled, 2, 64, 0, &args, &block), 0);
    CHECK_INT(data[0], 49);
    CHECK_INT(data[49], 0);
    CHECK_INT(data[50], 50);
    CHECK_INT(data[64], 64 + 49);
    drop(compiled, f);
}

// Tree sum over dynamic shared memory with a barrier in a loop, inside a device function.
static struct ir_function *build_tree_sum(void)
{
    static const int64_t dynamic[1] = {0};
    const struct type *type = type_array_in(type_float64, 1, LAYOUT_C, false, true, 3);
    start("fold", PARAMS(type, type_int64, type_int64), type_none);
    struct ir_instr *buffer = arg(0), *t = arg(1), *width = arg(2);
    struct ir_block *after = start_if(compare(COMPARE_LT, t, width));
    struct ir_instr *other = binary(BINARY_ADD, t, width);
    store(buffer, t, binary(BINARY_ADD, load(buffer, t), load(buffer, other)));
    end_if(after);
    barrier();
    give(none());
    struct ir_function *fold = f;
    start("tree_sum", PARAMS(vector_of(type_float64), vector_of(type_float64)),
            type_none);
    struct ir_instr *in = arg(0), *out = arg(1);
    buffer = shared(type_float64, dynamic);
    t = thread_x();
    store(buffer, t, load(in, grid()));
    barrier();
    struct ir_instr *half = binary(BINARY_FLOORDIV,
            primitive(PRIMITIVE_ARRAY_LEN, type_int64, OPERANDS(buffer)), integer(2));
    struct ir_block *head = ir_block_create(f), *body = ir_block_create(f),
                    *done = ir_block_create(f);
    jump(head);
    at = head;
    struct ir_instr *step = phi(type_int64, half);
    branch(compare(COMPARE_GT, step, integer(0)), body, done);
    at = body;
    struct ir_instr *call = make(IR_CALL_DIRECT, type_none, OPERANDS(buffer, t, step));
    call->callee = fold;
    step->operands[1] = binary(BINARY_FLOORDIV, step, integer(2));
    jump(head);
    at = done;
    struct ir_block *end = start_if(compare(COMPARE_EQ, t, integer(0)));
    primitive(PRIMITIVE_ATOMIC_ADD, type_float64,
            OPERANDS(out, integer(0), load(buffer, integer(0))));
    end_if(end);
    give(none());
    return fold;
}

TEST(barrier_in_a_device_function_in_a_loop)
{
    struct ir_function *fold = build_tree_sum();
    struct compiled *compiled = build(COMPILE_KERNEL, TARGET_EMULATOR);
    REQUIRE(compiled);
    CHECK_INT(compiled->static_shared_bytes, 0);
    double in[256], out = 0;
    for (int i = 0; i < 256; i++)
        in[i] = i;
    struct vector args[2] = {
            {.data = in, .len = 256, .stride = 8}, {.data = &out, .len = 1, .stride = 8}};
    struct abi_emulated_block block;
    CHECK_INT(run_grid(compiled, 4, 64, 64 * 8, args, &block), 0);
    CHECK(out == 255 * 128);
    drop(compiled, f);
    ir_function_destroy(fold);
}

TEST(kernel_that_raises_names_the_thread)
{
    start("failing", PARAMS(vector_of(type_int64)), type_none);
    struct ir_instr *a = arg(0), *t = thread_x();
    f->may_raise = true;
    store(a, t, binary(BINARY_FLOORDIV, integer(100), load(a, t)));
    give(none());
    struct compiled *compiled = build(COMPILE_KERNEL, TARGET_EMULATOR);
    REQUIRE(compiled);
    int64_t data[4] = {1, 2, 0, 4};
    struct vector args = {.data = data, .len = 4, .stride = 8};
    struct abi_emulated_block block;
    int32_t status = run_grid(compiled, 1, 4, 0, &args, &block);
    REQUIRE(status > 0 && (size_t)status <= compiled->raise_site_count);
    CHECK_INT(compiled->raise_sites[status - 1].kind, ERROR_ZERO_DIVISION);
    CHECK_INT(block.failed_thread[0], 2);
    CHECK_INT(data[1], 50);
    drop(compiled, f);
}

// for i in range(grid(1), n, gridsize(1)): a[i] = 100 // a[i]
static void build_grid_stride(void)
{
    start("stride", PARAMS(vector_of(type_int64), type_int64), type_none);
    f->may_raise = true;
    struct ir_instr *a = arg(0), *n = arg(1);
    struct ir_instr *size = primitive(PRIMITIVE_CUDA_GRID_SIZE, type_int64, 0, NULL);
    struct loop loop = loop_start(range(grid(), n, size), type_int64, NULL);
    store(a, loop.item, binary(BINARY_FLOORDIV, integer(100), load(a, loop.item)));
    loop_end(&loop, NULL, NULL);
    give(none());
}

TEST(grid_stride_loop_takes_turns)
{
    build_grid_stride();
    struct codegen gen;
    struct error err = {0};
    LLVMContextRef context = LLVMContextCreate();
    codegen_init(&gen, &target_emulator, context, "t", &err);
    gen.analyses = &(struct ir_analyses){.flow = flow_analyse};
    CHECK(interchange_find(&gen, f) != NULL);
    codegen_finish(&gen, false);
    LLVMContextDispose(context);
    struct compiled *compiled = build(COMPILE_KERNEL, TARGET_EMULATOR);
    REQUIRE(compiled);
    int64_t data[1000];
    for (int i = 0; i < 1000; i++)
        data[i] = i % 50 + 1;
    struct vector_and_count args = {{.data = data, .len = 1000, .stride = 8}, 999};
    struct abi_emulated_block block;
    CHECK_INT(run_grid(compiled, 3, 32, 0, &args, &block), 0);
    bool is_right = data[999] == 50;
    for (int i = 0; i < 999; i++)
        is_right &= data[i] == 100 / (i % 50 + 1);
    CHECK(is_right);
    // the lowest thread that fails is the one named
    data[20] = data[7] = data[70] = 0;
    CHECK(run_grid(compiled, 1, 32, 0, &args, &block) > 0);
    CHECK_INT(block.failed_thread[0], 7);
    CHECK(data[70] == 0); // a later turn is not begun
    drop(compiled, f);
}

TEST(loop_with_a_sum_stays_with_its_thread)
{
    start("sums", PARAMS(vector_of(type_int64), type_int64), type_none);
    struct ir_instr *a = arg(0), *n = arg(1), *carried = integer(0), *first = grid();
    struct ir_instr *size = primitive(PRIMITIVE_CUDA_GRID_SIZE, type_int64, 0, NULL);
    struct loop loop = loop_start(range(first, n, size), type_int64, &carried);
    loop_end(&loop, carried, binary(BINARY_ADD, carried, loop.item));
    store(a, first, carried);
    give(none());
    struct compiled *compiled = build(COMPILE_KERNEL, TARGET_EMULATOR);
    REQUIRE(compiled);
    int64_t data[8] = {0};
    struct vector_and_count args = {{.data = data, .len = 8, .stride = 8}, 20};
    struct abi_emulated_block block;
    CHECK_INT(run_grid(compiled, 2, 4, 0, &args, &block), 0);
    CHECK_INT(data[0], 0 + 8 + 16);
    CHECK_INT(data[3], 3 + 11 + 19);
    CHECK_INT(data[7], 7 + 15);
    drop(compiled, f);
}

TEST(atomics)
{
    start("extremes", PARAMS(vector_of(type_float32), vector_of(type_int32)), type_none);
    struct ir_instr *out = arg(0), *tally = arg(1);
    struct ir_instr *t = thread_x(), *x = cast(t, type_float32);
    struct ir_instr *one = cast(integer(1), type_int32);
    primitive(PRIMITIVE_ATOMIC_MAX, type_float32, OPERANDS(out, integer(0), x));
    primitive(PRIMITIVE_ATOMIC_MIN, type_float32, OPERANDS(out, integer(1), x));
    primitive(PRIMITIVE_ATOMIC_ADD, type_int32, OPERANDS(tally, integer(0), one));
    primitive(PRIMITIVE_ATOMIC_CAS, type_int32,
            OPERANDS(tally, integer(1), cast(integer(0), type_int32),
                    cast(t, type_int32)));
    give(none());
    struct compiled *compiled = build(COMPILE_KERNEL, TARGET_EMULATOR);
    REQUIRE(compiled);
    float extremes[2] = {-5, 5};
    int32_t counts[2] = {0, 0};
    struct vector args[2] = {{.data = extremes, .len = 2, .stride = 4},
            {.data = counts, .len = 2, .stride = 4}};
    struct abi_emulated_block block;
    CHECK_INT(run_grid(compiled, 1, 20, 0, args, &block), 0);
    CHECK(extremes[0] == 19 && extremes[1] == 0);
    CHECK_INT(counts[0], 20);
    CHECK_INT(counts[1], 1);
    drop(compiled, f);
}

TEST(kernels_become_ptx)
{
    build_add();
    struct compiled *compiled = build(COMPILE_KERNEL, TARGET_GPU);
    REQUIRE(compiled && compiled->ptx);
    CHECK_CONTAINS(compiled->ptx, ".visible .entry gc_add(");
    CHECK_CONTAINS(compiled->ptx, "ld.global");
    CHECK_CONTAINS(compiled->ptx, "%ctaid.x");
    CHECK_STR(compiled->ptx_entry, "gc_add");
    drop(compiled, f);
    struct ir_function *fold = build_tree_sum();
    compiled = build(COMPILE_KERNEL, TARGET_GPU);
    REQUIRE(compiled);
    CHECK_CONTAINS(compiled->ptx, "bar.sync");
    CHECK_CONTAINS(compiled->ptx, "ld.shared");
    CHECK_CONTAINS(compiled->ptx, "%dynamic_smem_size");
    CHECK(strstr(compiled->ptx, "atom.add.f64") ||
            strstr(compiled->ptx, "atom.global.add.f64") ||
            strstr(compiled->ptx, "red.global.add.f64"));
    drop(compiled, f);
    ir_function_destroy(fold);
    build_reverse();
    compiled = build(COMPILE_KERNEL, TARGET_GPU);
    REQUIRE(compiled);
    CHECK_INT(compiled->static_shared_bytes, 512);
    CHECK_CONTAINS(compiled->ptx, ".shared");
    drop(compiled, f);
}
