// SPDX-License-Identifier: Apache-2.0
// One access of a warp: what it takes, by the rules of NVIDIA's guides.
//
// Global and local memory moves in sectors of 32 bytes. Atomics on one word take turns, each of which names its sectors anew. Shared memory has
// 32 banks of 4 bytes: threads that name different words of one bank take turns, of one word they share it. Accesses of 8 bytes a thread are
// made by halves of the warp, of 16 bytes by quarters; two of these are one pass where all threads in them have the address of their neighbour, or
// of the one after it, as an H200 does it (tests/ncu/compare). Local memory lies such that words at one offset are side by side for the lanes. Older
// GPUs look at halves of a warp (compute capability 1.x) or at lines of 128 bytes.
#include "device/count/count.h"
#include "device/sched/runner.h"
#include "jit/abi/cluster.h"
#include <string.h>

enum { SECTOR = COUNT_SECTOR, LINE = 128, BANKS = 32, OLD_BANKS = 16, LANES = 32, WORDS_MOST = LANES * 8 };

// A set of few numbers, which mostly come in their order.
struct set {
    unsigned n;
    uint64_t at[WORDS_MOST];
};

static void set_add(struct set *s, uint64_t x)
{
    for (unsigned i = s->n; i-- > 0;)
        if (s->at[i] == x)
            return;
    if (s->n < WORDS_MOST)
        s->at[s->n++] = x;
}

// unit: a power of two.
static void add_range(struct set *s, uint64_t address, uint32_t bytes, uint32_t unit)
{
    unsigned shift = (unsigned)__builtin_ctz(unit);
    for (uint64_t x = address >> shift; x <= (address + bytes - 1) >> shift; x++)
        set_add(s, x);
}

// Lanes that move together, so many of them at once.
static uint32_t part_of(uint32_t lanes, unsigned part, unsigned size)
{
    return size == LANES ? lanes : lanes & (((1u << size) - 1) << part * size);
}

static unsigned lanes_at_once(uint32_t bytes)
{
    return bytes <= 4 ? LANES : bytes <= 8 ? LANES / 2 : bytes <= 16 ? LANES / 4 : LANES / 8;
}

// ---- global memory
static void find_sectors(struct set *s, const struct count_access *a, uint32_t lanes, uint32_t bytes, uint32_t unit)
{
    s->n = 0;
    FOR_LANES(lanes, l)
    {
        add_range(s, a->address[l], bytes, unit);
    }
}

static unsigned sectors_of(const struct count_access *a, uint32_t lanes, uint32_t bytes, uint32_t unit)
{
    struct set s;
    find_sectors(&s, a, lanes, bytes, unit);
    return s.n;
}

// Of an atomic: lanes with one address take turns.
static unsigned sectors_in_turns(const struct count_access *a, uint32_t lanes, uint32_t bytes)
{
    unsigned n = 0;
    while (lanes) {
        struct set named = {.n = 0};
        uint32_t turn = 0;
        FOR_LANES(lanes, l)
        {
            unsigned before = named.n;
            set_add(&named, a->address[l]);
            turn |= named.n > before ? 1u << l : 0;
        }
        n += sectors_of(a, turn, bytes, SECTOR);
        lanes &= ~turn;
    }
    return n;
}

// Lines of 128 bytes, by the parts of the warp that go together.
static unsigned lines_of(const struct count_access *a, uint32_t lanes, uint32_t bytes)
{
    unsigned size = lanes_at_once(bytes), n = 0;
    for (unsigned p = 0; p < LANES / size; p++)
        n += sectors_of(a, part_of(lanes, p, size), bytes, LINE);
    return n;
}

// Compute capability 1.0 and 1.1: half a warp is one transaction, or two of 128 bytes, where thread k names word k of a segment that is
// aligned to its size; else each thread is one.
static unsigned transactions_10(const struct count_access *a, uint32_t lanes, uint32_t bytes)
{
    unsigned n = 0;
    for (unsigned half = 0; half < 2; half++) {
        uint32_t part = part_of(lanes, half, LANES / 2);
        if (!part)
            continue;
        uint32_t first = (uint32_t)__builtin_ctz(part);
        uint64_t base = a->address[first] - (uint64_t)(first % 16) * bytes;
        bool in_order = (bytes == 4 || bytes == 8 || bytes == 16) && base % (16 * bytes) == 0;
        FOR_LANES(part, l)
        in_order &= a->address[l] == base + (uint64_t)(l % 16) * bytes;
        n += in_order ? (bytes == 16 ? 2 : 1) : (unsigned)__builtin_popcount(part);
    }
    return n;
}

