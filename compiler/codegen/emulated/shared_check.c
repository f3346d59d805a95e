// SPDX-License-Identifier: MIT
// Calls by which a kernel under debug tells the emulated device of each access to shared
// memory, so that it finds races, reads of what nobody wrote, and barriers that not all
// threads reach (runtime/emulator/shared_check.c).
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/emulated/shared_check.h"
#include "compiler/codegen/values/array.h"

#include <stddef.h>

#include "compiler/types/abi.h"

enum { HIDDEN_BLOCK, SHARED_SPACE = 3 };

// The first of the raise sites for what a check can find, in the order of abi_finding.
static int add_sites(struct body *body, struct span span)
{
    static const char *const messages[FINDING_COUNT] = {
            "shared memory is read here that no thread of the block has written",
            ("race on shared memory: another thread has written here since the last "
             "barrier"),
            "race on shared memory: another thread has read here since the last barrier"};
    int first = 0;
    for (int i = 0; i < FINDING_COUNT; i++) {
        int site = codegen_raise_site(
                body, ERROR_RUNTIME, "RuntimeError", NULL, messages[i], span);
        first = i ? first : site;
    }
    return first;
}

void shared_check_access(struct body *body, const struct type *array, value address,
        enum abi_access access, const value *stored, struct span span)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    if (!gen->checks_shared || array->array.address_space != SHARED_SPACE)
        return;
    value item = LLVMConstNull(gen->ptr);
    if (stored) {
        size_t size = array_item_bytes(array);
        item = value_alloca(body, LLVMArrayType2(gen->i8, size), "stored");
        LLVMSetAlignment(item, 16);
        value_store(gen, array->element, item, 0, stored);
    }
    value args[] = {body->hidden[HIDDEN_BLOCK], address, item,
            value_i64(gen, (int64_t)array_item_bytes(array)), value_i32(gen, (int)access),
            observe_thread_number(body), value_i32(gen, span.line),
            value_i32(gen, add_sites(body, span))};
    enum { ARG_COUNT = sizeof args / sizeof *args };
    LLVMTypeRef types[ARG_COUNT];
    for (int i = 0; i < ARG_COUNT; i++)
        types[i] = LLVMTypeOf(args[i]);
    value check =
            codegen_external(gen, "gridcell_check_shared", gen->i32, types, ARG_COUNT);
    value status = codegen_call(gen, check, args, ARG_COUNT, "checked");
    control_fail_if(body,
            LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, STATUS_OK), ""), status);
}

void shared_check_barrier(struct body *body, struct span span)
{
    struct codegen *gen = body->gen;
    if (gen->checks_shared && gen->coroutine.slot)
        LLVMBuildStore(gen->builder, value_i32(gen, span.line),
                value_offset(gen, gen->coroutine.slot,
                        offsetof(struct abi_emulated_thread, line)));
}

void shared_check_warp(struct body *body)
{
    struct codegen *gen = body->gen;
    if (!gen->checks_shared)
        return;
    value args[] = {body->hidden[HIDDEN_BLOCK], observe_thread_number(body)};
    LLVMTypeRef types[] = {gen->ptr, gen->i32};
    value note = codegen_external(gen, "gridcell_check_warp", gen->void_type, types, 2);
    codegen_call(gen, note, args, 2, "");
}
