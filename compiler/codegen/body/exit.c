// SPDX-License-Identifier: MIT
// The ways out of a body: its return, failures of what it calls, errors of our own, and
// the question whether to stop.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/line_hook.h"

#include <assert.h>

// A status above 0 is the place in this table plus 1. Sites are never merged: each has a
// line of its own.
int codegen_raise_site(struct body *body, enum error_kind kind, const char *class_name,
        void *class_object, const char *message, struct span span)
{
    struct codegen *gen = body->gen;
    const char *function = body->ir->qualname ? body->ir->qualname : body->ir->name;
    vec_push(&gen->raise_sites, (struct raise_site){.kind = kind,
                                        .class_name = class_name,
                                        .class_object = class_object,
                                        .message = message,
                                        .function = function,
                                        .span = span});
    return (int)gen->raise_sites.len;
}

// After it the builder stands behind a terminator, and its user moves it.
void control_leave(struct body *body, value status)
{
    LLVMBuilderRef builder = body->gen->builder;
    assert(!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(builder)));
    line_hook_leave(body, status);
    switch (body->mode) {
    case RETURN_STATUS:
        LLVMBuildRet(builder, status);
        break;
    case RETURN_VOID:
        LLVMBuildRetVoid(builder);
        break;
    case RETURN_JUMP:
        LLVMBuildStore(builder, status, body->status_slot);
        LLVMBuildBr(builder, body->exit);
        break;
    }
}

// Three ways: to a handler of this function; out of it, past the release of all it owns;
// or straight out, where it owns nothing. One release for all ways: code would grow by
// the number of its calls otherwise.
void control_return(struct body *body, value status)
{
    if (exception_catch(body, status))
        return;
    line_hook_fail(body, status);
    if (body->owns_memory)
        body_join(body, &body->cleanup, &body->cleanup_status, "cleanup", status);
    else
        control_leave(body, status);
}

// The failure's block goes to the end of the function, so that the printed code, and the
// machine's, reads straight through where nothing fails.
static void leave_if(struct body *body, value condition, value status, const char *name)
{
    LLVMBasicBlockRef next = body_enter_seldom(body, condition, name);
    control_return(body, status);
    LLVMPositionBuilderAtEnd(body->gen->builder, next);
}

void control_check_call(struct body *body, value status, struct span span)
{
    LLVMBuilderRef builder = body->gen->builder;
    value failed = LLVMBuildICmp(
            builder, LLVMIntNE, status, value_i32(body->gen, STATUS_OK), "");
    LLVMBasicBlockRef next = body_enter_seldom(body, failed, "failed");
    exception_trace_call(body, span);
    control_return(body, status);
    LLVMPositionBuilderAtEnd(body->gen->builder, next);
}

static const char *class_of(enum error_kind kind)
{
    static const char *const names[] = {
            [ERROR_ZERO_DIVISION] = "ZeroDivisionError",
            [ERROR_INDEX] = "IndexError",
            [ERROR_VALUE] = "ValueError",
            [ERROR_TYPE] = "TypeError",
    };
    const char *name = (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
    return name ? name : "RuntimeError";
}

void control_raise_if(struct body *body, value condition, enum error_kind kind,
        const char *message, struct span span)
{
    // a condition known to be false: no code and no site
    if (LLVMIsAConstantInt(condition) && !LLVMConstIntGetZExtValue(condition))
        return;
    int site = codegen_raise_site(body, kind, class_of(kind), NULL, message, span);
    leave_if(body, condition, value_i32(body->gen, site), "raise");
}

void control_raise_format_if(struct body *body, value condition, enum error_kind kind,
        const char *plain, const char *format, const struct type *tuple,
        const value *leaves, struct span span)
{
    if (body->gen->target->kind != TARGET_HOST) {
        control_raise_if(body, condition, kind, plain, span);
        return;
    }
    LLVMBasicBlockRef next = body_enter_seldom(body, condition, "raise");
    exception_raise_format(body, kind, format, tuple, leaves, span);
    LLVMPositionBuilderAtEnd(body->gen->builder, next);
}

void control_fail_if(struct body *body, value condition, value status)
{
    leave_if(body, condition, status, "failed");
}

static void ask_and_leave(struct body *body, value is_set)
{
    struct codegen *gen = body->gen;
    assert(gen->target->poll_answer && !gen->target->end_thread);
    LLVMBasicBlockRef next = body_enter_seldom(body, is_set, "asked");
    value status = gen->target->poll_answer(body);
    value ends =
            LLVMBuildICmp(gen->builder, LLVMIntNE, status, value_i32(gen, STATUS_OK), "");
    leave_if(body, ends, status, "interrupted");
    LLVMBuildBr(gen->builder, next);
    LLVMPositionBuilderAtEnd(gen->builder, next);
}

void control_poll(struct body *body)
{
    struct codegen *gen = body->gen;
    const struct target *target = gen->target;
    assert(gen->is_interruptible);
    value flag = target->stop_flag(body);
    value is_set = LLVMBuildICmp(gen->builder, LLVMIntNE, flag, value_i32(gen, 0), "");
    if (target->poll_answer) {
        ask_and_leave(body, is_set);
        return;
    }
    if (!target->end_thread) {
        leave_if(body, is_set, value_i32(gen, STATUS_INTERRUPTED), "interrupted");
        return;
    }
    LLVMBasicBlockRef next = body_enter_seldom(body, is_set, "interrupted");
    target->end_thread(body);
    LLVMBuildUnreachable(gen->builder);
    LLVMPositionBuilderAtEnd(gen->builder, next);
}

void control_poll_if(struct body *body, value condition)
{
    LLVMBuilderRef b = body->gen->builder;
    LLVMBasicBlockRef next = body_block_after(body, "next");
    LLVMBasicBlockRef ask = body_block_after(body, "ask");
    LLVMBuildCondBr(b, condition, ask, next);
    LLVMPositionBuilderAtEnd(b, ask);
    control_poll(body);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}
