// SPDX-License-Identifier: MIT
// gdb's "JIT Compilation Interface" (a chapter of its manual; lldb has it, too): a list
// of ELF objects in memory, and a function that the debugger puts a breakpoint in. LLVM
// has an implementation, but it finds its own function by the process's global symbols,
// among which gridcell-llvm.so is not, and it would be one more part of LLVM to load.
//
// The object is as it left the code generator. The debugger relocates its sections of
// lines by itself, from the addresses in the table of sections; so only that of the code
// is filled in. It is found by one symbol whose address is known: the JIT places each
// section as a whole.
#include "compiler/backends/cpu/debugged_code.h"

#include <elf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/memory.h"

// These two structs and the two names below are the interface: the debugger reads them.
struct jit_code_entry {
    struct jit_code_entry *next, *previous;
    const char *object;
    uint64_t size_bytes;
};

struct jit_descriptor {
    uint32_t version, action;
    struct jit_code_entry *relevant, *first;
};

enum { ACTION_NONE, ACTION_REGISTER, ACTION_UNREGISTER };

struct debugged_code {
    struct jit_code_entry entry; // in the list while is_told
    char *object;
    size_t size_bytes;
    bool is_told;
};

// Exported, so that the debugger finds them in a stripped package as well.
__attribute__((visibility("default"))) void __jit_debug_register_code(void);
extern __attribute__((
        visibility("default"))) struct jit_descriptor __jit_debug_descriptor;

struct jit_descriptor __jit_debug_descriptor = {.version = 1};

// Guards the descriptor and its list. The debugger stops the whole process while it looks
// at them, and so takes no lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Where the debugger stops. It must neither be inlined nor be left out as empty.
__attribute__((noinline)) void __jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

static void announce(struct jit_code_entry *entry, uint32_t action)
{
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = action;
    __jit_debug_register_code();
    __jit_debug_descriptor.relevant = NULL;
    __jit_debug_descriptor.action = ACTION_NONE;
}

struct debugged_code *debugged_code_create(const char *object, size_t size_bytes)
{
    struct debugged_code *code = memory_zalloc(sizeof *code);
    code->object = memory_alloc(size_bytes);
    code->size_bytes = size_bytes;
    memcpy(code->object, object, size_bytes);
    return code;
}

// malloc aligns the object as ELF does its tables.
static Elf64_Shdr *sections_of(const struct debugged_code *code)
{
    return (Elf64_Shdr *)(code->object + ((Elf64_Ehdr *)code->object)->e_shoff);
}

static const Elf64_Sym *find_symbol(const struct debugged_code *code, const char *name)
{
    const Elf64_Ehdr *elf = (const Elf64_Ehdr *)code->object;
    const Elf64_Shdr *sections = sections_of(code);
    for (size_t i = 0; i < elf->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        const char *names = code->object + sections[sections[i].sh_link].sh_offset;
        const Elf64_Sym *symbols =
                (const Elf64_Sym *)(code->object + sections[i].sh_offset);
        for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
            if (!strcmp(names + symbols[k].st_name, name) &&
                    symbols[k].st_shndx != SHN_UNDEF &&
                    symbols[k].st_shndx < elf->e_shnum)
                return &symbols[k];
    }
    return NULL;
}

void debugged_code_tell(struct debugged_code *code, const char *symbol, uintptr_t address)
{
    const Elf64_Sym *found = code ? find_symbol(code, symbol) : NULL;
    if (!found)
        return;
    sections_of(code)[found->st_shndx].sh_addr = address - found->st_value;
    code->entry.object = code->object;
    code->entry.size_bytes = code->size_bytes;
    guard_lock(&lock);
    struct jit_code_entry *first = __jit_debug_descriptor.first;
    code->entry.next = first;
    if (first)
        first->previous = &code->entry;
    __jit_debug_descriptor.first = &code->entry;
    announce(&code->entry, ACTION_REGISTER);
    guard_unlock(&lock);
    code->is_told = true;
}

void debugged_code_destroy(struct debugged_code *code)
{
    if (!code)
        return;
    if (code->is_told) {
        guard_lock(&lock);
        if (code->entry.previous)
            code->entry.previous->next = code->entry.next;
        else
            __jit_debug_descriptor.first = code->entry.next;
        if (code->entry.next)
            code->entry.next->previous = code->entry.previous;
        announce(&code->entry, ACTION_UNREGISTER);
        guard_unlock(&lock);
    }
    free(code->object);
    free(code);
}
