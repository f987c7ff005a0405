// SPDX-License-Identifier: Apache-2.0
// memcheck and initcheck: what the code of a gang asks about an access that is not known to be right (jit/gang/memory/check.c).
//
// An access is right where all its bytes lie in one allocation, and that is the one that its address is computed from, where that is known.
// What lies in no allocation is wrong where it is certain that the program may not go there: behind or before an allocation that
// the address comes from, in a red zone, in memory that was freed, on the first pages or where nothing is mapped. Kernels may read
// memory of the host that no call has made known, as the device says of itself.
#include "base/os.h"
#include "device/check/report.h"
#include "device/fault/fault.h"
#include "device/hook/hooks.h"
#include "device/sched/launch_op.h"
#include "device/sched/runner.h"
#include "jit/abi/cluster.h"
#include <string.h>
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NULL_PAGES = 64 << 10, PAGE = 4096 };

enum verdict { RIGHT, MISALIGNED, OUTSIDE, FREED, FOREIGN, OUTSIDE_SHARED, NOWHERE };
struct finding {
    enum verdict verdict;
    struct memory_range near;  // what it is outside of, or inside
    struct memory_range other; // FOREIGN: where the address leads
    uint64_t first, end;       // RIGHT: accesses in there are; end 0: it is not known for others
};

static bool in_block(const struct jit_block *b, uint64_t address, uint32_t size)
{
    uint64_t at = address - (uint64_t)(uintptr_t)b->window, rank = at >> JIT_WINDOW_SHIFT;
    at &= (1u << JIT_WINDOW_SHIFT) - 1;
    return rank < b->cluster->blocks && at + size <= b->shared_bytes;
}

static bool is_shared_map(const struct jit_block *b, uint64_t address)
{
    const struct resident *r = b->engine;
    return address - (uint64_t)(uintptr_t)r->shared_map < r->shared_map_size ||
           (b->cluster->blocks > 1 &&
            (address - (uint64_t)(uintptr_t)b->window) >> JIT_WINDOW_SHIFT < b->cluster->blocks);
}

// Memory of the engine that kernels may reach: parameters, the workspace of a cooperative grid, local memory.
static bool in_engine(const struct jit_block *b, const struct check_launch *c, uint64_t address, uint32_t size)
{
    const struct jit_launch *l = b->launch;
    const struct resident *r = b->engine;
    uint64_t workspace = (uint64_t)l->envreg[1] << 32 | l->envreg[2];
    return address - (uint64_t)(uintptr_t)c->args + size <= c->args_size ||
           (workspace && address - workspace + size <= 64) || address - (uint64_t)(uintptr_t)b->frame < r->frame_size ||
           stack_holds(r, address);
}

// Where the process may not look at memory by a system call, as in an emulator, it is asked whether there is any.
static bool is_readable(uint64_t address, uint32_t size)
{
    char bytes[64];
    struct iovec to = {bytes, size}, from = {(void *)(uintptr_t)address, size};
    ssize_t n = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    return n == (ssize_t)size || (n < 0 && errno != EFAULT && os_is_mapped(from.iov_base, size));
}

// Behind an allocation of the device's, on its last page, which nobody else has.
static bool is_tail(uint64_t address)
{
    struct memory_range r;
    if (!memory_nearest((void *)(uintptr_t)address, &r) || r.adopted)
        return false;
    uint64_t end = (uint64_t)(uintptr_t)r.base + r.size;
    return address >= end && address < ((end + PAGE - 1) & ~(uint64_t)(PAGE - 1));
}

static bool same_mapping(const struct memory_range *a, const struct memory_range *b)
{
    return a->base == b->base || a->adopted || b->adopted; // reservations are mapped piece by piece
}

