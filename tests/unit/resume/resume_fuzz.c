// SPDX-License-Identifier: Apache-2.0
// Random kernels that wait, at every width, against an interpreter that runs all threads of a block in step.
//
// A program is a list of statements over eight variables a thread. The generator keeps to what CUDA defines: barriers
// and collectives of the full warp stand where the whole block comes, or where the whole warp does; locks, atomics and
// loops with another number of turns in each thread stand anywhere, and so do yields within the block, which change
// nothing; threads may leave.
#include "resume_harness.h"
#include "test.h"
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

enum { VARS = 8, THREADS_MAX = 128, BLOCKS = 2, COUNTERS = 4 };

enum kind { SET, IF, LOOP, LEAVE, EXCHANGE, DIVIDED, VOTE, MEMBERS, LEADER, LOCK, ATOMIC, YIELD, KINDS };

struct statement {
    enum kind kind;
    unsigned op, d, a, b, k;
    bool by_warp; // IF: the condition is the warp's; LOOP: the number of turns is constant
    struct statement *body, *other, *next;
};

struct program {
    uint32_t seed;
    unsigned left; // statements that may still be made
    bool phases;   // nothing waits but at barriers of the whole block and yields
    struct statement *list;
};

static uint32_t draw(struct program *p, uint32_t n)
{
    p->seed = p->seed * 1664525u + 1013904223u;
    return (p->seed >> 8) % n;
}

// Where a statement stands: with the whole block, the whole warp, or whoever.
enum where { BLOCK, WARP, LANES };

static struct statement *make_list(struct program *p, enum where where, unsigned depth);

static struct statement *make(struct program *p, enum where where, unsigned depth)
{
    struct statement *s = calloc(1, sizeof *s);
    s->d = draw(p, VARS - 3) + 3;
    s->a = draw(p, VARS);
    s->b = draw(p, VARS);
    s->k = draw(p, 32);
    s->op = draw(p, 6);
    for (;;) {
        s->kind = draw(p, 100) < (p->phases ? 15 : 40) ? SET : draw(p, KINDS);
        if (p->phases && (s->kind == LEADER || s->kind == LOCK || s->kind == ATOMIC))
            s->kind = YIELD;
        if (p->phases && (s->kind == VOTE || s->kind == MEMBERS))
            s->kind = DIVIDED;
        bool block = s->kind == EXCHANGE || s->kind == DIVIDED, warp = s->kind == VOTE || s->kind == MEMBERS;
        bool deep = s->kind == IF || s->kind == LOOP;
        if ((block && where != BLOCK) || (warp && where == LANES) || (deep && depth > 3))
            continue;
        if (s->kind == LEAVE && (draw(p, 3) || depth > 2))
            continue;
        break;
    }
    s->by_warp = draw(p, 2);
    if (s->kind == IF) {
        enum where inner = s->by_warp && where != LANES ? WARP : LANES;
        s->body = make_list(p, inner, depth + 1);
        s->other = draw(p, 2) ? make_list(p, inner, depth + 1) : NULL;
    }
    if (s->kind == LOOP)
        s->body = make_list(p, s->by_warp ? where : LANES, depth + 1);
    return s;
}

static struct statement *make_list(struct program *p, enum where where, unsigned depth)
{
    struct statement *first = NULL, **at = &first;
    for (unsigned n = 1 + draw(p, depth ? 4 : 12); n-- && p->left; at = &(*at)->next) {
        p->left--;
        *at = make(p, where, depth);
    }
    return first;
}

static void free_list(struct statement *s)
{
    while (s) {
        struct statement *next = s->next;
        free_list(s->body);
        free_list(s->other);
        free(s);
        s = next;
    }
}

// The interpreter

struct machine {
    unsigned threads;
    uint32_t v[THREADS_MAX][VARS], shared[THREADS_MAX], counter[COUNTERS];
    bool gone[THREADS_MAX];
};

