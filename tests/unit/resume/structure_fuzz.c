// SPDX-License-Identifier: Apache-2.0
// Random control flow, each at some width and in one of the ways of structuring it, against an interpreter of one
// thread.
//
// A program is a graph of blocks over variables of 32 and 64 bits: loops with several entries and exits, jumps into
// loops and arms, switches with targets that occur more than once, blocks that branch twice to one target, loops of one
// block, and endless loops on edges that no thread takes. Conditions are those of a thread, of a block or of the grid.
// Blocks compute, read and write memory, add to counters and step aside (which cuts the graph into regions). Whatever
// goes back in the order of the blocks costs fuel, so that all threads end.
//
// Arguments: the first seed, how many, and with a third one only that width. STRUCTURE_SHOW=1 prints counts.
#include "resume_harness.h"
#include "test.h"
#include <llvm-c/Core.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { BLOCKS_MAX = 18, OPS_MAX = 4, CASES_MAX = 5, WORDS = 6, LONGS = 2, VARS = WORDS + LONGS };
enum { THREADS_MAX = 128, GRID = 2, CELLS = 4, COUNTERS = 4, FUEL = 12, NEVER = 12345 };

enum op {
    ADD,
    SUB,
    MUL,
    XOR,
    SELECT,
    MASK,
    DIVIDE,
    EXTEND,
    SIGNED,
    TRUNCATE,
    LONG,
    READ,
    KEEP,
    KEPT,
    COUNT,
    YIELD,
    OPS
};
enum end { GO, BRANCH, BRANCH_BLOCK, SWITCH, FOREVER, ENDS };

struct step {
    enum op op;
    unsigned d, a, b, k;
};

struct node {
    unsigned nsteps;
    struct step steps[OPS_MAX];
    enum end end;
    unsigned v, bit, n, to[CASES_MAX]; // to: CASES_MAX or n of them; program.n is the end
};

struct program {
    uint32_t seed;
    unsigned n, shape[3], threads;
    struct node nodes[BLOCKS_MAX];
};

static uint32_t draw(struct program *p, uint32_t n)
{
    p->seed = p->seed * 1664525u + 1013904223u;
    return (p->seed >> 8) % n;
}

// Mostly near, so that loops have bodies.
static unsigned draw_target(struct program *p, unsigned from)
{
    if (!draw(p, 9))
        return p->n;
    if (draw(p, 3))
        return (from + 1 + draw(p, 3)) % (p->n + 1);
    return draw(p, p->n);
}

static void make(struct program *p, bool waits)
{
    static const unsigned shapes[][3] = {{32, 1, 1}, {7, 5, 3},  {65, 1, 1}, {5, 3, 1},
                                         {8, 4, 2},  {1, 33, 1}, {3, 3, 3},  {16, 2, 3}};
    memcpy(p->shape, shapes[draw(p, 8)], sizeof p->shape);
    p->threads = p->shape[0] * p->shape[1] * p->shape[2];
    p->n = 2 + draw(p, BLOCKS_MAX - 1);
    for (unsigned i = 0; i < p->n; i++) {
        struct node *b = &p->nodes[i];
        b->nsteps = draw(p, OPS_MAX + 1);
        for (unsigned s = 0; s < b->nsteps; s++) {
            enum op op = draw(p, OPS);
            if (op == YIELD && (!waits || draw(p, 2)))
                op = EXTEND;
            bool wide = op == EXTEND || op == SIGNED || op == LONG, from = op == TRUNCATE || op == LONG;
            unsigned d = wide ? WORDS + draw(p, LONGS) : draw(p, WORDS);
            unsigned a = from ? WORDS + draw(p, LONGS) : draw(p, WORDS),
                     c = from ? WORDS + draw(p, LONGS) : draw(p, WORDS);
            b->steps[s] = (struct step){op, d, a, c, draw(p, 32)};
        }
        unsigned end = draw(p, 20);
        b->end = end < 5 ? GO : end < 14 ? BRANCH : end < 16 ? BRANCH_BLOCK : end < 19 ? SWITCH : FOREVER;
        b->v = draw(p, WORDS);
        b->bit = draw(p, 6);
        b->n = b->end == GO ? 1 : b->end == SWITCH ? 3 + draw(p, CASES_MAX - 2) : 2;
        for (unsigned k = 0; k < b->n; k++)
            b->to[k] = k && !draw(p, 6) ? b->to[k - 1] : draw_target(p, i);
    }
}

// The interpreter

