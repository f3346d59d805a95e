// SPDX-License-Identifier: MIT
// Kernels with a second entry that runs several blocks in one: which get it, and what it
// looks like.
#include "tests/unit/test.h"

#include "compiler/backends/backend.h"
#include "compiler/backends/gpu/joined_blocks.h"
#include "compiler/backends/gpu/nvptx/nvptx.h"
#include "tests/unit/gpu_cases.h"

#define INDEX                                                                            \
    "  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"                           \
    "  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"                             \
    "  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"                            \
    "  %start = mul i32 %block, %size\n"                                                 \
    "  %i = add i32 %start, %thread\n"                                                   \
    "  %guard = icmp slt i32 %i, %n\n"
#define DECLARATIONS                                                                     \
    "target triple = \"nvptx64-nvidia-cuda\"\n"                                          \
    "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"                                   \
    "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"                                    \
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"                                     \
    "declare void @llvm.nvvm.barrier0()\ndeclare float @outside(float)\n"
#define KERNEL                                                                           \
    DECLARATIONS                                                                         \
    "define ptx_kernel void @k(ptr noalias readonly %a, ptr %out, i32 %n) {\n" INDEX

static LLVMModuleRef module_of(const char *ir)
{
    return gpu_case_parse(LLVMGetGlobalContext(), ir);
}

static value join(LLVMModuleRef module)
{
    value kernel = LLVMGetNamedFunction(module, "k");
    bool can_join = gpu_join_blocks(module, kernel, NULL);
    CHECK(!LLVMGetNamedFunction(module, "joined"));
    if (!can_join)
        return NULL;
    return gpu_join_blocks(module, kernel, "joined")
                   ? LLVMGetNamedFunction(module, "joined")
                   : NULL;
}

static int count(value function, LLVMBasicBlockRef only, LLVMOpcode opcode)
{
    int found = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
            block = LLVMGetNextBasicBlock(block))
        for (value at = LLVMGetFirstInstruction(block); at && (!only || only == block);
                at = LLVMGetNextInstruction(at))
            found += LLVMGetInstructionOpcode(at) == opcode;
    return found;
}

static LLVMBasicBlockRef block_named(value function, const char *name)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
            block = LLVMGetNextBasicBlock(block))
        if (!strcmp(LLVMGetBasicBlockName(block), name))
            return block;
    return NULL;
}

static void check_ptx(LLVMModuleRef module)
{
    struct error err = {0};
    struct str ptx = {0};
    struct ptx_options options = ptx_options_default();
    CHECK(backend_verify(module, &err));
    if (nvptx_compile(module, 90, &options, &ptx, &err)) {
        CHECK(strstr(str_text(&ptx), ".entry joined("));
        CHECK(!gpu_have_ptxas() || gpu_assemble(str_text(&ptx), "sm_90"));
    } else if (err.kind != ERROR_DEVICE_SUPPORT) {
        TEST_FAIL("%s", err.message);
    }
    str_finish(&ptx);
}

static const char LOAD_AND_STORE[] =
        KERNEL "  br i1 %guard, label %inside, label %outside\n"
               "inside:\n"
               "  %from = getelementptr float, ptr %a, i32 %i\n"
               "  %x = load float, ptr %from\n"
               "  %y = fadd float %x, 1.0\n"
               "  %to = getelementptr float, ptr %out, i32 %i\n"
               "  store float %y, ptr %to\n"
               "  br label %outside\n"
               "outside:\n  ret void\n}\n";

TEST(loads_of_the_joined_blocks_stand_together)
{
    LLVMModuleRef module = module_of(LOAD_AND_STORE);
    REQUIRE(module);
    value joined = join(module);
    REQUIRE(joined);
    LLVMBasicBlockRef together = block_named(joined, "together");
    REQUIRE(together);
    CHECK_INT(count(joined, together, LLVMLoad), JOINED_BLOCKS);
    CHECK_INT(count(joined, together, LLVMStore), JOINED_BLOCKS);
    CHECK_INT(count(joined, NULL, LLVMLoad), 2 * JOINED_BLOCKS); // and one by one
    int before = 0; // loads ahead of the first store
    for (value at = LLVMGetFirstInstruction(together); !LLVMIsAStoreInst(at);
            at = LLVMGetNextInstruction(at))
        before += LLVMIsALoadInst(at) != NULL;
    CHECK_INT(before, JOINED_BLOCKS);
    // what is known of the kernel's parameters is known of the entry's
    CHECK_INT(LLVMGetAttributeCountAtIndex(joined, 1), 2);
    CHECK_INT(LLVMCountParams(joined), 4);
    check_ptx(module);
    LLVMDisposeModule(module);
}

