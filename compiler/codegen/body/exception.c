// SPDX-License-Identifier: MIT
// Exceptions in compiled code: a status that names a raise site goes from call to call,
// and within a function from the block that failed to its handler, through a landing.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/support/host_hooks.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// --- Landings: from what fails in an IR block to the block's handler

// One for each IR block that has a handler. What fails in the block is spread over many
// LLVM blocks, while a phi of the handler has one operand for the IR block: the landing
// is the one LLVM block that the phi sees as where control came from.
struct landing {
    LLVMBasicBlockRef start, end;
    value status; // phi, of the ways in
};

// Statuses that are no exceptions: they pass by all handlers.
static bool leaves(value status)
{
    if (!LLVMIsAConstantInt(status))
        return false;
    long long number = LLVMConstIntGetSExtValue(status);
    return number == STATUS_OK || number == STATUS_INTERRUPTED;
}

bool exception_catch(struct body *body, value status)
{
    const struct ir_block *block = body->block;
    if (!block || !ir_handler(block) || leaves(status))
        return false;
    struct landing **landing = &body->landings[block->id];
    if (!*landing)
        *landing = arena_new(&body->gen->arena, struct landing);
    assert(!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(body->gen->builder)));
    body_join(body, &(*landing)->start, &(*landing)->status, "landing", status);
    return true;
}

static bool all_are_sites(value phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!LLVMIsAConstantInt(LLVMGetIncomingValue(phi, i)))
            return false;
    return true;
}

static value caught_slot(struct body *body)
{
    if (!body->caught)
        body->caught = value_alloca(body, body->gen->i32, "caught");
    return body->caught;
}

// An interrupt is no exception that code could handle: it leaves the function.
static void finish_landing(
        struct body *body, struct landing *landing, const struct ir_block *handler)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMPositionBuilderAtEnd(b, landing->start);
    assert(handler && body->starts[handler->id]);
    if (landing->status && !all_are_sites(landing->status)) {
        LLVMBasicBlockRef interrupted = body_block(body, "interrupted");
        LLVMBasicBlockRef handled = body_block(body, "handled");
        value stopped = value_i32(gen, STATUS_INTERRUPTED);
        LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, landing->status, stopped, ""),
                interrupted, handled);
        LLVMPositionBuilderAtEnd(b, interrupted);
        control_return(body, stopped);
        LLVMPositionBuilderAtEnd(b, handled);
    }
    if (landing->status)
        LLVMBuildStore(b, landing->status, caught_slot(body));
    landing->end = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, body->starts[handler->id]);
}

// Where nothing can fail the landing is there too, and no way leads to it.
void exception_finish_landings(struct body *body)
{
    body->block = NULL;
    for (size_t i = 0; i < body->flow->order_len; i++) {
        const struct ir_block *block = body->flow->order[i];
        const struct ir_block *handler = ir_handler(block);
        if (!handler)
            continue;
        if (!body->landings[block->id]) {
            body->landings[block->id] = arena_new(&body->gen->arena, struct landing);
            body->landings[block->id]->start = body_block(body, "landing");
        }
        finish_landing(body, body->landings[block->id], handler);
    }
}

// For phis: after all landings are finished.
LLVMBasicBlockRef exception_source(
        const struct body *body, const struct ir_block *from, const struct ir_block *to)
{
    assert(ir_handler(from) != to || body->landings[from->id]->end);
    return ir_handler(from) == to ? body->landings[from->id]->end : NULL;
}

// --- Raising

static value arguments_slot(struct body *body, const struct type *tuple)
{
    LLVMTypeRef bytes = LLVMArrayType2(body->gen->i8, abi_size(tuple) + 1);
    value slot = value_alloca(body, bytes, "arguments");
    LLVMSetAlignment(slot, 16);
    return slot;
}