static uint32_t compute(unsigned op, uint32_t a, uint32_t b, uint32_t k)
{
    switch (op) {
    case 0:
        return a + b;
    case 1:
        return a - b * 3;
    case 2:
        return a * (b | 1);
    case 3:
        return a ^ (b >> (k & 7));
    case 4:
        return a < b ? a + k : b;
    default:
        return (a & 0xffff) + k;
    }
}

static uint32_t ballot_of(struct machine *m, const bool *active, unsigned warp, const struct statement *s)
{
    uint32_t bits = 0;
    for (unsigned t = warp * 32; t < warp * 32 + 32 && t < m->threads; t++)
        bits |= (uint32_t)(active[t] && !m->gone[t] && (m->v[t][s->a] >> (s->k & 3) & 1)) << (t % 32);
    return bits;
}

static void run_vote(struct machine *m, const bool *active, const struct statement *s)
{
    for (unsigned w = 0; w * 32 < m->threads; w++) {
        uint32_t bits = ballot_of(m, active, w, s), sum = 0, chosen = 0, all = 0;
        for (unsigned t = w * 32; t < w * 32 + 32 && t < m->threads; t++) {
            if (!active[t] || m->gone[t])
                continue;
            all |= 1u << t % 32;
            sum += m->v[t][s->b];
            chosen += bits >> (t % 32) & 1 ? m->v[t][s->b] : 0;
        }
        for (unsigned t = w * 32; t < w * 32 + 32 && t < m->threads; t++) {
            if (!active[t] || m->gone[t])
                continue;
            if (s->kind == VOTE)
                m->v[t][s->d] = s->op < 2 ? bits : s->op < 4 ? sum : (uint32_t)(bits == all) + 2 * (bits != 0);
            else if (bits >> (t % 32) & 1)
                m->v[t][s->d] = chosen + (s->op & 1 ? (uint32_t)__builtin_popcount(bits) : 0);
        }
    }
}

static void run_exchange(struct machine *m, const bool *active, const struct statement *s)
{
    uint32_t got[THREADS_MAX];
    for (unsigned t = 0; t < m->threads; t++)
        if (active[t] && !m->gone[t])
            m->shared[t] = m->v[t][s->b] + (s->kind == DIVIDED && !(m->v[t][s->a] & 1) ? 77 : 0);
    for (unsigned t = 0; t < m->threads; t++)
        got[t] = m->shared[(t + (s->kind == DIVIDED && !(m->v[t][s->a] & 1) ? s->op : s->k)) % m->threads];
    for (unsigned t = 0; t < m->threads; t++)
        if (active[t] && !m->gone[t])
            m->v[t][s->d] = got[t];
}

static void run_list(struct machine *m, const struct statement *s, const bool *active);

static void run_loop(struct machine *m, const struct statement *s, const bool *active)
{
    bool on[THREADS_MAX];
    uint32_t turns[THREADS_MAX];
    for (unsigned t = 0; t < m->threads; t++)
        turns[t] = s->by_warp ? 1 + s->k % 3 : m->v[t][s->a] & 3;
    for (uint32_t k = 0; k < 4; k++) {
        bool any = false;
        for (unsigned t = 0; t < m->threads; t++)
            any |= on[t] = active[t] && !m->gone[t] && k < turns[t];
        if (any)
            run_list(m, s->body, on);
    }
}

