// SPDX-License-Identifier: Apache-2.0
// See resume_harness.h. The stand-in for the vectoriser wraps a region in a function that runs it for one lane after
// the other; the functions heddle.* are C.
#include "resume_harness.h"
#include "jit/ir/dialect.h"
#include "jit/jit.h"
#include "jit/run.h"
#include "jit/abi/wrapped.h"
#include "jit/abi/run.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum structured_how harness_structure;
const char *harness_optimise = "default<O2>";
LLVMCodeGenOptLevel harness_level = LLVMCodeGenLevelDefault;

// The stand-in's functions

static struct {
    const struct jit_launch *launch;
    struct jit_block *block;
    char *frame;
    uint64_t *raw;
    uint32_t thread, padded, slots, lane_bytes;
} now;

static void standin_enter(const struct jit_launch *launch, struct jit_block *block, char *frame, uint32_t thread,
                          uint64_t *raw)
{
    now.launch = launch;
    now.block = block;
    now.frame = frame;
    now.thread = thread;
    now.raw = raw;
    now.padded = (launch->block[0] * launch->block[1] * launch->block[2] + 31) / 32 * 32;
}

static uint32_t f_tid_x(void)
{
    return now.thread % now.launch->block[0];
}
static uint32_t f_tid_y(void)
{
    return now.thread / now.launch->block[0] % now.launch->block[1];
}
static uint32_t f_ntid_x(void)
{
    return now.launch->block[0];
}
static uint32_t f_ctaid_x(void)
{
    return now.block->ctaid[0];
}
static uint32_t f_ctaid_y(void)
{
    return now.block->ctaid[1];
}
static uint32_t f_nctaid_x(void)
{
    return now.launch->grid[0];
}
static uint32_t f_laneid(void)
{
    return now.thread % 32;
}
static uint32_t f_warpid(void)
{
    return now.thread / 32;
}
static bool f_never(void)
{
    return false;
}
static const char *f_args(void)
{
    return now.launch->args;
}
static char *f_shared(void)
{
    return now.block->shared;
}
static char *f_frame_local(uint32_t offset)
{
    return now.frame + now.slots * 8 + offset;
}
#define ACCESS(name, type)                                                                                             \
    static type f_get_##name(uint32_t slot)                                                                            \
    {                                                                                                                  \
        return *(type *)(now.frame + slot * 8);                                                                        \
    }                                                                                                                  \
    static void f_set_##name(uint32_t slot, type v)                                                                    \
    {                                                                                                                  \
        *(type *)(now.frame + slot * 8) = v;                                                                           \
    }                                                                                                                  \
    static type f_raw_get_##name(uint32_t slot, uint32_t thread)                                                       \
    {                                                                                                                  \
        return *(type *)(now.raw + slot * now.padded + thread);                                                        \
    }                                                                                                                  \
    static void f_raw_set_##name(uint32_t slot, type v)                                                                \
    {                                                                                                                  \
        *(type *)(now.raw + slot * now.padded + now.thread) = v;                                                       \
    }
ACCESS(i32, uint32_t)
ACCESS(i64, uint64_t)
ACCESS(float, float)
ACCESS(double, double)
ACCESS(ptr, char *)