// Hands the arguments of an exception to the runtime, which keeps them for this thread.
static void hand_arguments(
        struct body *body, const struct type *tuple, value block, const value *leaves)
{
    struct codegen *gen = body->gen;
    value_store(gen, tuple, block, 0, leaves);
    value args[2] = {codegen_address(gen, tuple), block};
    LLVMTypeRef params[2] = {gen->ptr, gen->ptr};
    codegen_call(gen,
            codegen_external(gen, "gridcell_raise_arguments", gen->void_type, params, 2),
            args, 2, "");
}

// The runtime makes Python objects of them when somebody asks; from here on it owns the
// references.
static void pass_arguments(struct body *body, const struct ir_instr *instr)
{
    const struct type *tuple = value_pack_type(body->gen, instr);
    value *leaves = value_pack(body, instr);
    ownership_retain(body, tuple, leaves);
    hand_arguments(body, tuple, arguments_slot(body, tuple), leaves);
}

// On the host the message has the numbers of the failure, and says how to go on as in
// numba, which checks only what is asked for; devices only tell the site.
// Of one in the library, which never gets here unless it is checked, the function counts.
static const char *index_message(const struct body *body)
{
    if (source_checks_library(body->options))
        return arena_printf(&body->gen->arena,
                "%s() of the library reaches out of bounds%s", body->ir->name,
                body->gen->target->kind == TARGET_HOST
                        ? ": index %d on axis %d of size %d"
                        : "");
    if (body->gen->target->kind != TARGET_HOST)
        return "index is out of bounds";
    if (body->options->boundscheck == BOUNDS_ALL)
        return "index is out of bounds: index %d on axis %d of size %d";
    return "index is out of bounds: index %d on axis %d of size %d "
           "(boundscheck=False turns such checks off, as numba has them)";
}

int exception_index_site(struct body *body, struct span span)
{
    bool is_told = body->gen->target->kind == TARGET_HOST;
    int site = codegen_raise_site(
            body, ERROR_INDEX, "IndexError", NULL, index_message(body), span);
    struct raise_site *described = &body->gen->raise_sites.items[site - 1];
    described->is_format = described->has_arguments = is_told;
    return site;
}

void exception_raise_index(struct body *body, const value *failure)
{
    struct codegen *gen = body->gen;
    const struct type *items[] = {type_int64, type_int64, type_int64};
    if (gen->target->kind == TARGET_HOST) {
        const struct type *tuple = type_tuple(items, 3);
        if (!body->index_arguments)
            body->index_arguments = arguments_slot(body, tuple);
        hand_arguments(body, tuple, body->index_arguments, failure + 1);
    }
    control_return(body, failure[0]);
}

void exception_raise_format(struct body *body, enum error_kind kind, const char *format,
        const struct type *tuple, const value *leaves, struct span span)
{
    struct codegen *gen = body->gen;
    int site = codegen_raise_site(body, kind,
            kind == ERROR_OVERFLOW ? "OverflowError" : "ValueError", NULL, format, span);
    struct raise_site *described = &gen->raise_sites.items[site - 1];
    described->is_format = described->has_arguments = true;
    hand_arguments(body, tuple, arguments_slot(body, tuple), leaves);
    control_return(body, value_i32(gen, site));
}

void exception_raise(struct body *body, const struct ir_instr *instr)
{
    assert(instr->op == IR_RAISE);
    const struct constant *class = instr->raise.class;
    const char *name = class ? class->exception.name : "RuntimeError";
    bool has_arguments = instr->operand_count && body->gen->target->kind == TARGET_HOST;
    const char *message = instr->raise.message;
    if (instr->operand_count && !has_arguments && !message) {
        if (!body->flow->is_of_library || strcmp(name, "AxisError") != 0) {
            codegen_fail(body->gen, ERROR_UNSUPPORTED, instr->span,
                    "the arguments of an exception must be constants in device code.");
            return;
        }
        message = "an axis is out of bounds"; // of the library; which, no device can tell
    }
    if (instr->raise.is_format && !has_arguments) // as much as needs none
        message = arena_printf(
                &body->gen->arena, "%.*s", (int)strcspn(message, ":%"), message);
    int site = codegen_raise_site(body, ERROR_RUNTIME, name,
            class ? class->exception.object : NULL, message, instr->span);
    if (has_arguments) {
        body->gen->raise_sites.items[site - 1].has_arguments = true;
        body->gen->raise_sites.items[site - 1].is_format = instr->raise.is_format;
        pass_arguments(body, instr);
    }
    control_return(body, value_i32(body->gen, site));
}

