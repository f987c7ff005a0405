// SPDX-License-Identifier: Apache-2.0
// Links the builtins that a kernel calls: only the topics it needs are read, and what stays unused is removed again.
#include "jit/translate/builtin.h"
#include "jit/translate/emit.h"
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

static bool topic_used(struct translator *t, const struct builtin_topic *topic)
{
    for (const char *const *f = topic->functions; *f; f++) {
        if (map_get_str(&t->builtins, *f))
            return true;
    }
    return false;
}

// What the compiler wrote about the machine it compiled for does not hold for the code that is made here.
static void strip_target(value fn)
{
    static const char *const names[] = {
        "target-cpu",       "target-features",       "tune-cpu", "frame-pointer", "stack-protector-buffer-size",
        "no-trapping-math", "min-legal-vector-width"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        LLVMRemoveStringAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
                                         (unsigned)strlen(names[i]));
    unsigned uwtable = LLVMGetEnumAttributeKindForName("uwtable", 7);
    LLVMRemoveEnumAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, uwtable);
}

static bool link_topic(struct translator *t, const struct builtin_topic *topic)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange((const char *)topic->bitcode, topic->size, topic->name, false);
    LLVMModuleRef lib;
    bool failed = LLVMParseBitcodeInContext2(t->cx, buffer, &lib);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed)
        return diag_error(t->d, 0, 0, "builtins '%s' are damaged", topic->name);
    LLVMSetDataLayout(lib, LLVMGetDataLayoutStr(t->mod));
    LLVMSetTarget(lib, LLVMGetTarget(t->mod));
    FOR_MODULE (lib, fn)
        strip_target(fn);
    if (LLVMLinkModules2(t->mod, lib))
        return diag_error(t->d, 0, 0, "builtins '%s' do not link", topic->name);
    for (const char *const *f = topic->functions; *f; f++) {
        value fn = LLVMGetNamedFunction(t->mod, *f);
        if (fn && !LLVMIsDeclaration(fn))
            LLVMSetLinkage(fn, LLVMInternalLinkage);
    }
    return true;
}

static void drop_unused(struct translator *t)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (value fn = LLVMGetFirstFunction(t->mod), next; fn; fn = next) {
            size_t n;
            next = LLVMGetNextFunction(fn);
            if (LLVMGetFirstUse(fn) || strncmp(LLVMGetValueName2(fn, &n), "heddle_", 7))
                continue;
            LLVMDeleteFunction(fn);
            changed = true;
        }
    }
}

bool tr_builtins_link(struct translator *t)
{
    for (const struct builtin_topic *topic = builtin_topics; topic->name; topic++) {
        if (topic_used(t, topic) && !link_topic(t, topic))
            return false;
    }
    for (size_t i = 0; i < t->builtins.cap; i++) {
        const char *name = t->builtins.values[i] ? t->builtins.keys[i] : NULL;
        if (!name)
            continue;
        value fn = LLVMGetNamedFunction(t->mod, name);
        if (!fn || LLVMIsDeclaration(fn))
            return diag_error(t->d, 0, 0, "builtin '%s' is missing", name);
    }
    drop_unused(t);
    return true;
}