static void find(const struct jit_block *b, const struct check_launch *c, uint32_t what, uint64_t address,
                 uint64_t origin, struct finding *f)
{
    uint32_t size = check_size(what);
    struct memory_range r, from;
    bool has_origin = origin && memory_find((void *)(uintptr_t)origin, &from);
    *f = (struct finding){.verdict = RIGHT};
    if (address & (check_align(what) - 1)) {
        memory_find((void *)(uintptr_t)address, &f->near);
        f->verdict = MISALIGNED;
        return;
    }
    // What is computed from an allocation never comes to shared memory, which may lie right beside it.
    bool global = check_space(what) == CHECK_GLOBAL || has_origin;
    if (check_space(what) == CHECK_SHARED || (!global && is_shared_map(b, address))) {
        f->verdict = in_block(b, address, size) ? RIGHT : OUTSIDE_SHARED;
        return;
    }
    if (memory_find((void *)(uintptr_t)address, &r)) {
        uint64_t first = (uint64_t)(uintptr_t)r.base;
        if (has_origin && !same_mapping(&r, &from)) {
            *f = (struct finding){.verdict = FOREIGN, .near = from, .other = r};
        } else if (address + size > first + r.size && !(what & CHECK_WORD)) {
            struct memory_range next;
            if (!r.adopted || !memory_find((void *)(uintptr_t)(first + r.size), &next))
                *f = (struct finding){.verdict = OUTSIDE, .near = r};
        } else {
            *f = (struct finding){.verdict = RIGHT, .near = r, .first = first, .end = first + r.size};
        }
        return;
    }
    if (memory_freed((void *)(uintptr_t)address, &f->near)) {
        f->verdict = FREED;
    } else if (in_engine(b, c, address, size)) {
        return;
    } else if (has_origin && !from.adopted) {
        f->verdict = OUTSIDE;
        f->near = from;
    } else if (address < NULL_PAGES || is_shared_map(b, address) || memory_is_spare((void *)(uintptr_t)address) ||
               is_tail(address) || !is_readable(address, size)) {
        f->verdict = memory_nearest((void *)(uintptr_t)address, &f->near) ? OUTSIDE : NOWHERE;
    } else {
        f->first = address & ~(uint64_t)(PAGE - 1);
        f->end = f->first + PAGE;
    }
}

// Where an address lies, seen from an allocation.
static void add_distance(struct sanitizer_report *r, uint64_t address, const struct memory_range *near,
                         const char *what)
{
    uint64_t base = (uint64_t)(uintptr_t)near->base, end = base + near->size;
    unsigned long long n = address < base ? base - address : address >= end ? address - end + 1 : 0;
    if (n)
        sanitizer_add(r, "L\tand is %llu bytes %s the %s at 0x%llx of size %zu bytes\n", n,
                      address < base ? "before" : "after", what, (unsigned long long)base, near->size);
    else
        sanitizer_add(r, "L\tand is inside the %s at 0x%llx of size %zu bytes\n", what, (unsigned long long)base,
                      near->size);
}

static void add_finding(struct sanitizer_report *r, const struct jit_block *b, uint64_t address,
                        const struct finding *f)
{
    bool shared = f->verdict == OUTSIDE_SHARED;
    uint64_t shown = shared ? address - (uint64_t)(uintptr_t)b->window : address;
    sanitizer_add(r, "L\tAccess at 0x%llx is %s\n", (unsigned long long)shown,
                  f->verdict == MISALIGNED ? "misaligned" : "out of bounds");
    switch (f->verdict) {
    case MISALIGNED:
        if (f->near.size)
            add_distance(r, address, &f->near, "nearest allocation");
        break;
    case OUTSIDE:
        add_distance(r, address, &f->near, "nearest allocation");
        break;
    case FREED:
        add_distance(r, address, &f->near, "allocation, freed before,");
        break;
    case FOREIGN:
        add_distance(r, address, &f->near, "allocation that its pointer leads to");
        add_distance(r, address, &f->other, "other allocation");
        break;
    case OUTSIDE_SHARED:
        if (shown >= b->shared_bytes && b->cluster->blocks == 1)
            sanitizer_add(r, "L\tand is %llu bytes after the block's shared memory of size %u bytes\n",
                          (unsigned long long)(shown - b->shared_bytes + 1), b->shared_bytes);
        break;
    default:
        break;
    }
}

static void report(const struct jit_block *b, const struct check_launch *c, uint32_t what, uint32_t thread,
                   uint64_t address, const struct finding *f, const void *pc)
{
    static const char *const kinds[] = {"read", "write", "atomic"};
    uint32_t space = f->verdict == OUTSIDE_SHARED ? CHECK_SHARED : check_space(what);
    struct sanitizer_report *r = check_report("error", "Invalid %s%s of size %u bytes", check_space_name(space),
                                              kinds[check_kind(what)], check_size(what));
    check_report_at(r, c, pc);
    check_report_thread(r, b, thread);
    if (r)
        add_finding(r, b, address, f);
    check_report_end(r, c);
}

