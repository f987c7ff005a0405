// SPDX-License-Identifier: Apache-2.0
// What nvcc links for -lcuda: an entry for each function of the driver, that jumps into the driver which the process works on.
//
// A program may call libcudart and the driver. libcudart chooses its driver at run time (context/choose.h), a vendor's or our own,
// while a dependency on libcuda.so.1 is the loader's to resolve: by run path, LD_LIBRARY_PATH and the system's folders. Where these
// find the other one, the program's own calls meet contexts, memory and modules that libcudart never made. So there is no such
// dependency: the first call of any entry chooses as libcudart does and fills a slot for each function.
//
// An entry jumps with the caller's registers and stack as they are, so that it serves every signature. The first call saves
// the registers that carry arguments around the choice.
#include "runtime/context/choose.h"
#include <cuda.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#ifdef __x86_64__
#define CODE(name)                                                                                                     \
    "movq dispatch_slot_" name "(%rip), %r11\n"                                                                        \
    "testq %r11, %r11\n"                                                                                               \
    "jz 1f\n"                                                                                                          \
    "jmp *%r11\n"                                                                                                      \
    "1: leaq dispatch_slot_" name "(%rip), %r11\n"                                                                     \
    "jmp dispatch_first\n"

__asm__(".text\n"
        "dispatch_first:\n"
        "pushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\npushq %r8\npushq %r9\n"
        "subq $136, %rsp\n"
        "movups %xmm0, (%rsp)\nmovups %xmm1, 16(%rsp)\nmovups %xmm2, 32(%rsp)\nmovups %xmm3, 48(%rsp)\n"
        "movups %xmm4, 64(%rsp)\nmovups %xmm5, 80(%rsp)\nmovups %xmm6, 96(%rsp)\nmovups %xmm7, 112(%rsp)\n"
        "movq %r11, %rdi\n"
        "call dispatch_fill\n"
        "movq %rax, %r11\n"
        "movups (%rsp), %xmm0\nmovups 16(%rsp), %xmm1\nmovups 32(%rsp), %xmm2\nmovups 48(%rsp), %xmm3\n"
        "movups 64(%rsp), %xmm4\nmovups 80(%rsp), %xmm5\nmovups 96(%rsp), %xmm6\nmovups 112(%rsp), %xmm7\n"
        "addq $136, %rsp\n"
        "popq %r9\npopq %r8\npopq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\n"
        "jmp *%r11\n");
#else
#define CODE(name)                                                                                                     \
    "hint #34\n" /* bti c */                                                                                           \
    "adrp x16, dispatch_slot_" name "\n"                                                                               \
    "ldr x16, [x16, :lo12:dispatch_slot_" name "]\n"                                                                   \
    "cbz x16, 1f\n"                                                                                                    \
    "br x16\n"                                                                                                         \
    "1: adrp x16, dispatch_slot_" name "\n"                                                                            \
    "add x16, x16, :lo12:dispatch_slot_" name "\n"                                                                     \
    "b dispatch_first\n"

__asm__(".text\n"
        "dispatch_first:\n"
        "stp x29, x30, [sp, #-208]!\n"
        "mov x29, sp\n"
        "stp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\n"
        "stp q0, q1, [sp, #80]\nstp q2, q3, [sp, #112]\nstp q4, q5, [sp, #144]\nstp q6, q7, [sp, #176]\n"
        "mov x0, x16\n"
        "bl dispatch_fill\n"
        "mov x16, x0\n"
        "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\n"
        "ldp q0, q1, [sp, #80]\nldp q2, q3, [sp, #112]\nldp q4, q5, [sp, #144]\nldp q6, q7, [sp, #176]\n"
        "ldp x29, x30, [sp], #208\n"
        "br x16\n");
#endif

// The slots, and the entries, for every name that the driver exports by the table; what ours refuses may be there in a
// vendor's. These are hidden: a shared library that has them keeps them to itself.
#define HIDDEN __attribute__((used, visibility("hidden")))
#define ENTRY(name)                                                                                                    \
    HIDDEN void *dispatch_slot_##name;                                                                                 \
    __asm__(".text\n.p2align 4\n.globl " #name "\n.hidden " #name "\n.type " #name ", %function\n" #name               \
            ":\n" CODE(#name) ".size " #name ", . - " #name "\n");
#define API(name, suffix, since, body, params, args)         ENTRY(name##suffix)
#define API_PTSZ(name, suffix, since, body, params, args)    ENTRY(name##suffix) ENTRY(name##suffix##_ptsz)
#define API_PTDS(name, suffix, since, body, params, args)    ENTRY(name##suffix) ENTRY(name##suffix##_ptds)
#define API_PTSZ_EX(name, suffix, since, body, params, args) ENTRY(name##suffix) ENTRY(name##suffix##_ptsz)
#define REFUSED(name, suffix, since, params, reason)         ENTRY(name##suffix)
#define REFUSED_PTSZ(name, suffix, since, params, reason)    ENTRY(name##suffix) ENTRY(name##suffix##_ptsz)
#include "driver/api.def"
#undef ENTRY

static const struct {
    const char *name;
    void **slot;
} entries[] = {
#define ENTRY(name)                                          {#name, &dispatch_slot_##name},
#define API(name, suffix, since, body, params, args)         ENTRY(name##suffix)
#define API_PTSZ(name, suffix, since, body, params, args)    ENTRY(name##suffix) ENTRY(name##suffix##_ptsz)
#define API_PTDS(name, suffix, since, body, params, args)    ENTRY(name##suffix) ENTRY(name##suffix##_ptds)
#define API_PTSZ_EX(name, suffix, since, body, params, args) ENTRY(name##suffix) ENTRY(name##suffix##_ptsz)
#define REFUSED(name, suffix, since, params, reason)         ENTRY(name##suffix)
#define REFUSED_PTSZ(name, suffix, since, params, reason)    ENTRY(name##suffix) ENTRY(name##suffix##_ptsz)
#include "driver/api.def"
#undef ENTRY
};

// What stands for a function that the driver does not have, for all of them where there is no driver, and where there is no
// memory to load one. They are called with arguments that nobody reads, which the calling conventions allow.
static CUresult answer_missing(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult answer_none(void)
{
    return CUDA_ERROR_STUB_LIBRARY;
}

static CUresult answer_scarce(void)
{
    return CUDA_ERROR_OUT_OF_MEMORY;
}

HIDDEN void *dispatch_fill(void **slot);

// Fills the slots and returns what this one jumps to. Without memory they stay empty, and the next call tries again.
void *dispatch_fill(void **slot)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool filled;
    bool lacks_memory = false;
    pthread_mutex_lock(&lock);
    if (!filled) {
        void *library = driver_choose(&lacks_memory);
        for (size_t i = 0; !lacks_memory && i < sizeof entries / sizeof *entries; i++) {
            void *found = library ? dlsym(library, entries[i].name) : (void *)answer_none;
            __atomic_store_n(entries[i].slot, found ? found : (void *)answer_missing, __ATOMIC_RELEASE);
        }
        filled = !lacks_memory;
    }
    void *target = filled ? *slot : (void *)answer_scarce;
    pthread_mutex_unlock(&lock);
    return target;
}