// 1.2 and 1.3: the segment of the lowest active thread serves all threads of the half warp whose addresses lie in it.
static unsigned transactions_12(const struct count_access *a, uint32_t lanes, uint32_t bytes)
{
    unsigned shift = bytes == 1 ? 5 : bytes == 2 ? 6 : 7; // segments of 32, 64 or 128 bytes
    unsigned n = 0;
    for (unsigned half = 0; half < 2; half++)
        for (uint32_t part = part_of(lanes, half, LANES / 2); part; n++) {
            uint64_t at = a->address[__builtin_ctz(part)] >> shift;
            FOR_LANES(part, l)
            part &= a->address[l] >> shift == at ? ~(1u << l) : UINT32_MAX;
        }
    return n;
}

// Sectors of an access that is like another one, from its own first address.
static void cache_like(struct count_blocks *s, const struct count_like *e, uint64_t base, bool load)
{
    uint64_t at[LIKE_SECTORS_MOST];
    for (unsigned i = 0; i < e->nsectors; i++)
        at[i] = base / SECTOR + (uint64_t)(int64_t)e->sector[i];
    count_cached(s, at, e->nsectors, load);
}

// Into the entry; false: it cannot hold them.
static bool keep_sectors(struct count_like *e, const struct set *named, uint64_t base)
{
    e->nsectors = named->n;
    for (unsigned i = 0; i < named->n && i < LIKE_SECTORS_MOST; i++) {
        int64_t far = (int64_t)(named->at[i] - base / SECTOR);
        e->sector[i] = (int32_t)far;
        if (far != e->sector[i])
            return false;
    }
    return named->n <= LIKE_SECTORS_MOST;
}

// From one field to another: those of one kind of memory follow each other.
static inline void add_fields(uint64_t *f, const struct count_like *e, enum count_field from, enum count_field to)
{
    for (unsigned i = from; i <= to; i++)
        f[i] += e->add[i];
}

static void count_global(struct count_blocks *s, const struct count_access *a, uint32_t lanes, uint32_t bytes,
                         enum count_op op)
{
    enum { PHASE = 256 };
    bool atomic = op == COUNT_OP_ATOM || op == COUNT_OP_RED, known;
    uint64_t base = a->address[__builtin_ctz(lanes)];
    struct count_like *e = count_like_of(s, a, lanes, base % PHASE, &known);
    if (known) {
        cache_like(s, e, base, op == COUNT_OP_LOAD);
        add_fields(s->tally->insn[a->insn], e, COUNT_GLOBAL_REQUESTS, COUNT_GLOBAL_CC20);
        return;
    }
    uint16_t *f = e->add;
    struct set named;
    find_sectors(&named, a, lanes, bytes, SECTOR);
    count_cached(s, named.at, named.n, op == COUNT_OP_LOAD);
    unsigned threads = (unsigned)__builtin_popcount(lanes);
    unsigned sectors = named.n, moved = (threads * bytes + SECTOR - 1) / SECTOR;
    f[COUNT_GLOBAL_REQUESTS] = 1;
    f[COUNT_GLOBAL_THREADS] = (uint16_t)threads;
    f[COUNT_GLOBAL_SECTORS] = (uint16_t)sectors;
    f[COUNT_GLOBAL_TURNS] = (uint16_t)(atomic ? sectors_in_turns(a, lanes, bytes) : 0);
    f[COUNT_GLOBAL_IDEAL] = (uint16_t)(sectors < moved ? sectors : moved);
    f[COUNT_GLOBAL_CC10] = (uint16_t)transactions_10(a, lanes, bytes);
    f[COUNT_GLOBAL_CC12] = (uint16_t)transactions_12(a, lanes, bytes);
    f[COUNT_GLOBAL_CC20] = (uint16_t)lines_of(a, lanes, bytes);
    add_fields(s->tally->insn[a->insn], e, COUNT_GLOBAL_REQUESTS, COUNT_GLOBAL_CC20);
    if (!keep_sectors(e, &named, base))
        e->lanes = 0; // it is like no other
}