// An error ends the kernel: the lanes of one gang are told, as a GPU does of a warp. Others that run meanwhile end too.
_Noreturn static void end_kernel(uint32_t thread, const void *pc)
{
    fault_raise(FAULT_CHECKED, thread, pc);
}

static void report_uninitialised(const struct jit_block *b, const struct check_launch *c, uint32_t what,
                                 uint32_t thread, uint64_t address, const struct finding *f, const void *pc)
{
    struct sanitizer_report *r =
        check_report("error", "Uninitialized __global__ memory read of size %u bytes", check_size(what));
    check_report_at(r, c, pc);
    check_report_thread(r, b, thread);
    if (r) {
        sanitizer_add(r, "L\tAddress 0x%llx\n", (unsigned long long)address);
        add_distance(r, address, &f->near, "allocation");
    }
    check_report_end(r, c);
}

// initcheck: the bytes that are read were written, those that are written now are. The lanes' addresses are in what was found. False: what the site
// may do is not known.
static bool look_initialised(const struct jit_block *b, const struct check_launch *c, uint32_t what, uint32_t first,
                             uint32_t lanes, const uint64_t *addresses, const struct finding *f, const void *pc)
{
    bool full = true;
    if (!f->end || f->verdict != RIGHT || !f->near.base || what & CHECK_WORD)
        return false;
    const struct check_init i = {.lanes = lanes,
                                 .size = check_size(what),
                                 .reads = check_kind(what) != CHECK_WRITE,
                                 .writes = check_kind(what) != CHECK_READ,
                                 .address = addresses};
    for (uint32_t bad = check_init_touch(&f->near, &i, &full); bad; bad &= bad - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bad);
        report_uninitialised(b, c, what, first + lane, addresses[lane], f, pc);
    }
    return full;
}

// The same of the block's own shared memory. False: it is other memory.
static bool look_shared(const struct jit_block *b, const struct check_launch *c, uint32_t what, uint32_t thread,
                        uint64_t address, const void *pc)
{
    uint64_t at = address - (uint64_t)(uintptr_t)b->shared;
    uint32_t size = check_size(what);
    if (at >= b->shared_bytes)
        return is_shared_map(b, address);
    if (at + size > b->shared_bytes || b->cluster->blocks > 1 || what & CHECK_WORD)
        return true; // others of the cluster may write it
    if (check_kind(what) != CHECK_WRITE && !init_shared_read(b, (uint32_t)at, size)) {
        struct sanitizer_report *r =
            check_report("error", "Uninitialized __shared__ memory read of size %u bytes", size);
        check_report_at(r, c, pc);
        check_report_thread(r, b, thread);
        if (r)
            sanitizer_add(r, "L\tAddress 0x%llx\n", (unsigned long long)at);
        check_report_end(r, c);
    }
    if (check_kind(what) != CHECK_READ)
        init_shared_write(b, (uint32_t)at, size);
    return true;
}

static bool is_within(const struct finding *f, uint32_t what, uint64_t address)
{
    return f->end && address >= f->first && address + check_size(what) <= f->end &&
           !(address & (check_align(what) - 1));
}

// initcheck of a gang: lanes whose addresses lie in one allocation are looked at together. What is known of the site then, as a range; {0}: nothing.
static struct jit_site init_access(const struct jit_block *b, const struct check_launch *c, uint32_t first,
                                   uint32_t what, uint32_t lanes, const uint64_t *addresses, uint64_t origin,
                                   const void *pc)
{
    struct finding f = {0};
    bool known = true;
    if (check_space(what) == CHECK_SHARED && b->cluster->blocks == 1)
        lanes = init_shared_unknown(b, what, lanes, addresses);
    for (uint32_t rest = lanes; rest;) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), together = 0;
        if (look_shared(b, c, what, first + lane, addresses[lane], pc)) {
            known = false;
            rest &= rest - 1;
            continue;
        }
        find(b, c, what, addresses[lane], origin, &f);
        for (uint32_t others = rest; others; others &= others - 1) {
            uint32_t other = (uint32_t)__builtin_ctz(others);
            together |= (uint32_t)is_within(&f, what, addresses[other]) << other;
        }
        together |= 1u << lane;
        known &= look_initialised(b, c, what, first, together, addresses, &f, pc);
        rest &= ~together;
    }
    return known && f.end ? (struct jit_site){f.first, f.end} : (struct jit_site){0, 0};
}

