// SPDX-License-Identifier: MIT
// SIMD variants of the math functions, from SLEEF where it is installed: declared so that
// LLVM's vectoriser finds them by itself. After vectorisation the calls in what is left
// of such a loop for the last elements go through the same variant, so that an input
// gives the same result at every position of an array.
#include "compiler/codegen/values/math.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static const char mapping_attribute[] = "vector-function-abi-variant";

// Widths in bits with their letters in the vector ABI's names, and what the processor
// needs.
static const struct width {
    char letter;
    int bits;
#if defined(__aarch64__)
} widths[] = {{'n', 128}};
#else
} widths[] = {{'b', 128}, {'d', 256}, {'e', 512}};
#endif
enum { WIDTH_COUNT = sizeof widths / sizeof *widths };

static struct {
    pthread_once_t once;
    void *library;
    bool has_width[WIDTH_COUNT];
} vector_library = {.once = PTHREAD_ONCE_INIT};

static void open_library(void)
{
    vector_library.library = dlopen(vector_math_library, RTLD_NOW | RTLD_LOCAL);
#if defined(__aarch64__)
    vector_library.has_width[0] = true;
#else
    __builtin_cpu_init();
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    vector_library.has_width[0] =
            !has_avx2; // its results differ from the others' without FMA
    vector_library.has_width[1] = has_avx2;
    vector_library.has_width[2] = has_avx2 && __builtin_cpu_supports("avx512f");
#endif
}

const char vector_math_library[] = "libsleefgnuabi.so.3";

static LLVMTypeRef vector_type(struct codegen *gen, int bits, int lanes)
{
    return LLVMVectorType(bits == 32 ? gen->f32 : gen->f64, (unsigned)lanes);
}

// Declares the variant of a width if the library has it, and adds it to the list of
// mappings.
static void add_variant(struct codegen *gen, value scalar, const struct width *width,
        int bits, unsigned param_count, struct str *mappings)
{
    size_t len;
    const char *base = LLVMGetValueName2(scalar, &len);
    int lanes = width->bits / bits;
    const char *params = param_count == 2 ? "vv" : "v";
    char name[96];
    snprintf(name, sizeof name, "_ZGV%cN%d%s_%.60s", width->letter, lanes, params, base);
    if (!dlsym(vector_library.library, name))
        return;
    LLVMTypeRef type = vector_type(gen, bits, lanes), types[2] = {type, type};
    value variant = codegen_external(gen, name, type, types, param_count);
    codegen_attribute(gen, variant, LLVMAttributeFunctionIndex, "willreturn", 0);
    codegen_attribute(gen, variant, LLVMAttributeFunctionIndex, "memory", 0);
    vec_push(&gen->kept, variant);
    str_printf(mappings, "%s_ZGV_LLVM_N%d%s_%s(%s)", mappings->len ? "," : "", lanes,
            params, base, name);
}

void vector_math_describe(struct codegen *gen, value function,
        enum ir_primitive primitive, int bits, unsigned param_count)
{
    pthread_once(&vector_library.once, open_library);
    bool is_float_only = primitive != PRIMITIVE_MATH_LDEXP && param_count <= 2;
    // SLEEF squares the argument of the first two: infinity from 1e19 on; its remainder
    // is NaN where the quotient has more than some 1,000 bits, as by the smallest numbers
    if (primitive == PRIMITIVE_MATH_ASINH || primitive == PRIMITIVE_MATH_ACOSH ||
            primitive == PRIMITIVE_MATH_FMOD)
        return;
    if (!vector_library.library || !is_float_only || (bits != 32 && bits != 64))
        return;
    struct str mappings = {0};
    for (int i = 0; i < WIDTH_COUNT; i++)
        if (vector_library.has_width[i])
            add_variant(gen, function, &widths[i], bits, param_count, &mappings);
    if (mappings.len) {
        LLVMAttributeRef attribute = LLVMCreateStringAttribute(gen->context,
                mapping_attribute, sizeof mapping_attribute - 1, mappings.text,
                (unsigned)mappings.len);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
        vec_push(&gen->kept, function);
    }
    str_finish(&mappings);
}

// Whether `function` of the module calls `variant`.
static bool calls(value function, value variant)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variant); use; use = LLVMGetNextUse(use)) {
        value user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) &&
                LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
            return true;
    }
    return false;
}

// The variant of `scalar` that the vectoriser chose in `function`, or NULL.
static value chosen_variant(LLVMModuleRef module, value function, value scalar)
{
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(scalar,
            LLVMAttributeFunctionIndex, mapping_attribute, sizeof mapping_attribute - 1);
    if (!attribute)
        return NULL;
    unsigned len;
    const char *mappings = LLVMGetStringAttributeValue(attribute, &len);
    for (const char *at = memchr(mappings, '(', len); at;) {
        const char *end = memchr(at, ')', (size_t)(mappings + len - at));
        char name[96];
        snprintf(name, sizeof name, "%.*s", (int)(end - at - 1), at + 1);
        value variant = LLVMGetNamedFunction(module, name);
        if (variant && calls(function, variant))
            return variant;
        at = memchr(end, '(', (size_t)(mappings + len - end));
    }
    return NULL;
}

