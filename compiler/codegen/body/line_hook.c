// SPDX-License-Identifier: MIT
// Code for debuggers inside of functions (struct debug_frame). Each body that is the
// user's keeps its record: the line, before what the line does, and each variable, when
// it is assigned. Where a line begins, the code asks one flag whether a debugger wants to
// know. So a debugger may come at any time, and costs one load and one branch a line
// while there is none.
//
// Nothing here changes what the code computes. The debugger's functions return nothing:
// an interrupt ends the code where it polls for that, as ever.
#include "compiler/codegen/body/line_hook.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/types/abi.h"
#include "compiler/types/debug_frame.h"
#include "compiler/types/source.h"

enum { HIDDEN_BLOCK, HIDDEN_THREAD, ALIGNMENT = 16 };

struct hooked_variable {
    const char *name;
    const struct type *type;
    size_t offset;
    bool is_argument;
};

struct hooked_body {
    value frame;
    struct hooked_variable *variables;
    size_t count, size_bytes;
    int line; // that the code was last said to be at, in the block that is emitted; or 0
};

static const struct ir_instr *value_of(const struct ir_instr *instr)
{
    return instr->op == IR_NAME ? instr->operands[0] : instr;
}

// Whether it makes what a variable of the user's is.
static bool is_shown(const struct ir_instr *instr)
{
    const char *name = instr->variable;
    return name && value_of(instr)->type &&
           (name[0] == '_' || (name[0] >= 'A' && name[0] <= 'Z') ||
                   (name[0] >= 'a' && name[0] <= 'z'));
}

static int find_variable(const struct hooked_body *hooked, const struct ir_instr *instr)
{
    for (size_t i = 0; i < hooked->count; i++)
        if (hooked->variables[i].type == value_of(instr)->type &&
                !strcmp(hooked->variables[i].name, instr->variable))
            return (int)i;
    return -1;
}

