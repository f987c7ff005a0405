// SPDX-License-Identifier: Apache-2.0
// Accesses under masks as the vectoriser makes them (gang/memory/masked.c, gang/memory/append.c), in random order over memory that they share:
// the passes of the pipeline must change nothing of what is in memory in the end. Found so: InstCombine of LLVM 22 moves a masked
// load behind stores, to a selection by the same mask (LLVM issue 215453); fold_moves_load shows the form that has it, which
// the vectoriser must not make.
#include "jit/gang/memory/access.h"
#include "jit/llvm_passes.h"
#include "jit/host/target.h"
#include "test.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 16, OPS = 14, PLACES = 4, MASKS = 3, VALUES = 32, CELLS = 40, BYTES = PLACES * CELLS * 8 };

typedef void program_fn(char *memory, const int32_t *masks, const int64_t *index);

static uint32_t seed = 1;
static unsigned pick(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

// A value and the lanes that have one: ALL, or those of a mask.
enum { ALL = -1 };
struct value {
    LLVMValueRef x;
    int mask;
};

struct program {
    struct vectoriser v;
    struct gang g;
    LLVMTypeRef type;
    unsigned size;
    LLVMValueRef memory, index, mask[MASKS], any; // any: an access to take properties from
    struct value values[VALUES];
    unsigned n;
};

static struct access access_under(struct program *p, int mask)
{
    struct access a = {.inst = p->any, .address = p->memory, .type = p->type, .size = p->size, .align = p->size};
    a.mask = mask == ALL ? NULL : p->mask[mask];
    return a;
}

static LLVMValueRef place(struct program *p)
{
    unsigned at = (pick(PLACES) * CELLS + pick(CELLS - p->g.width + 1)) * p->size;
    return gang_step(&p->g, p->memory, at);
}

// One cell for each lane, no two the same.
static LLVMValueRef places(struct program *p)
{
    LLVMTypeRef t = LLVMVectorType(p->v.i64, p->g.width);
    LLVMValueRef i = LLVMBuildLoad2(p->g.b, t, gang_step(&p->g, p->index, (int64_t)(pick(2) * p->g.width * 8)), "");
    LLVMSetAlignment(i, 8);
    return LLVMBuildGEP2(p->g.b, p->type, gang_step(&p->g, p->memory, (int64_t)(pick(PLACES) * CELLS * p->size)), &i, 1,
                         "");
}

static void push(struct program *p, LLVMValueRef x, int mask)
{
    p->values[p->n++ % VALUES] = (struct value){x, mask};
}

static struct value any_value(struct program *p)
{
    return p->values[pick(p->n < VALUES ? p->n : VALUES)];
}

// A value that all lanes have: what others lack comes from memory.
static LLVMValueRef whole_value(struct program *p)
{
    struct value x = any_value(p);
    if (x.mask == ALL)
        return x.x;
    struct access a = access_under(p, ALL);
    LLVMValueRef other = access_load(&p->g, &a, LLVMTypeOf(x.x), place(p));
    return gang_blend(&p->g, p->mask[x.mask], x.x, other);
}

// A value that the lanes of this mask have.
static LLVMValueRef value_for(struct program *p, int mask)
{
    for (unsigned i = 0; i < 8; i++) {
        struct value x = any_value(p);
        if (x.mask == ALL || x.mask == mask)
            return x.x;
    }
    return whole_value(p);
}

static void pack(struct program *p, int mask)
{
    LLVMTypeRef t = LLVMVectorType(p->type, p->g.width);
    LLVMValueRef args[3] = {value_for(p, mask), LLVMConstNull(t), gang_mask_bits(&p->g, p->mask[mask])};
    bool expand = pick(2);
    if (expand)
        args[0] = whole_value(p);
    const char *name = expand ? "llvm.x86.avx512.mask.expand" : "llvm.x86.avx512.mask.compress";
    push(p, ir_intrinsic(p->g.b, name, &t, 1, args, 3), ALL);
}

static void step(struct program *p)
{
    struct gang *g = &p->g;
    LLVMTypeRef t = LLVMVectorType(p->type, g->width);
    int mask = (int)pick(MASKS);
    struct access a = access_under(p, mask), plain = access_under(p, ALL);
    bool packs = target_packs() && p->size >= 4 && g->width * p->size <= 64;
    LLVMValueRef at;
    switch (pick(packs ? 10 : 9)) {
    case 0:
    case 1:
        push(p, masked_load(g, &a, t, place(p), a.mask), mask);
        break;
    case 2:
        push(p, access_load(g, &plain, t, place(p)), ALL);
        break;
    case 3:
        push(p, gather_build(g, &a, places(p)), mask);
        break;
    case 4:
        at = place(p);
        masked_store(g, value_for(p, mask), at, a.align, gang_mask_bits(g, a.mask));
        break;
    case 5: // read, blend and write back
    case 6:
        at = place(p);
        access_store(g, &plain, gang_blend(g, a.mask, value_for(p, mask), access_load(g, &plain, t, at)), at);
        break;
    case 7:
        scatter_build(g, &a, value_for(p, mask), places(p));
        break;
    case 8:
        push(p, whole_value(p), ALL);
        break;
    default:
        pack(p, mask);
    }
}

// void program(memory, masks, index)
static void emit_program(LLVMModuleRef m, LLVMTargetDataRef layout, unsigned number, unsigned width, unsigned bits)
{
    struct program p = {.v = {.module = m, .layout = layout, .context = LLVMGetModuleContext(m)}};
    struct vectoriser *v = &p.v;
    char name[32];
    v->scalar.lanes = (struct lanes){.width = width, .segments = 1};
    v->i1 = LLVMInt1TypeInContext(v->context), v->i8 = LLVMInt8TypeInContext(v->context);
    v->i32 = LLVMInt32TypeInContext(v->context), v->i64 = LLVMInt64TypeInContext(v->context);
    v->ptr = LLVMPointerTypeInContext(v->context, 0), v->mask = LLVMVectorType(v->i32, width);
    v->noalias_kind = LLVMGetMDKindIDInContext(v->context, "noalias", 7);
    p.type = LLVMIntTypeInContext(v->context, bits), p.size = bits / 8;
    LLVMTypeRef params[3] = {v->ptr, v->ptr, v->ptr};
    snprintf(name, sizeof name, "program%u", number);
    LLVMValueRef f = LLVMAddFunction(m, name, LLVMFunctionType(LLVMVoidTypeInContext(v->context), params, 3, 0));
    p.g = (struct gang){.v = v, .width = width, .lanes = &v->scalar.lanes, .function = f};
    p.g.b = LLVMCreateBuilderInContext(v->context);
    LLVMPositionBuilderAtEnd(p.g.b, LLVMAppendBasicBlockInContext(v->context, f, ""));
    p.memory = LLVMGetParam(f, 0), p.index = LLVMGetParam(f, 2);
    for (unsigned i = 0; i < MASKS; i++) {
        p.mask[i] = LLVMBuildLoad2(p.g.b, v->mask, gang_step(&p.g, LLVMGetParam(f, 1), (int64_t)(i * width * 4)), "");
        LLVMSetAlignment(p.mask[i], 4);
    }
    p.any = LLVMBuildLoad2(p.g.b, p.type, p.memory, "");
    struct access plain = access_under(&p, ALL);
    push(&p, access_load(&p.g, &plain, LLVMVectorType(p.type, width), p.memory), ALL);
    for (unsigned i = 0; i < OPS; i++)
        step(&p);
    LLVMBuildRetVoid(p.g.b);
    LLVMDisposeBuilder(p.g.b);
}

static LLVMOrcLLJITRef compile(LLVMModuleRef m, LLVMTargetMachineRef machine, const char *passes)
{
    char *message = NULL;
    LLVMMemoryBufferRef object;
    LLVMOrcLLJITRef jit = NULL;
    LLVMModuleRef copy = LLVMCloneModule(m);
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    if (passes && LLVMRunPasses(copy, passes, machine, o))
        return NULL;
    LLVMDisposePassBuilderOptions(o);
    bool ok = !LLVMVerifyModule(copy, LLVMPrintMessageAction, &message);
    LLVMDisposeMessage(message);
    message = NULL;
    ok = ok && !LLVMTargetMachineEmitToMemoryBuffer(machine, copy, LLVMObjectFile, &message, &object) &&
         !LLVMOrcCreateLLJIT(&jit, LLVMOrcCreateLLJITBuilder()) &&
         !LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object);
    LLVMDisposeModule(copy);
    return ok ? jit : NULL;
}