// memcheck: one access at least of each place in each allocation comes here.
static void touch(struct check_launch *c, const struct jit_block *b, uint32_t what, uint32_t thread, uint64_t address,
                  const void *pc)
{
    c->site_pc[check_site(what)] = (uint32_t)((const char *)pc - (const char *)c->code->start);
    check_touch(c, b, what, thread, address, 1);
}

void hook_check_access(struct jit_block *b, uint32_t first, uint32_t what, uint32_t lanes, const uint64_t *addresses,
                       uint64_t origin, const uint64_t *values)
{
    const void *pc = __builtin_return_address(0);
    struct check_launch *c = check_of(b);
    struct finding f = {0};
    bool wrong = false;
    uint32_t last = first;
    if (!c || !c->tools || !lanes)
        return;
    if (c->tools & JIT_CHECK_RACE) {
        race_access(c, &(struct race_access){b, first, what, lanes, addresses, values, pc});
        return;
    }
    if (c->tools & JIT_CHECK_INIT) {
        struct jit_site known = init_access(b, c, first, what, lanes, addresses, origin, pc);
        if (known.end)
            b->sites[check_site(what)] = known;
        return;
    }
    if (c->tools & JIT_CHECK_MEMORY && atomic_load_explicit(&c->failed, memory_order_relaxed))
        end_kernel(first, pc);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t a = addresses[lane];
        if (!is_within(&f, what, a))
            find(b, c, what, a, origin, &f);
        if (f.verdict == RIGHT) {
            if (c->touch && f.end)
                touch(c, b, what, first + lane, a, pc);
            continue;
        }
        if (!wrong && atomic_exchange(&c->failed, true)) // another gang has told of another one
            end_kernel(first + lane, pc);
        wrong = true;
        last = first + lane;
        report(b, c, what, last, a, &f, pc);
    }
    if (wrong)
        end_kernel(last, pc);
    if (f.end)
        b->sites[check_site(what)] = (struct jit_site){f.first, f.end};
}

void hook_check_row(struct jit_block *b, uint32_t first, uint32_t what, uint32_t lanes, uint64_t address, uint64_t row,
                    const uint64_t *values)
{
    struct check_launch *c = check_of(b);
    if (c && c->tools & JIT_CHECK_RACE && lanes)
        race_row(c, &(struct race_access){b, first, what, lanes, NULL, values, __builtin_return_address(0)}, address,
                 row);
}

void hook_check_rows(struct jit_block *b, uint32_t first, uint32_t lanes, const struct jit_told *told, uint32_t n)
{
    struct check_launch *c = check_of(b);
    if (c && c->tools & JIT_CHECK_RACE && lanes)
        race_rows(c, &(struct race_access){b, first, 0, lanes, NULL, NULL, __builtin_return_address(0)}, told, n);
}

// racecheck: as an access of one lane.
static void engine_race(struct check_launch *c, struct jit_block *b, uint32_t thread, uint64_t address, uint32_t what,
                        const void *pc)
{
    uint32_t gang = c->code->variant.width, lane = thread % gang,
             offset = (uint32_t)((const char *)pc - (const char *)c->code->start);
    uint32_t site = CHECK_SITES - 1;
    uint64_t addresses[32] = {0};
    while (site && c->site_pc[site] && c->site_pc[site] != offset)
        site--;
    addresses[lane] = address;
    what |= site << CHECK_SITE_AT;
    race_access(c, &(struct race_access){b, thread - lane, what, 1u << lane, addresses, NULL, pc});
}

static void engine_access(struct check_launch *c, struct jit_block *b, uint32_t thread, uint64_t address, uint32_t size,
                          uint32_t kind, const void *pc)
{
    uint32_t what = size | kind << CHECK_KIND_AT;
    struct finding f;
    if (c->tools & JIT_CHECK_RACE)
        engine_race(c, b, thread, address, what | (kind == CHECK_ATOMIC ? CHECK_STRONG : 0), pc);
    if (c->tools & JIT_CHECK_INIT && look_shared(b, c, what, thread, address, pc))
        return;
    if (!(c->tools & (JIT_CHECK_MEMORY | JIT_CHECK_INIT)))
        return;
    find(b, c, what, address, 0, &f);
    if (c->tools & JIT_CHECK_INIT)
        look_initialised(b, c, what, thread, 1, &address, &f, pc);
    if (c->touch && c->tools & JIT_CHECK_MEMORY && f.verdict == RIGHT && f.end)
        touch(c, b, what | (CHECK_SITES - 1) << CHECK_SITE_AT, thread, address, pc);
    if (!(c->tools & JIT_CHECK_MEMORY) || f.verdict == RIGHT)
        return;
    if (!atomic_exchange(&c->failed, true))
        report(b, c, what, thread, address, &f, pc);
    end_kernel(thread, pc);
}