#define TYPED(t, n)                                                                                                    \
    {"heddle.frame.get." t, (void *)f_get_##n}, {"heddle.frame.set." t, (void *)f_set_##n},                            \
        {"heddle.raw.get." t, (void *)f_raw_get_##n},                                                                  \
    {                                                                                                                  \
        "heddle.raw.set." t, (void *)f_raw_set_##n                                                                     \
    }
static void standin_lanes(const struct jit_launch *launch, struct jit_block *block, char *frame, uint32_t first,
                          uint64_t *raw, uint32_t (*region)(void), const uint32_t *mask, uint32_t *next,
                          uint32_t width);
static const struct {
    const char *name;
    void *address;
} functions[] = {
#define RUN(name) {#name, (void *)name},
    RESUME_FUNCTIONS(RUN) OUTLINED_FUNCTIONS(RUN){"standin_lanes", (void *)standin_lanes},
    {"heddle.tid.x", (void *)f_tid_x},
    {"heddle.tid.y", (void *)f_tid_y},
    {"heddle.ntid.x", (void *)f_ntid_x},
    {"heddle.ctaid.x", (void *)f_ctaid_x},
    {"heddle.ctaid.y", (void *)f_ctaid_y},
    {"heddle.nctaid.x", (void *)f_nctaid_x},
    {"heddle.laneid", (void *)f_laneid},
    {"heddle.warpid", (void *)f_warpid},
    {"heddle.never", (void *)f_never},
    {"heddle.args", (void *)f_args},
    {"heddle.shared", (void *)f_shared},
    {"heddle.frame.local", (void *)f_frame_local},
    TYPED("i32", i32),
    TYPED("i64", i64),
    TYPED("float", float),
    TYPED("double", double),
    TYPED("ptr", ptr),
    TYPED("p1", ptr),
    TYPED("p3", ptr),
    TYPED("p4", ptr)};

// Runs the lanes of a gang one after the other.
static void standin_lanes(const struct jit_launch *launch, struct jit_block *block, char *frame, uint32_t first,
                          uint64_t *raw, uint32_t (*region)(void), const uint32_t *mask, uint32_t *next, uint32_t width)
{
    for (uint32_t l = 0; l < width; l++) {
        if (mask && !mask[l])
            continue;
        standin_enter(launch, block, frame + l * now.lane_bytes, first + l, raw);
        next[l] = region();
    }
}

struct standin {
    LLVMContextRef c;
    LLVMModuleRef m;
    LLVMTypeRef i32, ptr, vector;
    LLVMBuilderRef b;
    unsigned width;
    bool scalar_result;
};

static LLVMValueRef standin_wrap(struct standin *s, LLVMValueRef region, bool masked)
{
    LLVMTypeRef params[8] = {s->ptr, s->ptr, s->ptr, s->i32, s->ptr, s->ptr, s->ptr, s->vector};
    LLVMTypeRef lanes[9] = {s->ptr, s->ptr, s->ptr, s->i32, s->ptr, s->ptr, s->ptr, s->ptr, s->i32};
    LLVMTypeRef lanes_type = LLVMFunctionType(LLVMVoidTypeInContext(s->c), lanes, 9, 0);
    LLVMTypeRef result = s->scalar_result ? s->i32 : s->vector;
    LLVMValueRef helper = LLVMGetNamedFunction(s->m, "standin_lanes");
    if (!helper)
        helper = LLVMAddFunction(s->m, "standin_lanes", lanes_type);
    LLVMValueRef f =
        LLVMAddFunction(s->m, masked ? "masked" : "full", LLVMFunctionType(result, params, masked ? 8 : 7, 0));
    LLVMPositionBuilderAtEnd(s->b, LLVMAppendBasicBlockInContext(s->c, f, ""));
    LLVMValueRef next = LLVMBuildAlloca(s->b, s->vector, ""), mask = LLVMConstNull(s->ptr);
    if (masked) {
        mask = LLVMBuildAlloca(s->b, s->vector, "");
        LLVMBuildStore(s->b, LLVMGetParam(f, 7), mask);
    }
    LLVMValueRef a[9] = {LLVMGetParam(f, 0),
                         LLVMGetParam(f, 1),
                         LLVMGetParam(f, 2),
                         LLVMGetParam(f, 3),
                         LLVMGetParam(f, 6),
                         region,
                         mask,
                         next,
                         LLVMConstInt(s->i32, s->width, 0)};
    LLVMBuildCall2(s->b, lanes_type, helper, a, 9, "");
    LLVMBuildRet(s->b, LLVMBuildLoad2(s->b, result, next, "")); // as a scalar: lane 0, which always runs
    return f;
}

static void standin_vectorise(struct region_plan *p, bool uniform)
{
    struct standin s = {.c = LLVMGetModuleContext(p->module), .m = p->module, .width = p->width};
    s.i32 = LLVMInt32TypeInContext(s.c);
    s.ptr = LLVMPointerTypeInContext(s.c, 0);
    s.vector = LLVMVectorType(s.i32, p->width);
    s.b = LLVMCreateBuilderInContext(s.c);
    s.scalar_result = uniform || p->width == 1;
    for (size_t r = 0; r < p->regions.len; r++) {
        struct region *x = &p->regions.data[r];
        x->full = standin_wrap(&s, x->scalar, false);
        x->masked = standin_wrap(&s, x->scalar, true);
        x->next_uniform = s.scalar_result;
        x->next_block_uniform = uniform;
    }
    LLVMDisposeBuilder(s.b);
    now.slots = (uint32_t)(p->slots.len + 1) & ~1u;
    for (size_t i = 0; i < p->slots.len; i++)
        vec_push(&p->uniform, (struct uniform_slot){0});
    now.lane_bytes = (uint32_t)(now.slots * 8 + p->local_bytes);
    p->gang_frame_bytes = (now.lane_bytes * p->width + 63) & ~(uint64_t)63;
    p->uniform_bytes = 0;
}

// Compilation

static bool optimise(LLVMModuleRef m, LLVMTargetMachineRef machine, const char *passes)
{
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(o, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(o, 0);
    LLVMPassBuilderOptionsSetLoopInterleaving(o, 0);
    LLVMPassBuilderOptionsSetVerifyEach(o, 1);
    LLVMErrorRef e = LLVMRunPasses(m, passes, machine, o);
    LLVMDisposePassBuilderOptions(o);
    if (e)
        fprintf(stderr, "%s\n", LLVMGetErrorMessage(e));
    return !e;
}

static bool verify(LLVMModuleRef m, const char *kernel)
{
    char *text = NULL;
    bool bad = LLVMVerifyModule(m, LLVMReturnStatusAction, &text);
    if (bad)
        fprintf(stderr, "%s: invalid in the end: %s\n", kernel, text);
    LLVMDisposeMessage(text);
    return !bad;
}

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
            : LLVMCreateTargetMachine(t, triple, cpu, all, harness_level, LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMDisposeMessage(triple);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return machine;
}

// Only the kernel stays; loads of parameters are marked as translate marks them.
static LLVMValueRef prepare(LLVMModuleRef m, const char *name)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    unsigned kind = LLVMGetMDKindIDInContext(c, "invariant.load", 14);
    LLVMValueRef kernel = LLVMGetNamedFunction(m, name);
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f) && f != kernel)
            LLVMDeleteFunction(f);
    }
    if (!kernel)
        return NULL;
    for (unsigned k = 0; k < 3; k++) {
        static const char *const names[] = {"target-cpu", "target-features", "tune-cpu"};
        LLVMRemoveStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[k],
                                         (unsigned)strlen(names[k]));
    }
    LLVMValueRef empty = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMLoad &&
                LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) == 4)
                LLVMSetMetadata(i, kind, empty);
    return kernel;
}

