// SPDX-License-Identifier: MIT
// The local variables of a function: names to dense indices.
#include "compiler/frontend/ast.h"

#include <stdint.h>

// What a name that is no local any more maps to: its low bits are zero.
#define NO_LOCAL ((void *)((intptr_t)1 << 32))

int scope_find(const struct scope *scope, const char *name)
{
    return (int)(intptr_t)map_get(&scope->indices, name) - 1;
}

int scope_add(struct scope *scope, const char *name)
{
    int index = scope_find(scope, name);
    if (index >= 0)
        return index;
    vec_push(&scope->names, name);
    map_set(&scope->indices, name, (void *)(intptr_t)scope->names.len);
    return (int)scope->names.len - 1;
}

int scope_hide(struct scope *scope, const char *name)
{
    vec_push(&scope->names, name);
    map_set(&scope->indices, name, (void *)(intptr_t)scope->names.len);
    return (int)scope->names.len - 1;
}

void scope_show(struct scope *scope, const char *name, int index)
{
    map_set(&scope->indices, name, index < 0 ? NO_LOCAL : (void *)((intptr_t)index + 1));
}

void scope_finish(struct scope *scope)
{
    map_finish(&scope->indices);
    vec_finish(&scope->names);
}