// ---- shared memory
// Passes over the banks that these lanes take; turns: threads that name one word take turns too. Words lie in a list for each bank.
static unsigned passes(const struct count_access *a, uint32_t lanes, uint32_t bytes, unsigned banks, bool turns)
{
    enum { WORDS = LANES * 8, NONE = 0xffff };
    uint64_t word[WORDS];
    uint16_t next[WORDS], first[BANKS];
    uint8_t n[BANKS] = {0};
    unsigned len = 0, most = 0;
    uint64_t before = UINT64_MAX; // the address of the lane before
    memset(first, 0xff, sizeof first);
    FOR_LANES(lanes, l)
    {
        if (a->address[l] == before && !turns)
            continue;
        before = a->address[l];
        for (uint64_t w = a->address[l] / 4; w <= (a->address[l] + bytes - 1) / 4; w++) {
            unsigned bank = (unsigned)w & (banks - 1);
            uint16_t i = turns ? NONE : first[bank];
            while (i != NONE && word[i] != w)
                i = next[i];
            if (i != NONE || len == WORDS)
                continue;
            word[len] = w;
            next[len] = first[bank];
            first[bank] = (uint16_t)len++;
            n[bank]++;
            most = n[bank] > most ? n[bank] : most;
        }
    }
    return most;
}

// Whether all lanes have the address of the lane whose number differs in this bit.
static bool is_paired(const struct count_access *a, uint32_t lanes, uint32_t bit)
{
    FOR_LANES(lanes, l)
    if (lanes >> (l ^ bit) & 1 && a->address[l] != a->address[l ^ bit])
        return false;
    return true;
}

static void find_passes(uint16_t *f, const struct count_access *a, uint32_t lanes, uint32_t bytes, bool atomic)
{
    unsigned size = lanes_at_once(bytes);
    f[COUNT_SHARED_REQUESTS] = 1;
    f[COUNT_SHARED_THREADS] = (uint16_t)__builtin_popcount(lanes);
    for (unsigned p = 0; p < LANES / size; p++) {
        uint32_t part = part_of(lanes, p, size);
        uint32_t two = size < LANES && p % 2 == 0 ? part_of(lanes, p / 2, size * 2) : 0;
        if (two && (is_paired(a, two, 1) || is_paired(a, two, 2))) {
            part = two;
            p++;
        }
        f[COUNT_SHARED_WAVEFRONTS] += (uint16_t)passes(a, part, bytes, BANKS, atomic);
        f[COUNT_SHARED_IDEAL] += part != 0;
    }
    for (unsigned half = 0; half < 2; half++) { // 16 banks serve half a warp
        uint32_t part = part_of(lanes, half, LANES / 2);
        f[COUNT_SHARED_BANKS16] += (uint16_t)passes(a, part, bytes, OLD_BANKS, atomic);
        f[COUNT_SHARED_IDEAL16] += part != 0;
    }
}

static void count_shared(struct count_blocks *s, const struct count_access *a, uint32_t lanes, uint32_t bytes,
                         bool atomic)
{
    enum { PHASE = 4 };
    const uint32_t OWN = 1u << 31; // generic accesses to global memory have other phases
    bool known;
    uint32_t phase = (uint32_t)(a->address[__builtin_ctz(lanes)] % PHASE) | OWN;
    struct count_like *e = count_like_of(s, a, lanes, phase, &known);
    if (!known)
        find_passes(e->add, a, lanes, bytes, atomic);
    add_fields(s->tally->insn[a->insn], e, COUNT_SHARED_REQUESTS, COUNT_SHARED_IDEAL16);
}

// ---- local memory: where the bytes of a lane lie in the warp's
static void count_local(uint64_t *f, const struct count_access *a, uint32_t lanes, uint32_t bytes,
                        const uint64_t *offset)
{
    struct set s = {.n = 0};
    FOR_LANES(lanes, l)
    for (uint64_t at = offset[l] & ~UINT64_C(3); at < offset[l] + bytes; at += 4)
        set_add(&s, (at / 4 * LANES + l) * 4 / SECTOR);
    (void)a;
    f[COUNT_LOCAL_REQUESTS]++;
    f[COUNT_LOCAL_THREADS] += (unsigned)__builtin_popcount(lanes);
    f[COUNT_LOCAL_SECTORS] += s.n;
}