static void list_variables(struct body *body, struct hooked_body *hooked)
{
    hooked->variables = arena_array(
            &body->gen->arena, struct hooked_variable, (size_t)body->ir->next_id + 1);
    for (size_t i = 0; i < body->flow->order_len; i++)
        ir_each_instr(instr, body->flow->order[i])
        {
            if (!is_shown(instr))
                continue;
            int known = find_variable(hooked, instr);
            if (known < 0) {
                known = (int)hooked->count++;
                hooked->variables[known] = (struct hooked_variable){
                        .name = instr->variable, .type = value_of(instr)->type};
            }
            hooked->variables[known].is_argument |= instr->op == IR_ARG;
        }
    hooked->size_bytes = sizeof(struct debug_frame) + hooked->count;
    for (size_t i = 0; i < hooked->count; i++) {
        size_t at = (hooked->size_bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
        hooked->variables[i].offset = at;
        hooked->size_bytes = at + abi_size(hooked->variables[i].type);
    }
}

static value constant_global(struct codegen *gen, value content, const char *name)
{
    value global = LLVMAddGlobal(gen->module, LLVMTypeOf(content), name);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    LLVMSetInitializer(global, content);
    return global;
}

static value structure(struct codegen *gen, value *fields, unsigned count)
{
    return LLVMConstStructInContext(gen->context, fields, count, false);
}

// The struct debug_function, as a constant of the module, which lives as long as the
// code.
static value describe(struct body *body, const struct hooked_body *hooked)
{
    struct codegen *gen = body->gen;
    const struct source *source = body->ir->source;
    value *rows = value_row(gen, hooked->count + 1);
    for (size_t i = 0; i < hooked->count; i++) {
        const struct hooked_variable *variable = &hooked->variables[i];
        value fields[] = {codegen_text(gen, variable->name, strlen(variable->name)),
                codegen_address(gen, variable->type),
                value_i64(gen, (int64_t)variable->offset),
                value_i64(gen, variable->is_argument)};
        rows[i] = structure(gen, fields, 4);
    }
    LLVMTypeRef types[] = {gen->ptr, gen->ptr, gen->i64, gen->i64};
    LLVMTypeRef row = LLVMStructTypeInContext(gen->context, types, 4, false);
    value list = constant_global(
            gen, LLVMConstArray2(row, rows, hooked->count), "debug.variables");
    value fields[] = {codegen_text(gen, body->ir->name, strlen(body->ir->name)),
            codegen_file_name(gen, source->file ? source->file : ""),
            value_i64(gen, source->first_line), value_i64(gen, (int64_t)hooked->count),
            list};
    return constant_global(gen, structure(gen, fields, 5), "debug.function");
}

static void set_field(struct body *body, size_t offset, value content)
{
    LLVMBuildStore(body->gen->builder, content,
            value_offset(body->gen, body->hooked->frame, offset));
}

static void call(struct body *body, const char *function)
{
    assert(body->hooked && body->hooked->frame);
    codegen_call_external(
            body->gen, function, body->gen->void_type, &body->hooked->frame, 1);
}

// Whether a thread of the emulated device begins with this body.
static bool is_first(const struct body *body)
{
    return body->gen->target->kind == TARGET_EMULATOR && !body->outer &&
           body->ir == body->gen->root;
}

void line_hook_open(struct body *body)
{
    struct codegen *gen = body->gen;
    if (!gen->has_line_hooks || !body->ir->source || body->options->is_library ||
            flow_is_of_library(body->ir))
        return;
    struct hooked_body *hooked = arena_new(&gen->arena, struct hooked_body);
    list_variables(body, hooked);
    hooked->frame = value_alloca(
            body, LLVMArrayType2(gen->i8, hooked->size_bytes), "debug.frame");
    LLVMSetAlignment(hooked->frame, ALIGNMENT);
    body->hooked = hooked;
    set_field(body, offsetof(struct debug_frame, function), describe(body, hooked));
    bool is_emulated = gen->target->kind == TARGET_EMULATOR;
    set_field(body, offsetof(struct debug_frame, block),
            is_emulated ? body->hidden[HIDDEN_BLOCK] : LLVMConstNull(gen->ptr));
    for (size_t axis = 0; axis < 3; axis++)
        set_field(body, offsetof(struct debug_frame, thread) + 4 * axis,
                is_emulated ? body->hidden[HIDDEN_THREAD + axis] : value_i32(gen, 0));
    set_field(body, offsetof(struct debug_frame, line),
            value_i32(gen, body->ir->source->first_line));
    LLVMBuildMemSet(gen->builder,
            value_offset(gen, hooked->frame, sizeof(struct debug_frame)),
            LLVMConstInt(gen->i8, 0, false), value_i64(gen, (int64_t)hooked->count), 1);
    call(body, is_first(body) ? "gridcell_debug_begin" : "gridcell_debug_enter");
}

void line_hook_enter(struct body *body)
{
    if (body->hooked)
        body->hooked->line = 0;
}

// A jump, where ways meet, or the return at a function's end, which is not written there,
// is no step of the user's program.
static bool is_step(const struct ir_instr *instr)
{
    bool is_returned = instr->op == IR_RETURN || instr->op == IR_CONST;
    if (is_returned && instr->span.column == 0)
        return false;
    if (instr->op == IR_ARG || instr->op == IR_PHI)
        return false;
    return !ir_is_terminator(instr->op) || instr->op == IR_RETURN ||
           instr->op == IR_RAISE;
}

static value is_armed(struct codegen *gen)
{
    static const char name[] = "gridcell_debug_armed";
    value flag = LLVMGetNamedGlobal(gen->module, name);
    flag = value_load_flag(gen, flag ? flag : LLVMAddGlobal(gen->module, gen->i32, name));
    return LLVMBuildICmp(gen->builder, LLVMIntNE, flag, value_i32(gen, 0), "");
}

void line_hook_at(struct body *body, const struct ir_instr *instr)
{
    struct hooked_body *hooked = body->hooked;
    struct codegen *gen = body->gen;
    int line = instr->span.line;
    if (!hooked || line <= 0 || line == hooked->line || !is_step(instr))
        return;
    hooked->line = line;
    set_field(body, offsetof(struct debug_frame, line), value_i32(gen, line));
    LLVMBasicBlockRef next = body_enter_seldom(body, is_armed(gen), "debugger");
    call(body, "gridcell_debug_line");
    LLVMBuildBr(gen->builder, next);
    LLVMPositionBuilderAtEnd(gen->builder, next);
}

static void mark(struct body *body, size_t variable, bool is_set)
{
    assert(variable < body->hooked->count);
    set_field(body, sizeof(struct debug_frame) + variable,
            LLVMConstInt(body->gen->i8, is_set, false));
}

// Of variables of the same name the one that is assigned is what the name means now.
void line_hook_assigned(struct body *body, const struct ir_instr *instr)
{
    struct hooked_body *hooked = body->hooked;
    struct codegen *gen = body->gen;
    if (!hooked || !is_shown(instr) || codegen_failed(gen))
        return;
    const struct type *type = value_of(instr)->type;
    const value *leaves = body->values[value_of(instr)->id];
    size_t count = type_leaf_count(gen, type);
    for (size_t i = 0; i < count; i++)
        if (!leaves[i])
            return;
    int known = find_variable(hooked, instr);
    assert(known >= 0);
    for (size_t i = 0; i < hooked->count; i++)
        if ((int)i != known && !strcmp(hooked->variables[i].name, instr->variable))
            mark(body, i, false);
    value_store(gen, type,
            value_offset(gen, hooked->frame, hooked->variables[known].offset), 0, leaves);
    mark(body, (size_t)known, true);
}

void line_hook_wait(struct body *body)
{
    if (body->hooked)
        call(body, "gridcell_debug_wait");
}

void line_hook_wake(struct body *body)
{
    if (body->hooked)
        call(body, "gridcell_debug_wake");
}

static void call_with(struct body *body, const char *function, value status)
{
    value args[] = {body->hooked->frame, status};
    codegen_call_external(body->gen, function, body->gen->void_type, args, 2);
}

void line_hook_fail(struct body *body, value status)
{
    bool is_return = LLVMIsAConstantInt(status) && LLVMIsNull(status);
    if (body->hooked && !is_return)
        call_with(body, "gridcell_debug_fail", status);
}

void line_hook_resume(struct body *body)
{
    if (body->hooked)
        call(body, "gridcell_debug_enter");
}

void line_hook_leave(struct body *body, value status)
{
    if (body->hooked)
        call_with(body, "gridcell_debug_leave", status);
}

void line_hook_stop(struct body *body)
{
    if (body->hooked)
        call(body, "gridcell_debug_stop");
}