static void run_one(struct machine *m, const struct statement *s, const bool *active)
{
    bool yes[THREADS_MAX], no[THREADS_MAX];
    switch (s->kind) {
    case IF:
        for (unsigned t = 0; t < m->threads; t++) {
            bool c = s->by_warp ? (t / 32 + s->k) & 1 : m->v[t][s->a] >> (s->k & 3) & 1;
            yes[t] = active[t] && c;
            no[t] = active[t] && !c;
        }
        run_list(m, s->body, yes);
        run_list(m, s->other, no);
        return;
    case LOOP:
        run_loop(m, s, active);
        return;
    case EXCHANGE:
    case DIVIDED:
        run_exchange(m, active, s);
        return;
    case VOTE:
    case MEMBERS:
        run_vote(m, active, s);
        return;
    default:
        break;
    }
    for (unsigned t = 0; t < m->threads; t++) {
        uint32_t *v = m->v[t];
        if (!active[t] || m->gone[t] || s->kind == YIELD)
            continue;
        if (s->kind == SET)
            v[s->d] = compute(s->op, v[s->a], v[s->b], s->k);
        else if (s->kind == LEAVE)
            m->gone[t] = (v[s->a] & 15) == s->k % 16;
        else if (s->kind == LEADER)
            v[s->d] += 1;
        else
            m->counter[s->k % COUNTERS] += v[s->a];
    }
}

static void run_list(struct machine *m, const struct statement *s, const bool *active)
{
    for (; s; s = s->next)
        run_one(m, s, active);
}

// The same as code

struct emitter {
    LLVMContextRef c;
    LLVMModuleRef m;
    LLVMBuilderRef b;
    LLVMValueRef function, v[VARS], thread, lock, counter, shared;
    LLVMTypeRef i1, i32, ptr;
    LLVMBasicBlockRef end;
    unsigned threads;
};

static LLVMValueRef call(struct emitter *e, const char *name, LLVMTypeRef ret, LLVMValueRef *a, unsigned n, bool pure)
{
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(a[i]);
    LLVMTypeRef type = LLVMFunctionType(ret, types, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(e->m, name);
    if (!f) {
        const char *attribute = pure ? "willreturn" : "convergent";
        f = LLVMAddFunction(e->m, name, type);
        LLVMAddAttributeAtIndex(
            f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(e->c, LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)), 0));
    }
    return LLVMBuildCall2(e->b, type, f, a, n, "");
}

static LLVMValueRef number(struct emitter *e, uint32_t x)
{
    return LLVMConstInt(e->i32, x, 0);
}

static LLVMValueRef get(struct emitter *e, unsigned v)
{
    return LLVMBuildLoad2(e->b, e->i32, e->v[v], "");
}

static LLVMBasicBlockRef block(struct emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->c, e->function, "");
}

static void barrier(struct emitter *e)
{
    LLVMValueRef a[2] = {number(e, 0), number(e, 0)};
    call(e, "heddle.barrier", LLVMVoidTypeInContext(e->c), a, 2, false);
}

static void yield(struct emitter *e)
{
    call(e, "heddle.yield.block", LLVMVoidTypeInContext(e->c), NULL, 0, false);
}

static LLVMValueRef bit(struct emitter *e, unsigned v, unsigned k)
{
    LLVMValueRef x = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, get(e, v), number(e, k), ""), number(e, 1), "");
    return LLVMBuildICmp(e->b, LLVMIntNE, x, number(e, 0), "");
}

static LLVMValueRef word(struct emitter *e, LLVMValueRef base, LLVMValueRef index)
{
    LLVMValueRef i = LLVMBuildZExt(e->b, index, LLVMInt64TypeInContext(e->c), "");
    return LLVMBuildGEP2(e->b, e->i32, base, &i, 1, "");
}

static LLVMValueRef emit_compute(struct emitter *e, const struct statement *s)
{
    LLVMBuilderRef b = e->b;
    LLVMValueRef x = get(e, s->a), y = get(e, s->b), k = number(e, s->k);
    switch (s->op) {
    case 0:
        return LLVMBuildAdd(b, x, y, "");
    case 1:
        return LLVMBuildSub(b, x, LLVMBuildMul(b, y, number(e, 3), ""), "");
    case 2:
        return LLVMBuildMul(b, x, LLVMBuildOr(b, y, number(e, 1), ""), "");
    case 3:
        return LLVMBuildXor(b, x, LLVMBuildLShr(b, y, number(e, s->k & 7), ""), "");
    case 4:
        return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, x, y, ""), LLVMBuildAdd(b, x, k, ""), y, "");
    default:
        return LLVMBuildAdd(b, LLVMBuildAnd(b, x, number(e, 0xffff), ""), k, "");
    }
}