// The status says all: which site, and with it class, message and place.
void exception_reraise(struct body *body, const struct ir_instr *instr)
{
    assert(instr->op == IR_RERAISE && instr->operand_count == 1);
    const value *caught = operand(body, instr, 0);
    if (body->gen->target->kind == TARGET_HOST && !LLVMIsConstant(caught[CAUGHT_MEMORY]))
        codegen_call_external(body->gen, "gridcell_exception_give", body->gen->void_type,
                &caught[CAUGHT_MEMORY], 1);
    control_return(body, caught[CAUGHT_STATUS]);
}

// --- Handling

// A class that some handler of the module asks for, and the function that answers it for
// a status. It is written when all raise sites are known.
struct matcher {
    struct constant class;
    value function;
};

static bool is_same_class(const struct constant *a, const struct constant *b)
{
    return a->exception.object == b->exception.object &&
           !strcmp(a->exception.name, b->exception.name);
}

// A function for each class, so that a handler is one call and not a comparison with each
// site of the module; LLVM inlines the short ones.
static value matcher_of(struct codegen *gen, const struct constant *class)
{
    vec_each (matcher, &gen->matchers)
        if (is_same_class(&(*matcher)->class, class))
            return (*matcher)->function;
    struct matcher *matcher = arena_new(&gen->arena, struct matcher);
    matcher->class = *class;
    const char *name = arena_printf(&gen->arena, "is.%s", class->exception.name);
    matcher->function = LLVMAddFunction(
            gen->module, name, LLVMFunctionType(gen->i1, &gen->i32, 1, false));
    LLVMSetLinkage(matcher->function, LLVMInternalLinkage);
    codegen_attribute(gen, matcher->function, LLVMAttributeFunctionIndex, "nounwind", 0);
    vec_push(&gen->matchers, matcher);
    return matcher->function;
}

void exception_matches(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    assert(instr->op == IR_MATCH);
    value status = operand(body, instr, 0)[CAUGHT_STATUS], found = value_bool(gen, false);
    for (size_t i = 0; i < instr->match.count; i++) {
        value function = matcher_of(gen, &instr->match.classes[i]);
        value is_this = codegen_call(gen, function, &status, 1, "");
        found = LLVMBuildOr(gen->builder, found, is_this, "");
    }
    out[0] = found;
}

// Python answers for classes with bases; a unit test without Python goes by names.
static bool class_covers(const struct constant *class, const char *name, void *object)
{
    const char *wanted = class->exception.name;
    if (host_hooks.exception_is)
        return host_hooks.exception_is(class, name, object);
    return !strcmp(wanted, name) || !strcmp(wanted, "Exception") ||
           !strcmp(wanted, "BaseException");
}

// A Python exception that came out of a callback: Python knows what it is.
static value ask_python(struct codegen *gen, const struct matcher *matcher)
{
    if (gen->target->kind != TARGET_HOST || !matcher->class.exception.object)
        return value_bool(gen, false);
    value function =
            codegen_external(gen, "gridcell_python_exception_is", gen->i32, &gen->ptr, 1);
    value class = codegen_address(gen, matcher->class.exception.object);
    value answer = codegen_call(gen, function, &class, 1, "");
    return LLVMBuildICmp(gen->builder, LLVMIntNE, answer, value_i32(gen, 0), "");
}