void check_engine_access(struct jit_block *b, uint32_t thread, uint64_t address, uint64_t bytes, uint32_t kind,
                         const void *pc)
{
    enum { AT_ONCE = 16 };
    struct check_launch *c = check_of(b);
    if (!c || !c->tools)
        return;
    for (uint64_t at = 0; at < bytes; at += AT_ONCE) {
        uint64_t size = bytes - at < AT_ONCE ? bytes - at : AT_ONCE;
        engine_access(c, b, thread, address + at, (uint32_t)size, kind, pc);
    }
}

// initcheck: where the offset is less than 0, bytes are read that were not written.
static void report_local(const struct jit_block *b, const struct check_launch *c, uint32_t first, uint32_t what,
                         uint32_t lanes, const int64_t *offsets, uint32_t size, const void *pc)
{
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (offsets[lane] >= 0)
            continue;
        struct sanitizer_report *r =
            check_report("error", "Uninitialized __local__ memory read of size %u bytes", check_size(what));
        check_report_at(r, c, pc);
        check_report_thread(r, b, first + lane);
        if (r)
            sanitizer_add(r, "L\tin the thread's local memory of size %u bytes\n", size);
        check_report_end(r, c);
    }
}

void hook_check_local(struct jit_block *b, uint32_t first, uint32_t what, uint32_t lanes, const int64_t *offsets,
                      uint32_t size)
{
    static const char *const kinds[] = {"read", "write", "atomic"};
    const void *pc = __builtin_return_address(0);
    struct check_launch *c = check_of(b);
    bool wrong = false;
    uint32_t last = first;
    if (c && c->tools & JIT_CHECK_INIT)
        report_local(b, c, first, what, lanes, offsets, size, pc);
    if (!c || !(c->tools & JIT_CHECK_MEMORY))
        return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        int64_t at = offsets[lane];
        bool inside = at >= 0 && (uint64_t)at + check_size(what) <= size;
        if (inside && !(at & (int64_t)(check_align(what) - 1)))
            continue;
        if (!wrong && atomic_exchange(&c->failed, true))
            end_kernel(first + lane, pc);
        wrong = true;
        last = first + lane;
        struct sanitizer_report *r = check_report("error", "Invalid %s%s of size %u bytes",
                                                  check_space(what) == CHECK_LOCAL ? "__local__ " : "__param__ ",
                                                  kinds[check_kind(what)], check_size(what));
        check_report_at(r, c, pc);
        check_report_thread(r, b, last);
        if (r) {
            sanitizer_add(r, "L\tAccess at 0x%llx is %s\n", (unsigned long long)at,
                          inside ? "misaligned" : "out of bounds");
            if (!inside)
                sanitizer_add(r, "L\tand is %llu bytes %s the %s of size %u bytes\n",
                              (unsigned long long)(at < 0 ? -at : at - size + 1), at < 0 ? "before" : "after",
                              check_space(what) == CHECK_LOCAL ? "thread's local memory" : "kernel's parameters", size);
        }
        check_report_end(r, c);
    }
    if (wrong)
        end_kernel(last, pc);
}

void hook_check_sync(struct jit_block *b, uint32_t first, uint32_t how, uint32_t lanes, const uint32_t *number)
{
    struct check_launch *c = check_of(b);
    const struct sync_call s = {.block = b,
                                .first = first,
                                .how = how % CHECK_SAME,
                                .lanes = lanes,
                                .number = number,
                                .pc = __builtin_return_address(0),
                                .same = how & CHECK_SAME};
    if (c && c->tools & JIT_CHECK_RACE)
        race_sync(&s);
    if (c && c->tools & JIT_CHECK_SYNC)
        sync_note(c, &s);
}

void hook_check_object(struct jit_block *b, uint32_t first, uint32_t how, uint32_t lanes, const uint64_t *address,
                       const uint32_t *number)
{
    struct check_launch *c = check_of(b);
    const struct object_call call = {b, first, how, lanes, address, number, __builtin_return_address(0)};
    if (c && c->tools & JIT_CHECK_RACE)
        race_object(c, &call);
    if (c && c->tools & JIT_CHECK_SYNC)
        sync_object_call(&call);
}