static void emit_list(struct emitter *e, const struct statement *s);

static void emit_if(struct emitter *e, LLVMValueRef c, const struct statement *yes, const struct statement *no)
{
    LLVMBasicBlockRef then = block(e), otherwise = block(e), join = block(e);
    LLVMBuildCondBr(e->b, c, then, otherwise);
    LLVMPositionBuilderAtEnd(e->b, then);
    emit_list(e, yes);
    LLVMBuildBr(e->b, join);
    LLVMPositionBuilderAtEnd(e->b, otherwise);
    emit_list(e, no);
    LLVMBuildBr(e->b, join);
    LLVMPositionBuilderAtEnd(e->b, join);
}

static void emit_loop(struct emitter *e, const struct statement *s)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b), head = block(e), body = block(e), done = block(e);
    LLVMValueRef zero = number(e, 0), turns = number(e, 1 + s->k % 3);
    if (!s->by_warp)
        turns = LLVMBuildAnd(e->b, get(e, s->a), number(e, 3), "");
    LLVMBuildBr(e->b, head);
    LLVMPositionBuilderAtEnd(e->b, head);
    LLVMValueRef i = LLVMBuildPhi(e->b, e->i32, "");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, i, turns, ""), body, done);
    LLVMPositionBuilderAtEnd(e->b, body);
    emit_list(e, s->body);
    LLVMValueRef next = LLVMBuildAdd(e->b, i, number(e, 1), "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, head);
    LLVMAddIncoming(i, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){before, from}, 2);
    LLVMPositionBuilderAtEnd(e->b, done);
}

static void emit_exchange_part(struct emitter *e, const struct statement *s, unsigned shift, uint32_t add)
{
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, get(e, s->b), number(e, add), ""), word(e, e->shared, e->thread));
    barrier(e);
    LLVMValueRef from =
        LLVMBuildURem(e->b, LLVMBuildAdd(e->b, e->thread, number(e, shift), ""), number(e, e->threads), "");
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i32, word(e, e->shared, from), ""), e->v[s->d]);
}

static void emit_exchange(struct emitter *e, const struct statement *s)
{
    if (s->kind == EXCHANGE) {
        emit_exchange_part(e, s, s->k, 0);
    } else {
        LLVMBasicBlockRef then = block(e), otherwise = block(e), join = block(e);
        LLVMBuildCondBr(e->b, bit(e, s->a, 0), then, otherwise);
        LLVMPositionBuilderAtEnd(e->b, then);
        emit_exchange_part(e, s, s->k, 0);
        LLVMBuildBr(e->b, join);
        LLVMPositionBuilderAtEnd(e->b, otherwise);
        if (s->by_warp)
            yield(e);
        emit_exchange_part(e, s, s->op, 77);
        LLVMBuildBr(e->b, join);
        LLVMPositionBuilderAtEnd(e->b, join);
    }
    barrier(e);
}

static LLVMValueRef collective(struct emitter *e, const char *name, LLVMTypeRef type, LLVMValueRef mask, LLVMValueRef x)
{
    LLVMValueRef a[2] = {mask, x};
    return call(e, name, type, a, 2, false);
}

