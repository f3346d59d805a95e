// SPDX-License-Identifier: MIT
// What a compilation yields: its life, and the texts that inspection asks for.
#include "compiler/compiler.h"

#include <stdlib.h>

#include "base/guard.h"
#include "compiler/backends/backend.h"
#include "compiler/backends/cfg/cfg.h"
#include "compiler/backends/cpu/jit.h"
#include "compiler/compile.h"
#include "compiler/report.h"
#include "compiler/typing/infer/annotate.h"

void compiler_llvm_version(unsigned *major, unsigned *minor, unsigned *patch)
{
    LLVMGetVersion(major, minor, patch);
}

// The caller knows that no code of it runs and that nothing points to its strings: raise
// sites lie in the arena. The IR stays its source's.
void compiled_destroy(struct compiled *compiled)
{
    if (!compiled)
        return;
    jit_unload(compiled);
    arena_finish(&compiled->private->arena);
    free(compiled->private);
    free(compiled->ptx);
    free(compiled->ptx_entry);
    free(compiled->joined_entry);
    free(compiled->ltoir);
    free(compiled->llvm_ir);
    free(compiled->asm_text);
    free(compiled->cache_file);
    free(compiled->cache_failure);
    free(compiled);
}

static bool is_arithmetic(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_BINARY:
        return instr->binary != BINARY_MOD && instr->binary != BINARY_FLOORDIV &&
               instr->binary != BINARY_POW;
    case IR_PRIMITIVE:
        return instr->primitive == PRIMITIVE_DIVIDE ||
               instr->primitive == PRIMITIVE_ABS ||
               instr->primitive == PRIMITIVE_SELECT ||
               instr->primitive == PRIMITIVE_MATH_SQRT ||
               instr->primitive == PRIMITIVE_MATH_FABS;
    case IR_CALL_DIRECT:
        return false;
    default:
        return true;
    }
}

bool compiled_has_doubtful_flags(const struct compiled *compiled)
{
    vec_each (block, &compiled->function->blocks)
        ir_each_instr(instr, *block) if (!is_arithmetic(instr)) return true;
    return false;
}

// Not for two threads at once, on the same `compiled`, as the text is kept in it.
const char *compiled_llvm(struct compiled *compiled, struct error *err)
{
    if (!compiled->llvm_ir && !compile_text(compiled, err))
        return NULL;
    return compiled->llvm_ir;
}

// What inspection asks for, as guarded work: the text is of more use than its maker, and
// neither may end the process.
struct inspection {
    struct compiled *compiled;
    const char *const *source_lines;
    size_t line_count;
    struct str *out;
    struct error *err;
    bool is_done;
};

static bool inspect(
        struct inspection *inspection, void (*work)(void *data), const char *what)
{
    const struct ir_function *function = inspection->compiled->function;
    if (guard_run(work, inspection))
        return inspection->is_done;
    report_given_up(what, inspection->err);
    jit_renew(false);
    const struct report report = {function->source, function->params,
            function->param_count, inspection->compiled->target, function};
    report_write(&report, inspection->err);
    return false;
}

static void make_assembly(void *data)
{
    struct inspection *inspection = data;
    struct compiled *compiled = inspection->compiled;
    compiled->asm_text = jit_assembly(
            compiled->llvm_ir, compiled->private->opt_level, inspection->err);
}

const char *compiled_asm(struct compiled *compiled, struct error *err)
{
    if (compiled->ptx)
        return compiled->ptx;
    struct inspection inspection = {.compiled = compiled, .err = err};
    if (!compiled->asm_text && compiled_llvm(compiled, err))
        inspect(&inspection, make_assembly, "assembly");
    return compiled->asm_text;
}

void *compiled_code(const struct compiled *compiled)
{
    return compiled->private->code_address;
}

static void make_dot(void *data)
{
    struct inspection *inspection = data;
    struct compiled *compiled = inspection->compiled;
    inspection->is_done = cfg_dot(compiled->llvm_ir, compiled->private->shown_symbol,
            inspection->out, inspection->err);
}

static void make_svg(void *data)
{
    struct inspection *inspection = data;
    struct compiled *compiled = inspection->compiled;
    inspection->is_done = cfg_svg(compiled->llvm_ir, compiled->private->shown_symbol,
            compiled->raise_sites, compiled->raise_site_count, inspection->out,
            inspection->err);
}

static void print_types(void *data)
{
    struct inspection *inspection = data;
    inspection->is_done =
            annotate_print(inspection->compiled->function, inspection->source_lines,
                    inspection->line_count, inspection->out, inspection->err);
}

bool compiled_cfg_dot(struct compiled *compiled, struct str *out, struct error *err)
{
    struct inspection inspection = {.compiled = compiled, .out = out, .err = err};
    return compiled_llvm(compiled, err) && inspect(&inspection, make_dot, "cfg");
}

bool compiled_cfg_svg(struct compiled *compiled, struct str *out, struct error *err)
{
    struct inspection inspection = {.compiled = compiled, .out = out, .err = err};
    return compiled_llvm(compiled, err) && inspect(&inspection, make_svg, "cfg");
}

bool compiled_types(const struct compiled *compiled, const char *const *source_lines,
        size_t line_count, struct str *out, struct error *err)
{
    struct inspection inspection = {
            (struct compiled *)compiled, source_lines, line_count, out, err, false};
    return inspect(&inspection, print_types, "annotations");
}

struct span compiled_return_place(const struct compiled *compiled)
{
    vec_each (block, &compiled->function->blocks) {
        const struct ir_instr *last = (*block)->last;
        if (last->op == IR_RETURN && last->operands[0]->type != type_none)
            return last->span;
    }
    return (struct span){0};
}