// call scalar(x) -> lane 0 of variant(<x, x, ...>)
static void replace_call(LLVMBuilderRef builder, value call, value variant)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(variant), vector = LLVMGetReturnType(type);
    LLVMContextRef context = LLVMGetTypeContext(vector);
    value zero = LLVMConstInt(LLVMInt64TypeInContext(context), 0, false), args[2];
    value mask = LLVMConstNull(
            LLVMVectorType(LLVMInt32TypeInContext(context), LLVMGetVectorSize(vector)));
    LLVMPositionBuilderBefore(builder, call);
    unsigned count = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < count; i++) {
        value first = LLVMBuildInsertElement(
                builder, LLVMGetPoison(vector), LLVMGetOperand(call, i), zero, "");
        args[i] = LLVMBuildShuffleVector(builder, first, LLVMGetPoison(vector), mask, "");
    }
    value all = LLVMBuildCall2(builder, type, variant, args, count, "");
    value lane = LLVMBuildExtractElement(builder, all, zero, "");
    LLVMReplaceAllUsesWith(call, lane);
    LLVMInstructionEraseFromParent(call);
}

static void unify_block(LLVMModuleRef module, LLVMBuilderRef builder, value function,
        LLVMBasicBlockRef block)
{
    for (value instr = LLVMGetFirstInstruction(block); instr;) {
        value call = instr;
        instr = LLVMGetNextInstruction(instr);
        if (!LLVMIsACallInst(call) || !LLVMIsAFunction(LLVMGetCalledValue(call)))
            continue;
        value variant = chosen_variant(module, function, LLVMGetCalledValue(call));
        if (variant)
            replace_call(builder, call, variant);
    }
}

typedef VEC(LLVMBasicBlockRef) block_list;

static void add_block(block_list *list, LLVMBasicBlockRef block)
{
    vec_each (known, list)
        if (*known == block)
            return;
    vec_push(list, block);
}

// The blocks of the loop that `latch` closes: all that reach it without passing the
// header.
static void collect_loop(
        block_list *list, LLVMBasicBlockRef header, LLVMBasicBlockRef latch)
{
    add_block(list, header);
    add_block(list, latch);
    for (size_t i = 1; i < list->len; i++) {
        value block = LLVMBasicBlockAsValue(list->items[i]);
        for (LLVMUseRef use = LLVMGetFirstUse(block); use; use = LLVMGetNextUse(use)) {
            value user = LLVMGetUser(use);
            if (LLVMIsAInstruction(user) && LLVMIsATerminatorInst(user))
                add_block(list, LLVMGetInstructionParent(user));
        }
    }
}

// Whether a branch carries the mark that LLVM leaves on loops that it has vectorised, and
// on what is left of them for the last elements.
static bool closes_vectorised_loop(value branch)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(branch));
    value loop =
            LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", 9));
    if (!loop)
        return false;
    unsigned count = LLVMGetMDNodeNumOperands(loop);
    value *items = memory_alloc(count * sizeof *items + 1);
    LLVMGetMDNodeOperands(loop, items);
    bool found = false;
    for (unsigned i = 1; i < count && !found; i++) {
        value name[8] = {NULL};
        if (items[i] && LLVMIsAMDNode(items[i]) &&
                LLVMGetMDNodeNumOperands(items[i]) <= 8)
            LLVMGetMDNodeOperands(items[i], name);
        unsigned len = 0;
        const char *word = name[0] ? LLVMGetMDString(name[0], &len) : NULL;
        found = word && len == 22 && !memcmp(word, "llvm.loop.isvectorized", 22);
    }
    free(items);
    return found;
}

static bool precedes(LLVMBasicBlockRef first, LLVMBasicBlockRef second)
{
    while (first && first != second)
        first = LLVMGetNextBasicBlock(first);
    return first != NULL;
}

// Treats the remainder loops of a function.
static void unify_function(LLVMModuleRef module, LLVMBuilderRef builder, value function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
            block = LLVMGetNextBasicBlock(block)) {
        value last = LLVMGetBasicBlockTerminator(block);
        if (!last || LLVMGetInstructionOpcode(last) != LLVMBr ||
                !closes_vectorised_loop(last))
            continue;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
            block_list loop = {0};
            LLVMBasicBlockRef header = LLVMGetSuccessor(last, i);
            if (!precedes(header, block)) // it lies after the loop
                continue;
            collect_loop(&loop, header, block);
            vec_each (inside, &loop)
                unify_block(module, builder, function, *inside);
            vec_finish(&loop);
        }
    }
}

void vector_math_unify(LLVMModuleRef module)
{
    if (!LLVMGetNamedGlobal(module, "llvm.compiler.used"))
        return;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (value function = LLVMGetFirstFunction(module); function;
            function = LLVMGetNextFunction(function))
        unify_function(module, builder, function);
    LLVMDisposeBuilder(builder);
}