static void emit_vote(struct emitter *e, const struct statement *s)
{
    LLVMValueRef full = number(e, UINT32_MAX), p = bit(e, s->a, s->k & 3), r;
    if (s->kind == VOTE) {
        if (s->op < 2) {
            r = collective(e, "heddle.vote.ballot", e->i32, full, p);
        } else if (s->op < 4) {
            r = collective(e, "heddle.redux.add", e->i32, full, get(e, s->b));
        } else {
            LLVMValueRef all = LLVMBuildZExt(e->b, collective(e, "heddle.vote.all", e->i1, full, p), e->i32, "");
            LLVMValueRef any = LLVMBuildZExt(e->b, collective(e, "heddle.vote.any", e->i1, full, p), e->i32, "");
            r = LLVMBuildAdd(e->b, all, LLVMBuildShl(e->b, any, number(e, 1), ""), "");
        }
        LLVMBuildStore(e->b, r, e->v[s->d]);
        return;
    }
    LLVMValueRef mask = collective(e, "heddle.vote.ballot", e->i32, full, p);
    LLVMBasicBlockRef then = block(e), join = block(e);
    LLVMBuildCondBr(e->b, p, then, join);
    LLVMPositionBuilderAtEnd(e->b, then);
    r = collective(e, "heddle.redux.add", e->i32, mask, get(e, s->b));
    if (s->op & 1)
        r = LLVMBuildAdd(e->b, r, collective(e, "heddle.redux.add", e->i32, mask, number(e, 1)), "");
    LLVMBuildStore(e->b, r, e->v[s->d]);
    LLVMBuildBr(e->b, join);
    LLVMPositionBuilderAtEnd(e->b, join);
}

// The active lanes count themselves in two ways, which agree whoever they are.
static void emit_leader(struct emitter *e, const struct statement *s)
{
    LLVMValueRef mask = call(e, "heddle.activemask", e->i32, NULL, 0, false);
    LLVMValueRef sum = collective(e, "heddle.redux.add", e->i32, mask, number(e, 1));
    LLVMTypeRef type = e->i32;
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->m, LLVMLookupIntrinsicID("llvm.ctpop", 10), &type, 1);
    LLVMValueRef count = LLVMBuildCall2(e->b, LLVMGlobalGetValueType(f), f, &mask, 1, "");
    LLVMValueRef same = LLVMBuildZExt(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, sum, count, ""), e->i32, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, get(e, s->d), same, ""), e->v[s->d]);
}

static void emit_lock(struct emitter *e, const struct statement *s)
{
    LLVMBasicBlockRef try = block(e), got = block(e);
    LLVMBuildBr(e->b, try);
    LLVMPositionBuilderAtEnd(e->b, try);
    LLVMValueRef x = LLVMBuildAtomicCmpXchg(e->b, e->lock, number(e, 0), number(e, 1), LLVMAtomicOrderingAcquire,
                                            LLVMAtomicOrderingMonotonic, 0);
    LLVMBuildCondBr(e->b, LLVMBuildExtractValue(e->b, x, 1, ""), got, try);
    LLVMPositionBuilderAtEnd(e->b, got);
    LLVMValueRef place = word(e, e->counter, number(e, s->k % COUNTERS));
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, LLVMBuildLoad2(e->b, e->i32, place, ""), get(e, s->a), ""), place);
    LLVMValueRef free = LLVMBuildStore(e->b, number(e, 0), e->lock);
    LLVMSetOrdering(free, LLVMAtomicOrderingRelease);
    LLVMSetAlignment(free, 4);
}

static void emit_one(struct emitter *e, const struct statement *s)
{
    LLVMBasicBlockRef on;
    LLVMValueRef c;
    switch (s->kind) {
    case SET:
        LLVMBuildStore(e->b, emit_compute(e, s), e->v[s->d]);
        break;
    case IF:
        c = bit(e, s->a, s->k & 3);
        if (s->by_warp)
            c = LLVMBuildTrunc(
                e->b, LLVMBuildAdd(e->b, LLVMBuildLShr(e->b, e->thread, number(e, 5), ""), number(e, s->k), ""), e->i1,
                "");
        emit_if(e, c, s->body, s->other);
        break;
    case LOOP:
        emit_loop(e, s);
        break;
    case LEAVE:
        on = block(e);
        c = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildAnd(e->b, get(e, s->a), number(e, 15), ""), number(e, s->k % 16),
                          "");
        LLVMBuildCondBr(e->b, c, e->end, on);
        LLVMPositionBuilderAtEnd(e->b, on);
        break;
    case EXCHANGE:
    case DIVIDED:
        emit_exchange(e, s);
        break;
    case VOTE:
    case MEMBERS:
        emit_vote(e, s);
        break;
    case LEADER:
        emit_leader(e, s);
        break;
    case LOCK:
        emit_lock(e, s);
        break;
    case YIELD:
        yield(e);
        break;
    default:
        LLVMBuildAtomicRMW(e->b, LLVMAtomicRMWBinOpAdd, word(e, e->counter, number(e, s->k % COUNTERS)), get(e, s->a),
                           LLVMAtomicOrderingMonotonic, 0);
        break;
    }
}