// ---- which memory a generic address names
static bool is_shared(const struct count_blocks *s, uint64_t address)
{
    const struct jit_block *b = s->block;
    const struct resident *r = b->engine;
    return address - (uint64_t)(uintptr_t)r->shared_map < r->shared_map_size ||
           (b->cluster && b->cluster->blocks > 1 &&
            (address - (uint64_t)(uintptr_t)b->window) >> JIT_WINDOW_SHIFT < b->cluster->blocks);
}

static bool find_local(const struct count_blocks *s, const struct count_warp *w, uint32_t lane, uint64_t address,
                       uint64_t *offset)
{
    const struct count_plan *p = s->plan;
    for (size_t i = 0; w->local && i < p->locals.len; i++) {
        uint64_t base = w->local[lane * p->locals.len + i];
        if (base && address - base < p->locals.data[i].var->size) {
            *offset = p->locals.data[i].offset + (address - base);
            return true;
        }
    }
    return false;
}

// ---- a matrix, which the warp moves together: pieces at a stride of so many elements. Which thread has which of its elements is not said by the
// PTX manual, so that of shared memory only the request is counted, and of global memory each sector once.
static void count_matrix(struct count_blocks *s, const struct count_access *a, uint64_t address, uint64_t stride)
{
    const struct count_insn *c = &s->plan->insns.data[a->insn];
    enum ptx_space space = c->in->space;
    unsigned threads = (unsigned)__builtin_popcount(a->lanes);
    uint64_t *f = s->tally->insn[a->insn];
    if (ptx_space_is_shared(space) || (space == PTX_SPACE_GENERIC && is_shared(s, address))) {
        f[COUNT_SHARED_REQUESTS]++;
        f[COUNT_SHARED_THREADS] += threads;
        return;
    }
    struct set named = {.n = 0};
    for (unsigned i = 0; i < c->matrix.pieces; i++)
        add_range(&named, address + i * stride * c->matrix.element, c->matrix.bytes, SECTOR);
    count_cached(s, named.at, named.n, c->op == COUNT_OP_LOAD);
    unsigned moved = ((unsigned)c->matrix.pieces * c->matrix.bytes + SECTOR - 1) / SECTOR;
    f[COUNT_GLOBAL_REQUESTS]++;
    f[COUNT_GLOBAL_THREADS] += threads;
    f[COUNT_GLOBAL_SECTORS] += named.n;
    f[COUNT_GLOBAL_IDEAL] += named.n < moved ? named.n : moved;
}

void count_memory(struct count_blocks *s, struct count_warp *w, const struct count_access *a)
{
    const struct count_insn *c = &s->plan->insns.data[a->insn];
    if (c->matrix.pieces) { // all lanes tell the same: first the address, then the stride
        uint64_t number = a->address[__builtin_ctz(a->lanes)];
        if (a->kind == COUNT_ACCESS)
            w->matrix = number;
        else
            count_matrix(s, a, w->matrix, number);
        return;
    }
    enum ptx_space space = c->in->op != PTX_OP_CP    ? c->in->space
                           : a->kind == COUNT_TARGET ? PTX_SPACE_SHARED
                                                     : PTX_SPACE_GLOBAL;
    uint32_t lanes = a->lanes & c->lanes, global = space == PTX_SPACE_GLOBAL ? lanes : 0,
             shared = ptx_space_is_shared(space) ? lanes : 0, local = 0;
    uint64_t offset[LANES];
    FOR_LANES(lanes & ~(global | shared), l)
    {
        offset[l] = 0;
        if (space == PTX_SPACE_GENERIC && is_shared(s, a->address[l]))
            shared |= 1u << l;
        else if (find_local(s, w, l, a->address[l], &offset[l]) || space == PTX_SPACE_LOCAL)
            local |= 1u << l;
        else
            global |= 1u << l;
    }
    uint64_t *f = s->tally->insn[a->insn];
    bool atomic = c->op == COUNT_OP_ATOM || c->op == COUNT_OP_RED, turns = atomic && !c->merges;
    if (global)
        count_global(s, a, global, c->bytes, (enum count_op)c->op);
    if (shared)
        count_shared(s, a, shared, c->bytes, turns);
    if (local)
        count_local(f, a, local, c->bytes, offset);
}
