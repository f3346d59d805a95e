// SPDX-License-Identifier: MIT
// The control-flow graph as DOT text, in the form of LLVM's dot-cfg printer.
#include "compiler/backends/cfg/cfg.h"

#include <string.h>

enum { DOT_COLUMNS = 80 };

// Characters with a meaning in record labels are escaped.
static void append_escaped(struct str *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (strchr("{}<>|\"\\", text[i]))
            str_append_char(out, '\\');
        str_append_char(out, text[i]);
    }
}

// Long lines go on after "...", as LLVM breaks them.
static void append_line(struct str *out, const char *line)
{
    size_t len = strlen(line), room = DOT_COLUMNS - 2;
    str_append(out, "  ");
    while (len > room) {
        size_t cut = room;
        while (cut > room / 2 && line[cut] != ' ')
            cut--;
        append_escaped(out, line, cut);
        str_append(out, "\\l... ");
        line += cut;
        len -= cut;
        room = DOT_COLUMNS - 4;
    }
    append_escaped(out, line, len);
    str_append(out, "\\l");
}

static void append_ports(struct str *out, const struct cfg *cfg, int index)
{
    if (cfg->nodes.items[index].port_count < 2)
        return;
    str_append(out, "|{");
    vec_each (edge, &cfg->edges)
        if (edge->from == index) {
            str_printf(out, "%s<s%d>", edge->port ? "|" : "", edge->port);
            append_escaped(out, edge->label, strlen(edge->label));
        }
    str_append(out, "}");
}

static const char *const colors[] = {
        [CFG_PLAIN] = "#3d50c3ff\", style=filled, fillcolor=\"#b9d0f970",
        [CFG_ENTRY] = "#3d50c3ff\", style=filled, fillcolor=\"#b9d0f9ff",
        [CFG_RETURN] = "#2f7d32ff\", style=filled, fillcolor=\"#c3e6c470",
        [CFG_RAISE] = "#b70d28ff\", style=filled, fillcolor=\"#f7b08970",
};

static void append_node(struct str *out, const struct cfg *cfg, int index)
{
    const struct cfg_node *node = &cfg->nodes.items[index];
    str_printf(out, "\tNode%d [shape=record,color=\"%s\" fontname=\"Courier\",label=\"{",
            index, colors[node->kind]);
    append_escaped(out, node->name, strlen(node->name));
    str_append(out, ":\\l|");
    vec_each (line, &node->lines)
        append_line(out, *line);
    append_ports(out, cfg, index);
    str_append(out, "}\"];\n");
    vec_each (edge, &cfg->edges) {
        if (edge->from != index)
            continue;
        if (node->port_count < 2)
            str_printf(out, "\tNode%d -> Node%d;\n", index, edge->to);
        else
            str_printf(out, "\tNode%d:s%d -> Node%d;\n", index, edge->port, edge->to);
    }
}

bool cfg_dot(
        const char *llvm_ir, const char *function, struct str *out, struct error *err)
{
    struct cfg cfg;
    if (!cfg_read(&cfg, llvm_ir, function, err))
        return false;
    str_printf(out, "digraph \"CFG for '%s' function\" {\n", cfg.function);
    str_printf(out, "\tlabel=\"CFG for '%s' function\";\n\n", cfg.function);
    for (size_t i = 0; i < cfg.nodes.len; i++)
        append_node(out, &cfg, (int)i);
    str_append(out, "}\n");
    cfg_finish(&cfg);
    return true;
}
