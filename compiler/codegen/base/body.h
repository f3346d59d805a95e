// SPDX-License-Identifier: MIT
// One IR function while it is emitted into an LLVM function. The fields that point to an
// undefined struct belong to the one room that their comment names.
#pragma once

#include "compiler/codegen/base/module.h"

struct argument_facts;
struct body_bounds;
struct flow;
struct hooked_body;
struct iterator;
struct landing;
struct lanes;
struct lifetime;
struct observed_body;
struct strip;

// How a body ends, apart from storing its result.
enum return_mode {
    RETURN_STATUS, // ret i32 status
    RETURN_VOID,   // ret void; the status is lost
    RETURN_JUMP,   // status -> *status_slot, then to exit
};

// One IR function while it is emitted into an LLVM function.
struct body {
    struct codegen *gen;
    const struct ir_function *ir;
    const struct source_options *options;
    struct body *outer; // the body this one is emitted inline into
    value function;
    LLVMBasicBlockRef allocas;          // block whose end holds stack slots
    value *args;                        // leaves of the parameters, in a row
    const struct argument_facts *facts; // body/declare.h; NULL: it may be called anyhow
    value result;                       // pointer to the result
    value hidden[4];                    // the target's own parameters
    enum return_mode mode;
    value status_slot;
    LLVMBasicBlockRef exit, cleanup;
    value cleanup_status;        // phi in `cleanup`
    value **values;              // leaves by instruction id
    struct iterator **iterators; // by instruction id of GETITER
    value *owned;                // slots of counted memory by instruction id
    value owned_row;             // all these slots in one, where they are many, or NULL
    size_t owned_count;          // of them, by leaf
    bool owns_memory;
    struct lifetime *lifetime; // of the owners; NULL: they live to the end
    struct {
        const struct ir_block *header; // NULL: loops are loops
        value number, any;             // int64; slot: whether some thread had such a turn
        LLVMBasicBlockRef end;
    } turn; // of a body that is emitted for one turn of its loop: emulated/interchange.c
    struct lanes *lanes; // of a loop that takes something for granted: emulated/lanes.h
    struct observed_body *observed; // body/observe.c; NULL: nobody counts
    struct hooked_body *hooked;     // body/line_hook.c; NULL: no debugger can stop here
    struct map names;               // of values and blocks: how often each was given
    struct flow *flow;
    const struct interval *intervals; // by instruction id: where integers lie
    struct strip **strips;            // by block id: of headers that run in strips
    value *turns;                     // by block id: slots of small loops' counters
    value turn_count;                 // slot: turns of all loops that poll: loops/turn.c
    bool *checked; // by block id: whether recursion was checked by its end: calls/call.c
    struct body_bounds *bounds;       // bounds/bounds.h
    value index_arguments;            // slot of what an IndexError says, or NULL
    LLVMBasicBlockRef *starts, *ends; // by block id
    const struct ir_block *block;     // that is being emitted, or NULL
    struct landing **landings;        // by block id: body/exception.c
    value generator;                  // the object, of a generator's body
    LLVMBasicBlockRef abandoned;      // where such a body goes that is not asked again
    value caught;                     // slot of the status that a handler is for
};

// Emits an instruction: writes the leaves of its result, if it has one, to `out`.
typedef void emitter(struct body *body, const struct ir_instr *instr, value *out);

LLVMBasicBlockRef body_block(struct body *body, const char *name);
// A block after the current one, so that the printed code reads in order of execution.
LLVMBasicBlockRef body_block_after(struct body *body, const char *name);
// Goes to a block that is told a status; block and phi are made when first asked for.
void body_join(struct body *body, LLVMBasicBlockRef *block, value *phi, const char *name,
        value status);
// Goes on in a new block that hardly ever runs, where `condition` holds; returns the
// block to go on in where it does not, or after.
LLVMBasicBlockRef body_enter_seldom(struct body *body, value condition, const char *name);
void control_branch_unlikely(
        struct body *body, value condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no);

// The leaves of an instruction's operand.
static inline value *operand(
        struct body *body, const struct ir_instr *instr, size_t index)
{
    return body->values[instr->operands[index]->id];
}