static const char *const JOINED[] = {
        // the way out first
        KERNEL "  br i1 %guard, label %outside, label %inside\n"
               "outside:\n  ret void\n"
               "inside:\n"
               "  %to = getelementptr i32, ptr %out, i32 %i\n"
               "  store i32 %block, ptr %to\n  ret void\n}\n",
        // no bounds
        KERNEL "  %to = getelementptr i1, ptr %out, i32 %i\n"
               "  store i1 %guard, ptr %to\n  ret void\n}\n",
        // the number of blocks; a division within bounds
        KERNEL "  br i1 %guard, label %inside, label %outside\n"
               "inside:\n"
               "  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()\n"
               "  %share = udiv i32 %blocks, %n\n"
               "  %to = getelementptr i32, ptr %out, i32 %i\n"
               "  store i32 %share, ptr %to\n"
               "  br label %outside\n"
               "outside:\n  ret void\n}\n"
               "declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()\n",
};

TEST(kernels_of_one_item_a_thread_are_joined)
{
    for (size_t i = 0; i < sizeof JOINED / sizeof *JOINED; i++) {
        LLVMModuleRef module = module_of(JOINED[i]);
        REQUIRE(module);
        CHECK(join(module));
        check_ptx(module);
        LLVMDisposeModule(module);
    }
}

static const struct {
    const char *what, *ir;
} LEFT[] = {
        {"a barrier", KERNEL "  call void @llvm.nvvm.barrier0()\n"
                             "  store i32 %i, ptr %out\n  ret void\n}\n"},
        {"a call", KERNEL "  %x = call float @outside(float 1.0)\n"
                          "  store float %x, ptr %out\n  ret void\n}\n"},
        {"an atomic", KERNEL "  %x = atomicrmw add ptr %out, i32 1 monotonic\n"
                             "  store i32 %x, ptr %a\n  ret void\n}\n"},
        {"a volatile load", KERNEL "  %x = load volatile i32, ptr %a\n"
                                   "  store i32 %x, ptr %out\n  ret void\n}\n"},
        {"a guard that loads", KERNEL "  %x = load i32, ptr %a\n"
                                      "  %c = icmp eq i32 %x, 0\n"
                                      "  br i1 %c, label %inside, label %outside\n"
                                      "inside:\n  store i32 %i, ptr %out\n"
                                      "  br label %outside\n"
                                      "outside:\n  ret void\n}\n"},
        {"a loop", KERNEL "  br label %again\nagain:\n  store i32 %i, ptr %out\n"
                          "  br i1 %guard, label %again, label %outside\n"
                          "outside:\n  ret void\n}\n"},
        {"a gather", KERNEL "  %at = load i32, ptr %a\n"
                            "  %wide = sext i32 %at to i64\n"
                            "  %from = getelementptr i32, ptr %a, i64 %wide\n"
                            "  %x = load i32, ptr %from\n"
                            "  store i32 %x, ptr %out\n  ret void\n}\n"},
        {"much to move", KERNEL "  %x = load <4 x float>, ptr %a\n"
                                "  store <4 x float> %x, ptr %out\n  ret void\n}\n"},
        {"nothing to store", KERNEL "  ret void\n}\n"},
        {"no block's number", "define ptx_kernel void @k(ptr %a) {\n"
                              "  store i32 1, ptr %a\n  ret void\n}\n"},
};

TEST(other_kernels_are_left_as_they_are)
{
    for (size_t i = 0; i < sizeof LEFT / sizeof *LEFT; i++) {
        LLVMModuleRef module = module_of(LEFT[i].ir);
        REQUIRE(module);
        if (join(module))
            TEST_FAIL("joined in spite of %s", LEFT[i].what);
        CHECK(!LLVMGetNamedFunction(module, "joined"));
        LLVMDisposeModule(module);
    }
}
