// SPDX-License-Identifier: MIT
// Calls of the functions that count for an observed kernel on a GPU. They are of the
// library (compiler/library/counting.py), and compiled as part of the kernel's module.
//
// Lanes of a warp that make such a call together are those that the GPU runs together
// there. So the calls are convergent: nothing may take lanes apart, or duplicate a call.
#include "compiler/codegen/cuda/counting.h"

#include <assert.h>
#include <string.h>

#include "compiler/codegen/values/array.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"

enum { GLOBAL_SPACE = 1 };

// Where the kernel counts, as an array of int64. The host has put its address into the
// variable.
static void describe_memory(struct body *body, const struct type *type, value *leaves)
{
    struct codegen *gen = body->gen;
    value variable = LLVMGetNamedGlobal(gen->module, COUNTED_VARIABLE);
    if (!variable) {
        variable = LLVMAddGlobalInAddressSpace(
                gen->module, gen->i64, COUNTED_VARIABLE, GLOBAL_SPACE);
        LLVMSetInitializer(variable, value_i64(gen, 0));
        LLVMSetAlignment(variable, 8);
    }
    value address = LLVMBuildLoad2(
            gen->builder, gen->i64, LLVMConstAddrSpaceCast(variable, gen->ptr), "");
    value data = LLVMBuildIntToPtr(gen->builder, address, gen->ptr, "counted");
    value len = value_i64(gen, INT64_MAX / 8);
    array_describe(body, type, data, &len, leaves);
}

static void call(
        struct body *body, enum counting which, const value *numbers, size_t count)
{
    struct codegen *gen = body->gen;
    assert(gen->is_observed && gen->counting && which < COUNTING_COUNT);
    const struct ir_function *ir = gen->counting[which];
    struct callee *callee = codegen_declare(gen, ir, ir->symbol);
    size_t leaf_count = type_leaf_count(gen, ir->params[0]);
    value *args = value_row(gen, 1 + leaf_count + count);
    assert(1 + leaf_count + count == LLVMCountParams(callee->function));
    args[0] = LLVMConstNull(gen->ptr); // it returns nothing
    describe_memory(body, ir->params[0], args + 1);
    memcpy(args + 1 + leaf_count, numbers, count * sizeof *numbers);
    LLVMBuildCall2(gen->builder, callee->type, callee->function, args,
            (unsigned)(1 + leaf_count + count), "");
}

void count_site(struct body *body, int site, value turn, value what)
{
    struct codegen *gen = body->gen;
    assert(site >= 0 && (size_t)site < gen->observed_sites.len);
    const struct observed_site *place = &gen->observed_sites.items[site];
    value number = value_i64(gen, site);
    if (place->kind == OBSERVED_BRANCH) {
        call(body, COUNTING_BRANCH, (value[]){number, turn, what}, 3);
        return;
    }
    if (place->kind == OBSERVED_BARRIER) {
        call(body, COUNTING_BARRIER, (value[]){number, turn}, 2);
        return;
    }
    value args[] = {number, value_i64(gen, place->kind), value_i64(gen, place->space),
            value_i64(gen, place->item_bytes), turn, what};
    call(body, COUNTING_ACCESS, args, 6);
}

void count_part(struct body *body, int part, value turn)
{
    call(body, COUNTING_PART, (value[]){value_i64(body->gen, part), turn}, 2);
}

void count_loop(struct body *body, int loop, bool is_turn, value times)
{
    value args[] = {value_i64(body->gen, 2 * loop + is_turn), times};
    call(body, COUNTING_LOOP, args, 2);
}