static unsigned count_forwards(LLVMModuleRef m)
{
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (op_of_function(f) == OP_FORWARD)
            for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
                n++;
    return n;
}

static bool pipeline(struct harness_kernel *k, struct compilation *c, enum harness_lanes lanes)
{
    struct region_plan *p = &c->plan;
    c->t.kernel = prepare(c->module, p->kernel);
    if (!c->t.kernel || !run_passes(c, "scalar", "endless") || !run_passes(c, "lifetimes", "split"))
        return false;
    k->regions = (unsigned)p->regions.len;
    k->slots = (unsigned)p->slots.len;
    k->raw_slots = p->raw_slots;
    k->forwards = count_forwards(c->module);
    for (size_t r = 0; r < p->regions.len; r++)
        k->yields += p->regions.data[r].wait == REGION_YIELD;
    if (!run_passes(c, "prepare", "structured")) {
        k->refused = c->unstructured;
        return false;
    }
    if (lanes != HARNESS_VECTOR)
        standin_vectorise(p, lanes == HARNESS_SCALAR_UNIFORM);
    else if (!run_passes(c, "aggregates.regions", "vectorise"))
        return false;
    k->uniform = true;
    for (size_t r = 0; r < p->regions.len; r++)
        k->uniform &= p->regions.data[r].next_block_uniform;
    return run_passes(c, "simplify", "block") && optimise(c->module, c->machine, harness_optimise) &&
           verify(c->module, p->kernel);
}

static bool link_code(struct harness_kernel *k, LLVMModuleRef m, LLVMTargetMachineRef machine, const char *name)
{
    char *message;
    LLVMMemoryBufferRef object;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, m, LLVMObjectFile, &message, &object))
        return false;
    LLVMOrcLLJITBuilderRef jb = LLVMOrcCreateLLJITBuilder();
    LLVMErrorRef e = LLVMOrcCreateLLJIT(&k->jit, jb);
    if (e)
        return false;
    enum { N = sizeof functions / sizeof *functions };
    LLVMOrcJITDylibRef lib = LLVMOrcLLJITGetMainJITDylib(k->jit);
    LLVMOrcCSymbolMapPair pairs[N];
    for (unsigned i = 0; i < N; i++) {
        pairs[i].Name = LLVMOrcLLJITMangleAndIntern(k->jit, functions[i].name);
        pairs[i].Sym.Address = (LLVMOrcJITTargetAddress)(uintptr_t)functions[i].address;
        pairs[i].Sym.Flags =
            (LLVMJITSymbolFlags){LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
    }
    LLVMOrcDefinitionGeneratorRef process;
    LLVMOrcExecutorAddress address;
    if (LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(k->jit), NULL, NULL))
        return false;
    LLVMOrcJITDylibAddGenerator(lib, process);
    if (LLVMOrcJITDylibDefine(lib, LLVMOrcAbsoluteSymbols(pairs, N)) || LLVMOrcLLJITAddObjectFile(k->jit, lib, object))
        return false;
    char entry[256];
    snprintf(entry, sizeof entry, "%s%s", name, JIT_ENTRY_SUFFIX);
    e = LLVMOrcLLJITLookup(k->jit, &address, entry);
    if (e) {
        fprintf(stderr, "%s\n", LLVMGetErrorMessage(e));
        return false;
    }
    k->entry = (jit_entry_fn *)(uintptr_t)address;
    return true;
}