static void run(LLVMOrcLLJITRef jit, unsigned number, unsigned width, unsigned turn, char *memory)
{
    int32_t masks[MASKS * GANG_MAX];
    int64_t index[2 * GANG_MAX];
    char name[32];
    LLVMOrcExecutorAddress address = 0;
    seed = number * 977 + turn * 31 + width;
    for (unsigned i = 0; i < MASKS * width; i++)
        masks[i] = -(int32_t)(pick(4) < turn % 4 + 1u && pick(2)); // also few lanes, or none
    for (unsigned i = 0; i < 2 * width; i++)
        index[i] = i < width ? (int64_t)(width - 1 - i) : (int64_t)((i * 5 + 3) % width);
    for (unsigned i = 0; i < BYTES; i++)
        memory[i] = (char)pick(256);
    snprintf(name, sizeof name, "program%u", number);
    CHECK(!LLVMOrcLLJITLookup(jit, &address, name) && address);
    if (address)
        ((program_fn *)(uintptr_t)address)(memory, masks, index);
}

static void try_type(LLVMTargetMachineRef machine, unsigned width, unsigned bits)
{
    static const char *const pipelines[] = {GANG_PASSES, GANG_PASSES_LARGE, GANG_PASSES_QUICK, GANG_PASSES_HUGE,
                                            GANG_PASSES_DEEP};
    enum { PIPELINES = sizeof pipelines / sizeof *pipelines };
    static char want[BYTES], got[BYTES];
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = LLVMModuleCreateWithNameInContext("masked", context);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMSetModuleDataLayout(m, layout);
    LLVMSetTarget(m, triple);
    LLVMDisposeMessage(triple);
    seed = width * 100 + bits;
    for (unsigned i = 0; i < PROGRAMS; i++)
        emit_program(m, layout, i, width, bits);
    LLVMOrcLLJITRef none = compile(m, machine, NULL), some;
    CHECK(none);
    for (unsigned k = 0; none && k < PIPELINES; k++) {
        some = compile(m, machine, pipelines[k]);
        CHECK(some);
        for (unsigned i = 0; some && i < PROGRAMS; i++)
            for (unsigned turn = 0; turn < 3; turn++) {
                run(none, i, width, turn, want);
                run(some, i, width, turn, got);
                CHECK(!memcmp(want, got, BYTES));
            }
        if (some)
            LLVMOrcDisposeLLJIT(some);
    }
    if (none)
        LLVMOrcDisposeLLJIT(none);
    LLVMDisposeTargetData(layout);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
}