// At the end of the module: a raise site that is added later would not be known to it.
static void define_matcher(struct codegen *gen, const struct matcher *matcher)
{
    LLVMBuilderRef b = gen->builder;
    value function = matcher->function;
    LLVMBasicBlockRef entry =
            LLVMAppendBasicBlockInContext(gen->context, function, "entry");
    LLVMBasicBlockRef yes = LLVMAppendBasicBlockInContext(gen->context, function, "yes");
    LLVMBasicBlockRef no = LLVMAppendBasicBlockInContext(gen->context, function, "no");
    LLVMBasicBlockRef python =
            LLVMAppendBasicBlockInContext(gen->context, function, "python");
    LLVMPositionBuilderAtEnd(b, entry);
    value choice = LLVMBuildSwitch(b, LLVMGetParam(function, 0), no, 8);
    LLVMAddCase(choice, value_i32(gen, STATUS_PYTHON), python);
    if (class_covers(&matcher->class, "MemoryError", NULL))
        LLVMAddCase(choice, value_i32(gen, STATUS_MEMORY), yes);
    for (size_t i = 0; i < gen->raise_sites.len; i++) {
        const struct raise_site *site = &gen->raise_sites.items[i];
        if (class_covers(&matcher->class, site->class_name, site->class_object))
            LLVMAddCase(choice, value_i32(gen, (int64_t)i + 1), yes);
    }
    LLVMPositionBuilderAtEnd(b, yes);
    LLVMBuildRet(b, value_bool(gen, true));
    LLVMPositionBuilderAtEnd(b, no);
    LLVMBuildRet(b, value_bool(gen, false));
    LLVMPositionBuilderAtEnd(b, python);
    LLVMBuildRet(b, ask_python(gen, matcher));
}

// --- What the runtime is told of an exception

// Functions of a CAUGHT and a number, which say of each raise site what the runtime makes
// its exception of: to print it, and to chain another one to it.
static const char printer_symbol[] = "exception.print",
                  chain_symbol[] = "exception.chain";

static void call_teller(
        struct codegen *gen, const char *symbol, const value *leaves, int number)
{
    value function = LLVMGetNamedFunction(gen->module, symbol);
    if (!function) {
        LLVMTypeRef params[] = {gen->ptr, gen->i32, gen->i32};
        function = LLVMAddFunction(
                gen->module, symbol, LLVMFunctionType(gen->void_type, params, 3, false));
        LLVMSetLinkage(function, LLVMInternalLinkage);
    }
    value args[] = {leaves[CAUGHT_MEMORY], leaves[CAUGHT_STATUS], value_i32(gen, number)};
    codegen_call(gen, function, args, 3, "");
}

void exception_print(struct body *body, const value *leaves, bool is_repr)
{
    call_teller(body->gen, printer_symbol, leaves, is_repr);
}

void exception_chain(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    if (gen->target->kind != TARGET_HOST)
        return;
    if (instr->operand_count)
        call_teller(gen, chain_symbol, operand(body, instr, 0), instr->immediate);
    else
        codegen_call_external(gen, "gridcell_exception_unchain", gen->void_type, NULL, 0);
}

static value text_or_null(struct codegen *gen, const char *text)
{
    return text ? codegen_text(gen, text, strlen(text) + 1) : LLVMConstNull(gen->ptr);
}

// Tells of one site: message, arguments, class; no class's name is one that left its
// class and message on the thread.
static void tell_site(struct codegen *gen, value function, const char *external,
        const struct raise_site *site)
{
    value none = LLVMConstNull(gen->ptr);
    bool has_message = !site->is_dynamic && (!site->has_arguments || site->is_format);
    value args[] = {LLVMGetParam(function, 0),
            has_message ? text_or_null(gen, site->message) : none,
            value_i32(gen, site->has_arguments),
            site->is_dynamic ? none : text_or_null(gen, site->class_name),
            site->class_object ? codegen_address(gen, site->class_object) : none,
            LLVMGetParam(function, 2)};
    codegen_call_external(gen, external, gen->void_type, args, 6);
}

