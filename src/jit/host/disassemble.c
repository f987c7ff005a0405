// SPDX-License-Identifier: Apache-2.0
// Machine code of the host as text, by LLVM: for tools that show compiled kernels (jit.h).
#include "jit/host/target.h"
#include "jit/jit.h"
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <string.h>

static LLVMDisasmContextRef context_create(enum jit_machine machine)
{
    const char *triple = machine == JIT_MACHINE_X86_64 ? "x86_64-unknown-linux-gnu" : "aarch64-unknown-linux-gnu";
#ifdef JIT_FOR_X86_64
    if (machine == JIT_MACHINE_X86_64) {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86Disassembler();
        return LLVMCreateDisasmCPUFeatures(triple, "", "", NULL, 0, NULL, NULL);
    }
#endif
#ifdef JIT_FOR_AARCH64
    if (machine == JIT_MACHINE_AARCH64) {
        LLVMInitializeAArch64TargetInfo();
        LLVMInitializeAArch64TargetMC();
        LLVMInitializeAArch64Disassembler();
        return LLVMCreateDisasmCPUFeatures(triple, "", "+all", NULL, 0, NULL, NULL);
    }
#endif
    (void)triple;
    return NULL;
}

// The next instruction, or one unit of what is none.
__attribute__((visibility("default"))) bool heddle_jit_disassemble(enum jit_machine machine, const void *code,
                                                                   size_t size, jit_listing_fn *take, void *data)
{
    LLVMDisasmContextRef c = context_create(machine);
    const uint8_t *p = code;
    char text[256];
    if (!c)
        return false;
    LLVMSetDisasmOptions(c, LLVMDisassembler_Option_PrintImmHex);
    for (size_t at = 0; at < size;) {
        size_t unit = machine == JIT_MACHINE_AARCH64 ? 4 : 1, left = size - at;
        size_t n = LLVMDisasmInstruction(c, (uint8_t *)(uintptr_t)p + at, left, at, text, sizeof text);
        if (!n) {
            n = unit < left ? unit : left;
            strcpy(text, "(none that is known)");
        }
        for (char *t = text; *t; t++)
            if (*t == '\t')
                *t = ' ';
        take(data, at, n, text + strspn(text, " "));
        at += n;
    }
    LLVMDisasmDispose(c);
    return true;
}
