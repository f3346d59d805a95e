// SPDX-License-Identifier: MIT
// Reads the control-flow graph of a function from a module's text.
#include "compiler/backends/cfg/cfg.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "compiler/types/abi.h"

// "\n5:   ; preds = ..." or "\nloop:" -> "5", "loop"
static const char *block_name(struct arena *arena, LLVMBasicBlockRef block)
{
    const char *given = LLVMGetBasicBlockName(block);
    if (given && given[0])
        return arena_strdup(arena, given);
    char *text = LLVMPrintValueToString(LLVMBasicBlockAsValue(block));
    const char *start = text + strspn(text, "\n ");
    const char *name = arena_strndup(arena, start, strcspn(start, ":\n"));
    LLVMDisposeMessage(text);
    return name[0] ? name : "0";
}

// One instruction without its metadata and leading blanks.
static const char *instruction_text(struct arena *arena, LLVMValueRef instr)
{
    char *text = LLVMPrintValueToString(instr);
    char *metadata = strstr(text, ", !");
    if (metadata)
        *metadata = '\0';
    char *copy = arena_strdup(arena, text + strspn(text, " \n"));
    LLVMDisposeMessage(text);
    for (char *c = copy; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return copy;
}

static bool starts_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

// By the names that code generation gives to blocks (body/exit.c): metadata would not
// survive the way through text.
static enum cfg_kind classify(
        const struct cfg_node *node, LLVMBasicBlockRef block, bool is_first)
{
    assert(node->name);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    bool is_return = last && LLVMGetInstructionOpcode(last) == LLVMRet;
    if (starts_with(node->name, "raise") || starts_with(node->name, "failed") ||
            starts_with(node->name, "interrupted"))
        return CFG_RAISE;
    if (is_first)
        return CFG_ENTRY;
    return is_return ? CFG_RETURN : CFG_PLAIN;
}

static const char *edge_label(
        struct arena *arena, LLVMValueRef last, unsigned port, enum cfg_branch *branch)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(last);
    *branch = CFG_ALWAYS;
    if (opcode == LLVMBr && LLVMIsConditional(last)) {
        *branch = port ? CFG_FALSE : CFG_TRUE;
        return port ? "F" : "T";
    }
    if (opcode != LLVMSwitch)
        return "";
    *branch = CFG_CASE;
    if (!port)
        return "def";
    LLVMValueRef number = LLVMGetOperand(last, 2 * port);
    return arena_printf(arena, "%lld", LLVMConstIntGetSExtValue(number));
}

static int find_block(LLVMBasicBlockRef *blocks, unsigned count, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < count; i++)
        if (blocks[i] == block)
            return (int)i;
    return 0;
}

// The constant that `block` returns when it is entered from `from`; 0 if there is none.
static int returned_status(LLVMBasicBlockRef from, LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!last || LLVMGetInstructionOpcode(last) != LLVMRet || !LLVMGetNumOperands(last))
        return 0;
    LLVMValueRef status = LLVMGetOperand(last, 0);
    if (LLVMIsAPHINode(status) && LLVMGetInstructionParent(status) == block)
        for (unsigned i = 0; i < LLVMCountIncoming(status); i++)
            if (LLVMGetIncomingBlock(status, i) == from) {
                status = LLVMGetIncomingValue(status, i);
                break;
            }
    return LLVMIsAConstantInt(status) ? (int)LLVMConstIntGetSExtValue(status) : 0;
}

static void read_block(
        struct cfg *cfg, LLVMBasicBlockRef *blocks, unsigned count, unsigned index)
{
    LLVMBasicBlockRef block = blocks[index];
    struct cfg_node node = {.name = block_name(&cfg->arena, block)};
    node.kind = classify(&node, block, index == 0);
    for (LLVMValueRef instr = LLVMGetFirstInstruction(block); instr;
            instr = LLVMGetNextInstruction(instr))
        vec_push(&node.lines, instruction_text(&cfg->arena, instr));
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    node.port_count = last ? (int)LLVMGetNumSuccessors(last) : 0;
    for (int i = 0; i < node.port_count; i++) {
        struct cfg_edge edge = {.from = (int)index, .port = i};
        edge.to = find_block(blocks, count, LLVMGetSuccessor(last, (unsigned)i));
        edge.status = returned_status(block, LLVMGetSuccessor(last, (unsigned)i));
        edge.label = edge_label(&cfg->arena, last, (unsigned)i, &edge.branch);
        vec_push(&cfg->edges, edge);
    }
    vec_push(&cfg->nodes, node);
}

static bool read_function(
        struct cfg *cfg, LLVMModuleRef module, const char *name, struct error *err)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (!function || !LLVMCountBasicBlocks(function))
        return error_set(
                err, ERROR_VALUE, SPAN_NONE, "no code of function '%s' is left", name);
    unsigned count = LLVMCountBasicBlocks(function);
    LLVMBasicBlockRef *blocks = arena_array(&cfg->arena, LLVMBasicBlockRef, count);
    LLVMGetBasicBlocks(function, blocks);
    for (unsigned i = 0; i < count; i++)
        read_block(cfg, blocks, count, i);
    return true;
}

bool cfg_read(
        struct cfg *cfg, const char *llvm_ir, const char *function, struct error *err)
{
    *cfg = (struct cfg){0};
    cfg->function = arena_strdup(&cfg->arena, function);
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef text =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(llvm_ir, strlen(llvm_ir), "ir");
    LLVMModuleRef module;
    char *message = NULL;
    bool is_done = false;
    if (LLVMParseIRInContext(context, text, &module, &message)) {
        error_set(err, ERROR_INTERNAL, SPAN_NONE, "internal: LLVM: %s", message);
        LLVMDisposeMessage(message);
    } else {
        is_done = read_function(cfg, module, function, err);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    if (!is_done)
        cfg_finish(cfg);
    return is_done;
}

static int exit_node(
        struct cfg *cfg, int status, const struct raise_site *sites, size_t count)
{
    const char *name = "interrupted";
    if (status == STATUS_MEMORY)
        name = "raise MemoryError";
    else if (status > 0 && (size_t)status <= count)
        name = arena_printf(&cfg->arena, "raise %s", sites[status - 1].class_name);
    struct cfg_node node = {.name = name, .kind = CFG_RAISE};
    if (status > 0 && (size_t)status <= count && sites[status - 1].message)
        vec_push(&node.lines, arena_strdup(&cfg->arena, sites[status - 1].message));
    if (status > 0 && (size_t)status <= count && sites[status - 1].span.line)
        vec_push(&node.lines,
                arena_printf(&cfg->arena, "line %d", sites[status - 1].span.line));
    vec_push(&cfg->nodes, node);
    return (int)cfg->nodes.len - 1;
}

void cfg_name_exits(struct cfg *cfg, const struct raise_site *sites, size_t site_count)
{
    for (size_t i = 0; i < cfg->edges.len; i++) {
        struct cfg_edge *edge = &cfg->edges.items[i];
        if (!edge->status)
            continue;
        int found = -1;
        for (size_t j = 0; j < i && found < 0; j++)
            if (cfg->edges.items[j].status == edge->status)
                found = cfg->edges.items[j].to;
        edge->to = found >= 0 ? found : exit_node(cfg, edge->status, sites, site_count);
    }
}

void cfg_finish(struct cfg *cfg)
{
    vec_each (node, &cfg->nodes)
        vec_finish(&node->lines);
    vec_each (edge, &cfg->edges)
        vec_finish(&edge->points);
    vec_finish(&cfg->nodes);
    vec_finish(&cfg->edges);
    arena_finish(&cfg->arena);
}