bool harness_compile_module(struct harness_kernel *k, LLVMContextRef context, LLVMModuleRef m, const char *name,
                            enum harness_lanes lanes, unsigned width, const unsigned block[3])
{
    *k = (struct harness_kernel){0};
    LLVMTargetMachineRef machine = make_machine();
    struct diag d;
    diag_init(&d, name);
    struct jit_options options = {.width = width, .block = {block[0], block[1], block[2]}};
    struct jit_object out = {0};
    struct compilation c = {
        .context = context, .module = m, .machine = machine, .options = &options, .out = &out, .d = &d};
    c.plan = (struct region_plan){.module = m,
                                  .kernel = name,
                                  .width = width,
                                  .block = {block[0], block[1], block[2]},
                                  .in_step = lanes == HARNESS_VECTOR};
    c.how = harness_structure == STRUCTURED_DISPATCH ? harness_structure : structured_asked();
    c.verify = true;
    c.plan.layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(m, c.plan.layout);
    char *triple = LLVMGetTargetMachineTriple(machine); // what the vectoriser emits hangs on it
    LLVMSetTarget(m, triple);
    LLVMDisposeMessage(triple);
    run_begin(&c);
    bool ok = pipeline(k, &c, lanes);
    if (!ok && !k->refused)
        fprintf(stderr, "%s, width %u: not compiled: %s\n", name, width, str_text(&d.text));
    if (ok)
        ok = link_code(k, m, machine, name);
    k->variant = out.variant;
    memcpy(k->variant.block, block, sizeof k->variant.block);
    LLVMDisposeTargetData(c.plan.layout);
    run_release(&c);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
    LLVMDisposeTargetMachine(machine);
    diag_fini(&d);
    return ok;
}

bool harness_compile(struct harness_kernel *k, const char *name, enum harness_lanes lanes, unsigned width,
                     const unsigned block[3])
{
    char *message = NULL;
    LLVMMemoryBufferRef file;
    if (LLVMCreateMemoryBufferWithContentsOfFile(RESUME_KERNELS, &file, &message))
        return false;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m;
    if (LLVMParseBitcodeInContext2(context, file, &m))
        return false;
    LLVMDisposeMemoryBuffer(file);
    return harness_compile_module(k, context, m, name, lanes, width, block);
}

void harness_destroy(struct harness_kernel *k)
{
    if (k->jit)
        LLVMOrcDisposeLLJIT(k->jit);
    k->jit = NULL;
}

// Running

enum { SHARED_BYTES = 16384, CALLS_MAX = 2000000 };

uint64_t harness_run(const struct harness_kernel *k, const unsigned grid[3], const unsigned block[3],
                     const struct harness_params *params)
{
    struct jit_launch launch = {.args = (const char *)params, .nsmid = 1};
    memcpy(launch.grid, grid, sizeof launch.grid);
    memcpy(launch.block, block, sizeof launch.block);
    launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 1;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2], calls = 0, left = blocks;
    uint64_t padded = ((uint64_t)block[0] * block[1] * block[2] + 31) / 32 * 32;
    uint64_t frame =
        k->variant.block[0] ? k->variant.frame_bytes : k->variant.frame_bytes * padded + k->variant.frame_fixed;
    uint64_t n = k->variant.may_wait ? blocks : 1;
    struct jit_block *b = calloc(n, sizeof *b);
    bool *done = calloc(n, sizeof *done);
    frame = (frame + 127) / 64 * 64;
    char *frames = aligned_alloc(64, n * frame), *shared = aligned_alloc(128, n * SHARED_BYTES),
         *sink = malloc(JIT_SINK_BYTES);
    memset(frames, 0xa5, n * frame);
    for (uint64_t i = 0; i < n; i++)
        b[i] = (struct jit_block){.launch = &launch,
                                  .linear = i,
                                  .shared = shared + i * SHARED_BYTES,
                                  .frame = frames + i * frame,
                                  .sink = sink,
                                  .shared_bytes = SHARED_BYTES};
    if (!k->variant.may_wait) {
        k->entry(&launch, b, blocks);
        calls = 1;
        left = 0;
    }
    while (left && calls < CALLS_MAX)
        for (uint64_t i = 0; i < n; i++)
            if (!done[i]) {
                calls++;
                done[i] = k->entry(&launch, &b[i], 1) == JIT_DONE;
                left -= done[i];
            }
    free(b);
    free(done);
    free(frames);
    free(shared);
    free(sink);
    return left ? 0 : calls;
}