static uint32_t in[THREADS_MAX * GRID], out[THREADS_MAX * GRID], want[THREADS_MAX * GRID];
static uint32_t cells[THREADS_MAX * GRID * CELLS + COUNTERS], want_cells[THREADS_MAX * GRID * CELLS + COUNTERS];

static void run_step(const struct step *s, uint64_t *v, unsigned index)
{
    uint32_t a = (uint32_t)v[s->a], b = (uint32_t)v[s->b], k = s->k;
    switch (s->op) {
    case ADD:
        v[s->d] = a + b;
        break;
    case SUB:
        v[s->d] = a - 3 * b;
        break;
    case MUL:
        v[s->d] = a * (b | 1);
        break;
    case XOR:
        v[s->d] = a ^ b >> (k & 7);
        break;
    case SELECT:
        v[s->d] = a < b ? a + k : b;
        break;
    case MASK:
        v[s->d] = (a & 0xffff) + k;
        break;
    case DIVIDE:
        v[s->d] = a / (b | 1);
        break;
    case EXTEND:
        v[s->d] = a;
        break;
    case SIGNED:
        v[s->d] = (uint64_t)(int64_t)(int32_t)a;
        break;
    case LONG:
        v[s->d] = v[s->a] * 5 + v[s->b];
        break;
    case READ:
        v[s->d] = in[(a + k) % (THREADS_MAX * GRID)];
        break;
    case KEEP:
        want_cells[index * CELLS + k % CELLS] = a;
        break;
    case KEPT:
        v[s->d] = want_cells[index * CELLS + k % CELLS];
        break;
    case COUNT:
        want_cells[THREADS_MAX * GRID * CELLS + k % COUNTERS] += a;
        break;
    default: // TRUNCATE; YIELD does nothing
        if (s->op == TRUNCATE)
            v[s->d] = a;
        break;
    }
    if (s->d < WORDS)
        v[s->d] = (uint32_t)v[s->d];
}

static unsigned choose(const struct node *b, const uint64_t *v, unsigned ctaid)
{
    switch (b->end) {
    case BRANCH:
        return !(v[b->v] >> b->bit & 1);
    case BRANCH_BLOCK:
        return !((ctaid + b->bit) & 1);
    case SWITCH: {
        uint32_t x = (uint32_t)v[b->v] & 7;
        return x && x < b->n ? x : 0;
    }
    default: // FOREVER leads where `to` says, too
        return 0;
    }
}

static void run_thread(const struct program *p, unsigned block, unsigned thread)
{
    unsigned index = block * p->threads + thread, at = 0, fuel = FUEL;
    uint64_t v[VARS] = {in[index], thread, thread % p->shape[0], 33, block, 7, 5, in[index]};
    while (at < p->n) {
        const struct node *b = &p->nodes[at];
        for (unsigned s = 0; s < b->nsteps; s++)
            run_step(&b->steps[s], v, index);
        unsigned to = b->to[choose(b, v, block)];
        bool back = false; // fuel is paid before the branch, whichever way it goes
        for (unsigned k = 0; k < b->n; k++)
            back |= b->to[k] <= at;
        if (back && !--fuel)
            break;
        at = to;
    }
    uint32_t hash = fuel;
    for (unsigned i = 0; i < VARS; i++)
        hash = hash * 31 + (uint32_t)v[i] + (i < WORDS ? 0 : 7 * (uint32_t)(v[i] >> 32));
    want[index] = hash;
}

// The same as code

struct emitter {
    const struct program *p;
    LLVMContextRef c;
    LLVMModuleRef m;
    LLVMBuilderRef b;
    LLVMValueRef function, v[VARS], fuel, index, ctaid, in, cells, limit;
    LLVMTypeRef i1, i32, i64, ptr;
    LLVMBasicBlockRef blocks[BLOCKS_MAX + 1];
};

static LLVMValueRef call(struct emitter *e, const char *name, LLVMTypeRef ret, bool pure)
{
    LLVMTypeRef type = LLVMFunctionType(ret, NULL, 0, 0);
    LLVMValueRef f = LLVMGetNamedFunction(e->m, name);
    if (!f) {
        const char *attribute = pure ? "willreturn" : "convergent";
        f = LLVMAddFunction(e->m, name, type);
        LLVMAddAttributeAtIndex(
            f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(e->c, LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)), 0));
    }
    return LLVMBuildCall2(e->b, type, f, NULL, 0, "");
}

static LLVMValueRef number(struct emitter *e, uint32_t x)
{
    return LLVMConstInt(e->i32, x, 0);
}

static LLVMValueRef get(struct emitter *e, unsigned v)
{
    return LLVMBuildLoad2(e->b, v < WORDS ? e->i32 : e->i64, e->v[v], "");
}