static void emit_list(struct emitter *e, const struct statement *s)
{
    for (; s; s = s->next)
        emit_one(e, s);
}

static LLVMValueRef parameter(struct emitter *e, unsigned index)
{
    LLVMTypeRef constant = LLVMPointerTypeInContext(e->c, 4);
    LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(e->c), 8 * index, 0);
    LLVMValueRef p = call(e, "heddle.args", constant, NULL, 0, true);
    return LLVMBuildLoad2(e->b, e->ptr, LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), p, &at, 1, ""), "");
}

static LLVMModuleRef emit_program(const struct program *p, LLVMContextRef c, unsigned threads)
{
    struct emitter e = {.c = c, .m = LLVMModuleCreateWithNameInContext("fuzz", c), .b = LLVMCreateBuilderInContext(c)};
    e.i1 = LLVMInt1TypeInContext(c);
    e.i32 = LLVMInt32TypeInContext(c);
    e.ptr = LLVMPointerTypeInContext(c, 0);
    e.threads = threads;
    LLVMTypeRef none = LLVMVoidTypeInContext(c);
    e.function = LLVMAddFunction(e.m, "fuzz", LLVMFunctionType(none, NULL, 0, 0));
    LLVMPositionBuilderAtEnd(e.b, block(&e));
    e.end = block(&e);
    e.thread = call(&e, "heddle.tid.x", e.i32, NULL, 0, true);
    LLVMValueRef ctaid = call(&e, "heddle.ctaid.x", e.i32, NULL, 0, true);
    LLVMValueRef index = LLVMBuildAdd(e.b, LLVMBuildMul(e.b, ctaid, number(&e, threads), ""), e.thread, "");
    LLVMValueRef in = parameter(&e, 0), out = parameter(&e, 2);
    e.counter = parameter(&e, 3);
    e.lock = word(&e, e.counter, number(&e, COUNTERS));
    e.shared = call(&e, "heddle.shared", LLVMPointerTypeInContext(c, 3), NULL, 0, true);
    LLVMValueRef start[3] = {LLVMBuildLoad2(e.b, e.i32, word(&e, in, index), ""), e.thread,
                             call(&e, "heddle.laneid", e.i32, NULL, 0, true)};
    for (unsigned i = 0; i < VARS; i++) {
        e.v[i] = LLVMBuildAlloca(e.b, e.i32, "");
        LLVMBuildStore(e.b, i < 3 ? start[i] : number(&e, i * 11), e.v[i]);
    }
    LLVMBuildStore(e.b, number(&e, 0), word(&e, e.shared, e.thread));
    barrier(&e);
    emit_list(&e, p->list);
    LLVMValueRef hash = number(&e, 17);
    for (unsigned i = 0; i < VARS; i++)
        hash = LLVMBuildAdd(e.b, LLVMBuildMul(e.b, hash, number(&e, 31), ""), get(&e, i), "");
    LLVMBuildStore(e.b, hash, word(&e, out, index));
    LLVMBuildBr(e.b, e.end);
    LLVMPositionBuilderAtEnd(e.b, e.end);
    LLVMBuildRetVoid(e.b);
    LLVMDisposeBuilder(e.b);
    return e.m;
}

// Comparison

static uint32_t in[THREADS_MAX * BLOCKS], out[THREADS_MAX * BLOCKS], want[THREADS_MAX * BLOCKS], counters[COUNTERS + 1],
    want_counters[COUNTERS];