// What no site of the module raised is Python's, or that there is no memory left.
static void define_teller(struct codegen *gen, const char *symbol, const char *external)
{
    LLVMBuilderRef b = gen->builder;
    value function = LLVMGetNamedFunction(gen->module, symbol);
    if (!function)
        return;
    value status = LLVMGetParam(function, 1);
    LLVMBasicBlockRef entry =
            LLVMAppendBasicBlockInContext(gen->context, function, "entry");
    LLVMBasicBlockRef unknown =
            LLVMAppendBasicBlockInContext(gen->context, function, "unknown");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBasicBlockRef full =
            LLVMAppendBasicBlockInContext(gen->context, function, "no.memory");
    value choice = LLVMBuildSwitch(b, status, unknown, 8);
    LLVMPositionBuilderAtEnd(b, unknown);
    tell_site(gen, function, external,
            &(struct raise_site){.class_name = "", .has_arguments = true});
    LLVMBuildRetVoid(b);
    LLVMAddCase(choice, value_i32(gen, STATUS_MEMORY), full);
    LLVMPositionBuilderAtEnd(b, full);
    tell_site(gen, function, external, &(struct raise_site){.class_name = "MemoryError"});
    LLVMBuildRetVoid(b);
    for (size_t i = 0; i < gen->raise_sites.len; i++) {
        LLVMBasicBlockRef known =
                LLVMAppendBasicBlockInContext(gen->context, function, "known");
        LLVMAddCase(choice, value_i32(gen, (int64_t)i + 1), known);
        LLVMPositionBuilderAtEnd(b, known);
        tell_site(gen, function, external, &gen->raise_sites.items[i]);
        LLVMBuildRetVoid(b);
    }
}

void exception_define_matchers(struct codegen *gen)
{
    define_teller(gen, printer_symbol, "gridcell_print_exception");
    define_teller(gen, chain_symbol, "gridcell_exception_chain");
    vec_each (matcher, &gen->matchers)
        define_matcher(gen, *matcher);
    vec_finish(&gen->matchers);
}

bool exception_is_held(const struct body *body, const struct ir_instr *caught)
{
    return caught->immediate && body->gen->target->kind == TARGET_HOST;
}

void exception_caught(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    value status = LLVMBuildLoad2(gen->builder, gen->i32, caught_slot(body), "caught");
    out[CAUGHT_STATUS] = status;
    out[CAUGHT_MEMORY] = exception_is_held(body, instr)
                                 ? codegen_call_external(gen, "gridcell_exception_hold",
                                           gen->ptr, &status, 1)
                                 : LLVMConstNull(gen->ptr);
}

// The exception is handled: what was noted about its way here goes.
void exception_catch_end(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    if (gen->target->kind != TARGET_HOST)
        return;
    value function = codegen_external(
            gen, "gridcell_exception_caught", gen->void_type, &gen->i32, 1);
    codegen_call(gen, function, &operand(body, instr, 0)[CAUGHT_STATUS], 1, "");
}

// --- The way of an exception through calls

// Notes, on the way out, that this call did not return.
void exception_trace_call(struct body *body, struct span span)
{
    struct codegen *gen = body->gen;
    if (gen->target->kind != TARGET_HOST || !span.line)
        return;
    const char *name = body->ir->qualname ? body->ir->qualname : body->ir->name;
    const char *file = span.file ? span.file : "<unknown>";
    value args[3] = {codegen_text(gen, name, strlen(name)), codegen_file_name(gen, file),
            value_i32(gen, span.line)};
    LLVMTypeRef params[3] = {gen->ptr, gen->ptr, gen->i32};
    value function =
            codegen_external(gen, "gridcell_trace_call", gen->void_type, params, 3);
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "cold", 0);
    codegen_call(gen, function, args, 3, "");
}