// What is stored after a masked load, with a selection by the same mask behind it: with the vectoriser's load the passes keep
// the order.
static void fold_moves_load(LLVMTargetMachineRef machine)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = LLVMModuleCreateWithNameInContext("fold", context);
    struct vectoriser v = {.module = m, .context = context, .i32 = LLVMInt32TypeInContext(context)};
    v.ptr = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef four = v.mask = LLVMVectorType(v.i32, 4), params[3] = {v.ptr, four, four};
    LLVMValueRef f = LLVMAddFunction(m, "f", LLVMFunctionType(four, params, 3, 0)), mask = LLVMGetParam(f, 2);
    struct gang g = {.v = &v, .width = 4, .b = LLVMCreateBuilderInContext(context)};
    LLVMPositionBuilderAtEnd(g.b, LLVMAppendBasicBlockInContext(context, f, ""));
    struct access a = {
        .inst = LLVMBuildLoad2(g.b, v.i32, LLVMGetParam(f, 0), ""), .type = v.i32, .size = 4, .align = 4};
    LLVMValueRef x = masked_load(&g, &a, four, LLVMGetParam(f, 0), mask), y = LLVMGetParam(f, 1);
    LLVMBuildStore(g.b, y, LLVMGetParam(f, 0));
    LLVMBuildRet(g.b, gang_blend(&g, mask, x, y));
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    CHECK(!LLVMRunPasses(m, GANG_PASSES, machine, o));
    LLVMDisposePassBuilderOptions(o);
    bool stored = false, loaded = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsACallInst(i)) { // the load
            CHECK(!stored);
            loaded = true;
        }
        stored |= LLVMIsAStoreInst(i) != NULL;
    }
    CHECK(stored && loaded);
    LLVMDisposeBuilder(g.b);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
}

int main(void)
{
    struct diag d;
    diag_init(&d, "masked");
    LLVMTargetMachineRef machine = target_machine_create(true, &d);
    CHECK(machine);
    if (machine) {
        fold_moves_load(machine);
        for (unsigned bits = 8; bits <= 64; bits *= 2)
            for (unsigned width = 8; width <= (bits == 32 ? 32 : 16); width *= 2)
                try_type(machine, width, bits);
        LLVMDisposeTargetMachine(machine);
    }
    diag_fini(&d);
    return test_summary();
}