static LLVMValueRef word(struct emitter *e, LLVMValueRef base, LLVMValueRef index)
{
    LLVMValueRef i = LLVMBuildZExt(e->b, index, e->i64, "");
    return LLVMBuildGEP2(e->b, e->i32, base, &i, 1, "");
}

static LLVMValueRef cell(struct emitter *e, unsigned k)
{
    LLVMValueRef i = LLVMBuildMul(e->b, e->index, number(e, CELLS), "");
    return word(e, e->cells, LLVMBuildAdd(e->b, i, number(e, k % CELLS), ""));
}

static LLVMValueRef emit_value(struct emitter *e, const struct step *s)
{
    LLVMBuilderRef b = e->b;
    LLVMValueRef x = get(e, s->a), y = get(e, s->b), k = number(e, s->k);
    switch (s->op) {
    case ADD:
        return LLVMBuildAdd(b, x, y, "");
    case SUB:
        return LLVMBuildSub(b, x, LLVMBuildMul(b, y, number(e, 3), ""), "");
    case MUL:
        return LLVMBuildMul(b, x, LLVMBuildOr(b, y, number(e, 1), ""), "");
    case XOR:
        return LLVMBuildXor(b, x, LLVMBuildLShr(b, y, number(e, s->k & 7), ""), "");
    case SELECT:
        return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, x, y, ""), LLVMBuildAdd(b, x, k, ""), y, "");
    case MASK:
        return LLVMBuildAdd(b, LLVMBuildAnd(b, x, number(e, 0xffff), ""), k, "");
    case DIVIDE:
        return LLVMBuildUDiv(b, x, LLVMBuildOr(b, y, number(e, 1), ""), "");
    case EXTEND:
        return LLVMBuildZExt(b, x, e->i64, "");
    case SIGNED:
        return LLVMBuildSExt(b, x, e->i64, "");
    case TRUNCATE:
        return LLVMBuildTrunc(b, x, e->i32, "");
    case LONG:
        return LLVMBuildAdd(b, LLVMBuildMul(b, x, LLVMConstInt(e->i64, 5, 0), ""), y, "");
    case READ:
        x = LLVMBuildURem(b, LLVMBuildAdd(b, x, k, ""), number(e, THREADS_MAX * GRID), "");
        return LLVMBuildLoad2(b, e->i32, word(e, e->in, x), "");
    case KEPT:
        return LLVMBuildLoad2(b, e->i32, cell(e, s->k), "");
    case KEEP:
        LLVMBuildStore(b, x, cell(e, s->k));
        return NULL;
    case COUNT:
        LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd,
                           word(e, e->cells, number(e, THREADS_MAX * GRID * CELLS + s->k % COUNTERS)), x,
                           LLVMAtomicOrderingMonotonic, 0);
        return NULL;
    default:
        call(e, "heddle.yield", LLVMVoidTypeInContext(e->c), false);
        return NULL;
    }
}

static LLVMValueRef is_odd(struct emitter *e, LLVMValueRef x)
{
    return LLVMBuildTrunc(e->b, x, e->i1, "");
}

static void emit_node(struct emitter *e, unsigned at)
{
    const struct node *b = &e->p->nodes[at];
    LLVMPositionBuilderAtEnd(e->b, e->blocks[at]);
    for (unsigned s = 0; s < b->nsteps; s++) {
        LLVMValueRef x = emit_value(e, &b->steps[s]);
        if (x)
            LLVMBuildStore(e->b, x, e->v[b->steps[s].d]);
    }
    bool back = false;
    for (unsigned k = 0; k < b->n; k++)
        back |= b->to[k] <= at;
    LLVMBasicBlockRef to[CASES_MAX];
    for (unsigned k = 0; k < b->n; k++)
        to[k] = e->blocks[b->to[k]];
    LLVMValueRef x = get(e, b->v);
    if (back) {
        LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(e->c, e->function, "");
        LLVMValueRef left = LLVMBuildSub(e->b, LLVMBuildLoad2(e->b, e->i32, e->fuel, ""), number(e, 1), "");
        LLVMBuildStore(e->b, left, e->fuel);
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, left, number(e, 0), ""), e->blocks[e->p->n], on);
        LLVMPositionBuilderAtEnd(e->b, on);
    }
    switch (b->end) {
    case GO:
        LLVMBuildBr(e->b, to[0]);
        break;
    case BRANCH:
        LLVMBuildCondBr(e->b, is_odd(e, LLVMBuildLShr(e->b, x, number(e, b->bit), "")), to[0], to[1]);
        break;
    case BRANCH_BLOCK:
        LLVMBuildCondBr(e->b, is_odd(e, LLVMBuildAdd(e->b, e->ctaid, number(e, b->bit), "")), to[0], to[1]);
        break;
    case SWITCH: {
        LLVMValueRef s = LLVMBuildSwitch(e->b, LLVMBuildAnd(e->b, x, number(e, 7), ""), to[0], b->n);
        for (unsigned k = 1; k < b->n; k++)
            LLVMAddCase(s, number(e, k), to[k]);
        break;
    }
    default: { // two blocks that lead to each other, entered by either
        LLVMBasicBlockRef one = LLVMAppendBasicBlockInContext(e->c, e->function, ""),
                          two = LLVMAppendBasicBlockInContext(e->c, e->function, ""),
                          way = LLVMAppendBasicBlockInContext(e->c, e->function, "");
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, e->limit, number(e, NEVER), ""), way, to[0]);
        LLVMPositionBuilderAtEnd(e->b, way);
        LLVMBuildCondBr(e->b, is_odd(e, x), one, b->bit & 1 ? two : one);
        LLVMPositionBuilderAtEnd(e->b, one);
        if (b->bit & 2)
            LLVMBuildStore(e->b, x, cell(e, 0));
        LLVMBuildBr(e->b, b->bit & 1 ? two : one);
        LLVMPositionBuilderAtEnd(e->b, two);
        LLVMBuildBr(e->b, one);
    }
    }
}

