// SPDX-License-Identifier: Apache-2.0
// Compiles a kernel of vectorise_kernels.c as the JIT does from the scalar dialect on, and runs grids of it.
// HEDDLE_DUMP=PASS prints the module after a pass.
#include "vectorise_test.h"
#include "jit/abi/wrapped.h"
#include "jit/jit.h"
#include "jit/run.h"
#include "jit/lower/lower.h"
#include "jit/abi/run.h"
#include <llvm-c/BitReader.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LLVMTargetMachineRef make_machine(void)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures(), *e;
    LLVMTargetRef t;
    char all[8192];
    snprintf(all, sizeof all, "%s%s", features, strstr(triple, "aarch64") ? ",-sve,-sve2" : "");
    LLVMTargetMachineRef machine =
        LLVMGetTargetFromTriple(triple, &t, &e)
            ? NULL
            : LLVMCreateTargetMachine(t, triple, cpu, all, LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMDisposeMessage(triple);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return machine;
}

// Keeps the kernel and what it calls; makes the code what translate would make it: no flags, invariant parameters.
static LLVMValueRef prepare(LLVMModuleRef m, const char *name)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    unsigned kind = LLVMGetMDKindIDInContext(c, "invariant.load", 14);
    LLVMValueRef empty = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0)),
                 kernel = LLVMGetNamedFunction(m, name);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        static const char *const names[] = {"target-cpu", "target-features", "tune-cpu"};
        for (unsigned k = 0; k < 3; k++)
            LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[k],
                                             (unsigned)strlen(names[k]));
        if (!LLVMIsDeclaration(f) && f != kernel)
            LLVMSetLinkage(f, LLVMInternalLinkage);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                LLVMOpcode op = LLVMGetInstructionOpcode(i);
                if (op == LLVMLoad && LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) == 4)
                    LLVMSetMetadata(i, kind, empty);
                if (op == LLVMGetElementPtr)
                    LLVMSetIsInBounds(i, 0);
                if (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl) {
                    LLVMSetNSW(i, 0);
                    LLVMSetNUW(i, 0);
                }
            }
    }
    return kernel;
}

static bool pipeline(struct compilation *c)
{
    c->t.kernel = prepare(c->module, c->plan.kernel);
    if (!c->t.kernel || !run_passes(c, "scalar", "scalar") || !run_passes(c, "lifetimes", "vectorise") ||
        !run_passes(c, "simplify", "block"))
        return false;
    LLVMErrorRef e = LLVMRunPasses(c->module, "default<O2>", c->machine, c->passes);
    if (e)
        fprintf(stderr, "%s\n", LLVMGetErrorMessage(e));
    return !e;
}

// The scheduler's functions by name.
static bool define_scheduler(LLVMOrcLLJITRef jit)
{
#define FUNCTION(name) {#name, (uintptr_t)name},
    static const struct {
        const char *name;
        uintptr_t address;
    } functions[] = {RESUME_FUNCTIONS(FUNCTION) OUTLINED_FUNCTIONS(FUNCTION)};
    enum { COUNT = sizeof functions / sizeof *functions };
    LLVMOrcCSymbolMapPair pairs[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, functions[i].name);
        pairs[i].Sym.Address = functions[i].address;
        pairs[i].Sym.Flags =
            (LLVMJITSymbolFlags){LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
    }
    return !LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(pairs, COUNT));
}

static bool link_code(struct compiled *c, LLVMModuleRef m, LLVMTargetMachineRef machine, const char *name)
{
    char *message;
    LLVMMemoryBufferRef object;
    LLVMOrcExecutorAddress address;
    LLVMOrcDefinitionGeneratorRef process;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, m, LLVMObjectFile, &message, &object) ||
        LLVMOrcCreateLLJIT(&c->jit, LLVMOrcCreateLLJITBuilder()))
        return false;
    LLVMOrcJITDylibRef lib = LLVMOrcLLJITGetMainJITDylib(c->jit);
    if (LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(c->jit), NULL, NULL))
        return false;
    LLVMOrcJITDylibAddGenerator(lib, process);
    if (!define_scheduler(c->jit) || LLVMOrcLLJITAddObjectFile(c->jit, lib, object))
        return false;
    char entry[128];
    snprintf(entry, sizeof entry, "%s%s", name, JIT_ENTRY_SUFFIX);
    LLVMErrorRef e = LLVMOrcLLJITLookup(c->jit, &address, entry);
    if (e)
        fprintf(stderr, "%s\n", LLVMGetErrorMessage(e));
    c->entry = e ? NULL : (jit_entry_fn *)(uintptr_t)address;
    return !e;
}