static void interpret(const struct program *p, unsigned threads)
{
    memset(want, 0, sizeof want);
    memset(want_counters, 0, sizeof want_counters);
    for (unsigned b = 0; b < BLOCKS; b++) {
        static struct machine m;
        bool all[THREADS_MAX];
        memset(&m, 0, sizeof m);
        m.threads = threads;
        for (unsigned t = 0; t < threads; t++) {
            all[t] = true;
            for (unsigned i = 0; i < VARS; i++)
                m.v[t][i] = i * 11;
            m.v[t][0] = in[b * threads + t];
            m.v[t][1] = t;
            m.v[t][2] = t % 32;
        }
        run_list(&m, p->list, all);
        for (unsigned t = 0; t < threads; t++) {
            uint32_t hash = 17;
            for (unsigned i = 0; i < VARS; i++)
                hash = hash * 31 + m.v[t][i];
            want[b * threads + t] = m.gone[t] ? 0 : hash;
        }
        for (unsigned i = 0; i < COUNTERS; i++)
            want_counters[i] += m.counter[i];
    }
}

static bool run_code(const struct program *p, unsigned threads, enum harness_lanes lanes, unsigned width, bool generic)
{
    LLVMContextRef c = LLVMContextCreate();
    struct harness_kernel k;
    unsigned shape[3] = {threads, 1, 1}, any[3] = {0, 0, 0}, grid[3] = {BLOCKS, 1, 1};
    bool ok = harness_compile_module(&k, c, emit_program(p, c, threads), "fuzz", lanes, width, generic ? any : shape);
    if (getenv("RESUME_SHOW"))
        printf("%u threads, width %2u: %u regions, %u slots, %u raw, %u yields\n", threads, width, k.regions, k.slots,
               k.raw_slots, k.yields);
    if (ok) {
        memset(out, 0, sizeof out);
        memset(counters, 0, sizeof counters);
        struct harness_params params = {in, NULL, out, counters, 0, 0};
        ok = harness_run(&k, grid, shape, &params) != 0;
        ok = ok && !memcmp(out, want, sizeof out) && !memcmp(counters, want_counters, sizeof want_counters);
    }
    harness_destroy(&k);
    return ok;
}

static void test_seed(uint32_t seed)
{
    static const unsigned sizes[] = {32, 64, 45, 128, 96, 7};
    struct program p = {.seed = seed * 2654435761u + 1, .left = 40};
    unsigned threads = sizes[draw(&p, 6)];
    p.phases = seed % 3 == 0;
    p.list = make_list(&p, BLOCK, 0);
    for (unsigned i = 0; i < THREADS_MAX * BLOCKS; i++)
        in[i] = draw(&p, 1 << 16);
    interpret(&p, threads);
    bool generic = draw(&p, 4) == 0;
    static const struct {
        enum harness_lanes lanes;
        unsigned width;
    } configurations[] = {
        {HARNESS_SCALAR, 8}, {HARNESS_VECTOR, 1}, {HARNESS_VECTOR, 8}, {HARNESS_VECTOR, 16}, {HARNESS_VECTOR, 32},
    };
    enum { COUNT = sizeof configurations / sizeof *configurations };
    for (unsigned k = 0; k < COUNT; k++) {
        if (!test_takes(seed, k, COUNT))
            continue;
        bool ok = run_code(&p, threads, configurations[k].lanes, configurations[k].width, generic);
        if (!ok)
            fprintf(stderr, "seed %u, %u threads, width %u%s%s: wrong\n", seed, threads, configurations[k].width,
                    configurations[k].lanes == HARNESS_SCALAR ? ", lane after lane" : "", generic ? ", any shape" : "");
        CHECK(ok);
    }
    free_list(p.list);
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1, n = argc > 2 ? (unsigned)atoi(argv[2]) : 25;
    for (unsigned i = 0; i < n; i++)
        test_seed(first + i);
    return test_summary();
}