static LLVMValueRef parameter(struct emitter *e, unsigned bytes, LLVMTypeRef type)
{
    LLVMValueRef at = LLVMConstInt(e->i64, bytes, 0),
                 p = call(e, "heddle.args", LLVMPointerTypeInContext(e->c, 4), true);
    return LLVMBuildLoad2(e->b, type, LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), p, &at, 1, ""), "");
}

static LLVMModuleRef emit_program(const struct program *p, LLVMContextRef c)
{
    struct emitter e = {
        .p = p, .c = c, .m = LLVMModuleCreateWithNameInContext("fuzz", c), .b = LLVMCreateBuilderInContext(c)};
    e.i1 = LLVMInt1TypeInContext(c);
    e.i32 = LLVMInt32TypeInContext(c);
    e.i64 = LLVMInt64TypeInContext(c);
    e.ptr = LLVMPointerTypeInContext(c, 0);
    e.function = LLVMAddFunction(e.m, "fuzz", LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, 0));
    LLVMPositionBuilderAtEnd(e.b, LLVMAppendBasicBlockInContext(c, e.function, ""));
    for (unsigned i = 0; i <= p->n; i++)
        e.blocks[i] = LLVMAppendBasicBlockInContext(c, e.function, "");
    LLVMValueRef x = call(&e, "heddle.tid.x", e.i32, true), y = call(&e, "heddle.tid.y", e.i32, true),
                 z = call(&e, "heddle.tid.z", e.i32, true);
    LLVMValueRef thread = LLVMBuildAdd(e.b, LLVMBuildMul(e.b, z, number(&e, p->shape[1]), ""), y, "");
    thread = LLVMBuildAdd(e.b, LLVMBuildMul(e.b, thread, number(&e, p->shape[0]), ""), x, "");
    e.ctaid = call(&e, "heddle.ctaid.x", e.i32, true);
    e.index = LLVMBuildAdd(e.b, LLVMBuildMul(e.b, e.ctaid, number(&e, p->threads), ""), thread, "");
    e.in = parameter(&e, 0, e.ptr);
    LLVMValueRef result = parameter(&e, 16, e.ptr);
    e.cells = parameter(&e, 24, e.ptr);
    e.limit = parameter(&e, 32, e.i32);
    LLVMValueRef first = LLVMBuildLoad2(e.b, e.i32, word(&e, e.in, e.index), "");
    LLVMValueRef start[VARS] = {first,
                                thread,
                                x,
                                number(&e, 33),
                                e.ctaid,
                                number(&e, 7),
                                LLVMConstInt(e.i64, 5, 0),
                                LLVMBuildZExt(e.b, first, e.i64, "")};
    for (unsigned i = 0; i < VARS; i++) {
        e.v[i] = LLVMBuildAlloca(e.b, i < WORDS ? e.i32 : e.i64, "");
        LLVMBuildStore(e.b, start[i], e.v[i]);
    }
    e.fuel = LLVMBuildAlloca(e.b, e.i32, "");
    LLVMBuildStore(e.b, number(&e, FUEL), e.fuel);
    LLVMBuildBr(e.b, e.blocks[0]);
    for (unsigned i = 0; i < p->n; i++)
        emit_node(&e, i);
    LLVMPositionBuilderAtEnd(e.b, e.blocks[p->n]);
    LLVMValueRef hash = LLVMBuildLoad2(e.b, e.i32, e.fuel, "");
    for (unsigned i = 0; i < VARS; i++) {
        LLVMValueRef v = get(&e, i), low = i < WORDS ? v : LLVMBuildTrunc(e.b, v, e.i32, "");
        hash = LLVMBuildAdd(e.b, LLVMBuildMul(e.b, hash, number(&e, 31), ""), low, "");
        if (i < WORDS)
            continue;
        v = LLVMBuildTrunc(e.b, LLVMBuildLShr(e.b, v, LLVMConstInt(e.i64, 32, 0), ""), e.i32, "");
        hash = LLVMBuildAdd(e.b, hash, LLVMBuildMul(e.b, v, number(&e, 7), ""), "");
    }
    LLVMBuildStore(e.b, hash, word(&e, result, e.index));
    LLVMBuildRetVoid(e.b);
    LLVMDisposeBuilder(e.b);
    return e.m;
}

