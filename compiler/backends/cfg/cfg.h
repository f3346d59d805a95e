// SPDX-License-Identifier: MIT
// The control-flow graph of a function as inspection shows it: blocks of text and edges,
// then their places in a picture.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "compiler/types/raise_site.h"

enum cfg_kind { CFG_PLAIN, CFG_ENTRY, CFG_RETURN, CFG_RAISE };

enum cfg_branch { CFG_ALWAYS, CFG_TRUE, CFG_FALSE, CFG_CASE };

struct cfg_point {
    double x, y;
};

struct cfg_edge {
    int from, to;
    int port;          // which successor of `from`
    const char *label; // "T", "F", "def", "3"; "" for a plain jump
    enum cfg_branch branch;
    int status; // that the function returns if it leaves this way, as far as it is a
                // constant
    // set by cfg_layout
    bool is_back;
    VEC(struct cfg_point) points; // from the bottom of `from` to the top of `to`
};

struct cfg_node {
    const char *name;
    enum cfg_kind kind;
    VEC(const char *) lines; // one instruction each
    int port_count;
    // set by cfg_layout
    int rank;
    double x, y, width, height; // of the box; x and y are its upper left corner
};

struct cfg {
    struct arena arena;
    const char *function;       // LLVM's name of it
    VEC(struct cfg_node) nodes; // the entry first
    VEC(struct cfg_edge) edges;
    double width, height; // set by cfg_layout
};

// Reads the graph of `function` out of a module's text.
bool cfg_read(
        struct cfg *cfg, const char *llvm_ir, const char *function, struct error *err);
void cfg_finish(struct cfg *cfg);
// Leads the edges that leave with an error to boxes of their own, which name the
// exception.
void cfg_name_exits(struct cfg *cfg, const struct raise_site *sites, size_t site_count);

// Sizes of the text that boxes are made of.
enum { CFG_LINE_HEIGHT = 15, CFG_PADDING = 8, CFG_MAX_COLUMNS = 88 };
#define CFG_CHARACTER_WIDTH 7.3
// Places the boxes by rank and routes the edges.
void cfg_layout(struct cfg *cfg);

// Appends the graph of `function`, out of a module's text: as DOT in the form of LLVM's
// dot-cfg printer, and as a standalone picture, in which `sites` name the exceptions.
bool cfg_dot(
        const char *llvm_ir, const char *function, struct str *out, struct error *err);
bool cfg_svg(const char *llvm_ir, const char *function, const struct raise_site *sites,
        size_t site_count, struct str *out, struct error *err);
