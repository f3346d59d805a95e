// SPDX-License-Identifier: MIT
// What the tests of both routes to PTX share: device code in LLVM 19's language that both
// must take, one concept a file of tests/unit/gpu_cases/.
#pragma once

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "base/error.h"
#include "base/str.h"

struct gpu_case {
    char name[64];
    struct str ir;
    char ptx[64]; // from the line "; PTX: text": must occur in the PTX; or ""
};

static inline struct gpu_case *gpu_case_read(const char *path)
{
    struct gpu_case *gpu_case = calloc(1, sizeof *gpu_case);
    const char *name = strrchr(path, '/') + 1;
    snprintf(
            gpu_case->name, sizeof gpu_case->name, "%.*s", (int)strcspn(name, "."), name);
    FILE *file = fopen(path, "r");
    char line[512];
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "; PTX: %63[^\n]", gpu_case->ptx);
        str_append(&gpu_case->ir, line);
    }
    if (file)
        fclose(file);
    return gpu_case;
}

static inline void gpu_case_destroy(struct gpu_case *gpu_case)
{
    str_finish(&gpu_case->ir);
    free(gpu_case);
}

// Calls `visit` with every case; returns how many there are.
static inline size_t gpu_cases_each(void (*visit)(const struct gpu_case *gpu_case))
{
    glob_t files;
    if (glob(TEST_DATA "/gpu_cases/*.ll", 0, NULL, &files) != 0)
        return 0;
    size_t count = files.gl_pathc;
    for (size_t i = 0; i < count; i++) {
        struct gpu_case *gpu_case = gpu_case_read(files.gl_pathv[i]);
        visit(gpu_case);
        gpu_case_destroy(gpu_case);
    }
    globfree(&files);
    return count;
}

// Parses a case; NULL, with a message on stderr, when the text is wrong.
static inline LLVMModuleRef gpu_case_parse(LLVMContextRef context, const char *ir)
{
    LLVMModuleRef module = NULL;
    char *message = NULL;
    LLVMMemoryBufferRef buffer =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, strlen(ir), "case");
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        fprintf(stderr, "%s\n", message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMSetTarget(module, "nvptx64-nvidia-cuda");
    return module;
}

static inline bool gpu_have_ptxas(void)
{
    return system("ptxas --version > /dev/null 2>&1") == 0 ||
           access("/usr/local/cuda/bin/ptxas", X_OK) == 0;
}

// Whether NVIDIA's assembler takes the PTX; its complaints go to stderr.
static inline bool gpu_assemble(const char *ptx, const char *arch)
{
    char path[] = "/tmp/gridcell-ptx-XXXXXX", command[200];
    int fd = mkstemp(path);
    if (fd < 0)
        return false;
    FILE *file = fdopen(fd, "w");
    fputs(ptx, file);
    fclose(file);
    snprintf(command, sizeof command,
            "PATH=$PATH:/usr/local/cuda/bin ptxas -arch=%s -o /dev/null %s 1>&2", arch,
            path);
    int status = system(command);
    unlink(path);
    return status == 0;
}