// Comparison

static unsigned refused, compiled;

static bool run_code(const struct program *p, unsigned width, bool generic, enum structured_how how)
{
    struct harness_kernel k;
    unsigned any[3] = {0, 0, 0}, grid[3] = {GRID, 1, 1};
    bool ok;
    for (harness_structure = how;; harness_structure = STRUCTURED_DISPATCH) {
        LLVMContextRef c = LLVMContextCreate();
        ok = harness_compile_module(&k, c, emit_program(p, c), "fuzz", HARNESS_VECTOR, width, generic ? any : p->shape);
        compiled++;
        if (ok || !k.refused)
            break;
        refused++;
        harness_destroy(&k);
    }
    if (ok) {
        memset(out, 0, sizeof out);
        memset(cells, 0, sizeof cells);
        struct harness_params params = {in, NULL, out, cells, 0, 0};
        ok = harness_run(&k, grid, p->shape, &params) != 0;
        ok = ok && !memcmp(out, want, sizeof out) && !memcmp(cells, want_cells, sizeof want_cells);
    }
    harness_destroy(&k);
    return ok;
}

// What never ends fails. The limit is one of processor time, since others may have the machine; 0 lifts it.
static void limit(unsigned seconds)
{
    struct itimerval t = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &t, NULL);
}

static void on_limit(int signal)
{
    static const char text[] = "structure_fuzz: a kernel does not end\n";
    (void)signal;
    if (write(2, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(2);
}

static void test_seed(uint32_t seed, unsigned only)
{
    static const unsigned widths[] = {8, 16, 1, 8, 32, 1};
    static const char *const optimise[] = {"always-inline,globaldce,function(sroa,early-cse,simplifycfg,adce)",
                                           "default<O2>"};
    struct program p = {.seed = seed * 2654435761u + 1};
    make(&p, draw(&p, 3) == 0);
    memset(want, 0, sizeof want);
    memset(want_cells, 0, sizeof want_cells);
    for (unsigned i = 0; i < THREADS_MAX * GRID; i++)
        in[i] = draw(&p, 1 << 20);
    for (unsigned b = 0; b < GRID; b++)
        for (unsigned t = 0; t < p.threads; t++)
            run_thread(&p, b, t);
    unsigned width = only ? only : widths[draw(&p, 6)];
    bool generic = draw(&p, 8) == 0, full = draw(&p, 8) == 0, dispatch = draw(&p, 3) == 0;
    harness_optimise = optimise[full];
    harness_level = full ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone;
    limit(600);
    bool ok = run_code(&p, width, generic, dispatch ? STRUCTURED_DISPATCH : STRUCTURED_LLVM);
    limit(0);
    if (!ok)
        fprintf(stderr, "seed %u, block %ux%ux%u, width %u%s%s, %u blocks: wrong\n", seed, p.shape[0], p.shape[1],
                p.shape[2], width, generic ? ", any shape" : "", dispatch ? ", dispatch" : "", p.n);
    CHECK(ok);
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1, n = argc > 2 ? (unsigned)atoi(argv[2]) : 80;
    signal(SIGPROF, on_limit);
    for (unsigned i = 0; i < n; i++)
        if (test_takes(i, 0, 4))
            test_seed(first + i, argc > 3 ? (unsigned)atoi(argv[3]) : 0);
    if (getenv("STRUCTURE_SHOW"))
        printf("%u compilations, %u of which LLVM did not structure\n", compiled, refused);
    return test_summary();
}