bool compile_kernel(struct compiled *c, const char *name, unsigned width, const unsigned block[3], bool generic)
{
    *c = (struct compiled){.generic = generic};
    char *message = NULL, symbol[64];
    LLVMMemoryBufferRef file;
    LLVMModuleRef m;
    if (LLVMCreateMemoryBufferWithContentsOfFile(VECTORISE_KERNELS, &file, &message))
        return false;
    LLVMContextRef context = LLVMContextCreate();
    if (LLVMParseBitcodeInContext2(context, file, &m))
        return false;
    LLVMDisposeMemoryBuffer(file);
    LLVMTargetMachineRef machine = make_machine();
    struct diag d;
    diag_init(&d, name);
    snprintf(symbol, sizeof symbol, "k_%s", name);
    struct jit_options options = {.width = width};
    struct jit_object out = {0};
    struct compilation cc = {
        .context = context, .module = m, .machine = machine, .options = &options, .out = &out, .d = &d};
    cc.how = structured_asked();
    cc.verify = true;
    cc.plan = (struct region_plan){.module = m, .kernel = symbol, .width = width};
    if (!generic)
        memcpy(cc.plan.block, block, sizeof cc.plan.block);
    cc.plan.layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(m, cc.plan.layout);
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMSetTarget(m, triple);
    LLVMDisposeMessage(triple);
    run_begin(&cc);
    bool ok = pipeline(&cc) && link_code(c, m, machine, symbol);
    if (!ok)
        fprintf(stderr, "%s, width %u: not compiled: %s\n", name, width, str_text(&d.text));
    c->variant = out.variant;
    LLVMDisposeTargetData(cc.plan.layout);
    run_release(&cc);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
    LLVMDisposeTargetMachine(machine);
    diag_fini(&d);
    return ok;
}

void compiled_destroy(struct compiled *c)
{
    if (c->jit)
        LLVMOrcDisposeLLJIT(c->jit);
    c->jit = NULL;
}

static uint32_t hook_vprintf(struct jit_block *block, uint32_t thread, const void *format, const void *values)
{
    (void)block;
    return (uint32_t)(uintptr_t)format * 3 + (uint32_t)(uintptr_t)values + thread;
}

bool compiled_run(const struct compiled *c, const struct case_row *row, const struct params *params)
{
    void (*hooks[JIT_HOOK_COUNT])(void) = {0};
    hooks[JIT_HOOK_vprintf] = (void (*)(void))hook_vprintf;
    struct jit_launch launch = {.args = (const char *)params, .hooks = hooks, .nsmid = 1, .cluster = {1, 1, 1}};
    memcpy(launch.grid, row->grid, sizeof row->grid);
    launch.grid[2] = 1;
    memcpy(launch.block, row->block, sizeof launch.block);
    uint64_t blocks = (uint64_t)row->grid[0] * row->grid[1];
    uint64_t padded = ((uint64_t)row->block[0] * row->block[1] * row->block[2] + 31) / 32 * 32;
    uint64_t frame = c->generic ? c->variant.frame_bytes * padded + c->variant.frame_fixed : c->variant.frame_bytes;
    char *frames = aligned_alloc(64, (frame + 127) / 64 * 64), *sink = aligned_alloc(64, JIT_SINK_BYTES);
    char *shared = aligned_alloc(128, TEST_SHARED_BYTES);
    memset(frames, 0xa5, frame);
    bool ok = true;
    for (uint64_t i = 0; i < blocks && ok; i++) {
        struct jit_block b = {.launch = &launch,
                              .linear = i,
                              .shared = shared,
                              .frame = frames,
                              .sink = sink,
                              .shared_bytes = TEST_SHARED_BYTES};
        memset(shared, 0x7f, TEST_SHARED_BYTES);
        unsigned turns = 0;
        while ((ok = turns++ < 100000) && c->entry(&launch, &b, 1) != JIT_DONE)
            ;
    }
    free(frames);
    free(sink);
    free(shared);
    return ok;
}
