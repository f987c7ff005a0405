// SPDX-License-Identifier: Apache-2.0
// Device memory is host memory: every range that the API hands out, or is told of, is listed here by address.
//
// A range of a page or more has a mapping of its own whose end lies against an inaccessible page, so that an index past the
// end faults; freeing unmaps it or locks it for reuse (spare.c), so that a stale pointer faults too. Those of 1 MiB and more are mapped in units of 2 MiB,
// as on a GPU: programs whose last block reaches a little past the end of an array work there, and do here. Smaller ranges
// share slabs by size. Where the system runs out of mappings, slabs without guards serve large requests as well (the
// fallback in map_guarded). Memory for interfaces whose addresses have 32 bits lies below 4 GiB, each range in a mapping of its own.
#include "device/device.h"
#include "base/env.h"
#include "base/vec.h"
#include "device/check/check.h"
#include "device/fault/hold.h"
#include "device/memory/quarantine.h"
#include "device/memory/spare.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOW_START ((uintptr_t)256 << 20) // of the addresses that 32 bits hold, those that low memory may have
#define LOW_END   ((uintptr_t)1 << 32)
#define LOW_STEP  ((uintptr_t)1 << 20)
enum { ALIGN = 256, SMALL_LIMIT = 4096, CLASSES = 5, SLAB = 1 << 20, UNIT = 2 << 20, MAX_DEVICES = 64 };

struct range {
    struct memory_range pub;
    char *map; // own mapping, or NULL
    size_t map_size;
    int fd;         // of the file that it has become, plus 1; 0: none
    uint64_t inode; // that file's
    int class;      // slab class, or -1: a mapping of its own, ADOPTED: the caller's memory
};
enum { ADOPTED = -2 };
struct memory_kept { // not in the list
    struct range range;
};

struct slab_list { // free cells of one size
    struct VEC(char *) cells;
    size_t all; // cells, free and taken: there is room for them
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
// Sorted by base. What is free of the array lies where the last range was put or taken away: neighbours come and go one after the
// other (a module's variables, the cells of a slab), and nothing else is moved for them.
static struct {
    struct range *data;
    size_t len, cap, gap; // gap: index of the first range behind the free part
} ranges;
static struct slab_list slabs[CLASSES];
static struct VEC(char *) slab_maps; // of a checked process: the slabs themselves
static size_t used[MAX_DEVICES];
static atomic_ullong changes = 1; // of the list, made under the lock
static uint64_t next_id;

static size_t device_total(void)
{
    size_t asked = env_number("HEDDLE_MEMORY");
    return asked ? asked : (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static struct range *range_at(size_t i)
{
    return &ranges.data[i < ranges.gap ? i : i + (ranges.cap - ranges.len)];
}

static void move_gap(size_t to)
{
    size_t room = ranges.cap - ranges.len, from = ranges.gap;
    if (to == from) // perhaps of nothing
        return;
    if (to < from)
        memmove(&ranges.data[to + room], &ranges.data[to], (from - to) * sizeof *ranges.data);
    else
        memmove(&ranges.data[from], &ranges.data[from + room], (to - from) * sizeof *ranges.data);
    ranges.gap = to;
}

// Index of the first range whose base is above the address.
static size_t upper(const char *address)
{
    size_t lo = 0, hi = ranges.len;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (range_at(mid)->pub.base <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static struct range *holder(const char *address)
{
    size_t i = upper(address);
    if (!i)
        return NULL;
    struct range *r = range_at(i - 1);
    return (size_t)(address - r->pub.base) < r->pub.size ? r : NULL;
}

static void insert(const struct range *r)
{
    size_t i = upper(r->pub.base);
    if (ranges.len == ranges.cap) {
        move_gap(ranges.len);
        ranges.cap = ranges.cap ? 2 * ranges.cap : 64;
        ranges.data = xrealloc(ranges.data, ranges.cap * sizeof *ranges.data);
    }
    move_gap(i);
    ranges.data[ranges.gap++] = *r;
    ranges.len++;
    range_at(i)->pub.id = ++next_id;
    atomic_fetch_add(&changes, 1);
}

void memory_each(void (*f)(const struct memory_range *r, void *data), void *data)
{
    pthread_rwlock_rdlock(&lock);
    for (size_t i = 0; i < ranges.len; i++)
        f(&range_at(i)->pub, data);
    pthread_rwlock_unlock(&lock);
}

// Bytes that a mapping offers to ranges of this size.
static size_t body_of(size_t size)
{
    size_t unit = size >= UNIT / 2 ? UNIT : ALIGN;
    return (size + unit - 1) / unit * unit;
}

static char *map_at(uintptr_t hint, size_t size)
{
    char *p = mmap((void *)hint, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static bool is_low(const char *p, size_t size)
{
    return size <= LOW_END && (uintptr_t)p <= LOW_END - size;
}

static char *try_low(uintptr_t hint, size_t size)
{
    char *p = map_at(hint, size);
    if (!p || is_low(p, size))
        return p;
    munmap(p, size);
    return NULL;
}

// Below 4 GiB the system puts nothing by itself; a hint is taken where there is room. The last mapping's lower neighbour is tried
// first, then all from the top down: a program that was linked to a fixed address has its heap at the bottom.
static char *map_low(size_t size)
{
    static uintptr_t last = LOW_END;
    char *p = last > LOW_START && size <= last - LOW_START ? try_low(last - size, size) : NULL;
    uintptr_t at = size <= LOW_END - LOW_START ? LOW_END - size : 0;
    for (; !p && at >= LOW_START; at -= LOW_STEP)
        p = try_low(at, size);
    last = p ? (uintptr_t)p : LOW_END;
    return p;
}

// What lies behind a mapping and must not be touched. Checked kernels may jump far.
static size_t guard_size(void)
{
    return check_wanted ? CHECK_GUARD : (size_t)sysconf(_SC_PAGESIZE);
}

static char *map_new(size_t mapped, size_t page, bool low)
{
    char *p = low ? map_low(mapped + page) : map_at(0, mapped + page);
    if (!p)
        return NULL;
    mprotect(p + mapped, page, PROT_NONE); // without a mapping to spare there is no guard, and nothing else changes
    if (mapped >= 4u << 20)
        madvise(p, mapped, MADV_HUGEPAGE);
    return p;
}

static bool map_guarded(struct range *r, bool low)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), body = body_of(r->pub.size), mapped = (body + page - 1) / page * page;
    size_t guard = guard_size();
    if (mapped < body)
        return false;
    char *p = r->pub.kind == MEMORY_DEVICE && !low ? spare_take(mapped + guard) : NULL;
    if (!p && !(p = map_new(mapped, guard, low))) {
        spare_drop();
        if (!(p = map_new(mapped, guard, low)))
            return false;
    }
    r->map = p;
    r->map_size = mapped + guard;
    r->pub.base = p + (mapped - body);
    return true;
}

static size_t red_zone(void)
{
    return check_wanted ? CHECK_RED_ZONE : 0;
}

static bool take_small(struct range *r)
{
    int c = 0;
    while (((size_t)ALIGN << c) < r->pub.size + red_zone())
        c++;
    struct slab_list *s = &slabs[c];
    size_t cell = (size_t)ALIGN << c;
    if (!s->cells.len) {
        if (!vec_try_reserve(&s->cells, s->all + SLAB / cell))
            return false;
        char *p = mmap(NULL, SLAB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return false;
        s->all += SLAB / cell;
        if (check_wanted)
            vec_push(&slab_maps, p);
        for (size_t i = SLAB / cell; i-- > 0;)
            vec_push(&s->cells, p + i * cell);
    }
    r->pub.base = s->cells.data[--s->cells.len];
    r->class = c;
    return true;
}

static void *alloc(enum memory_kind kind, size_t size, int device, void *owner, unsigned flags, bool low)
{
    struct range r = {.pub = {.size = size, .kind = kind, .flags = flags, .device = device, .owner = owner},
                      .class = -1};
    if (!size || size > (size_t)1 << 46 || device < 0 || device >= MAX_DEVICES)
        return NULL;
    bool counted = kind == MEMORY_DEVICE || kind == MEMORY_MODULE;
    pthread_rwlock_wrlock(&lock);
    size_t total = device_total();
    bool ok = !counted || (used[device] <= total && size <= total - used[device]);
    ok = ok && (size + red_zone() < SMALL_LIMIT && !low ? take_small(&r) : map_guarded(&r, low));
    if (ok) {
        used[device] += counted ? size : 0;
        insert(&r);
    }
    pthread_rwlock_unlock(&lock);
    return ok ? r.pub.base : NULL;
}

void *memory_alloc(enum memory_kind kind, size_t size, int device, void *owner, unsigned flags)
{
    return alloc(kind, size, device, owner, flags, false);
}

void *memory_alloc_low(enum memory_kind kind, size_t size, int device, void *owner, unsigned flags)
{
    return alloc(kind, size, device, owner, flags, true);
}

static void give_back_now(struct range *r)
{
    if (r->fd)
        close(r->fd - 1);
    if (r->map) {
        if (r->pub.kind != MEMORY_DEVICE || r->fd || is_low(r->map, r->map_size) || !spare_give(r->map, r->map_size))
            munmap(r->map, r->map_size);
    } else if (r->class >= 0) {
        memset(r->pub.base, 0xfd, (size_t)ALIGN << r->class); // poison
        vec_push(&slabs[r->class].cells, r->pub.base);
    }
}

// In a checked process it is kept for a while, so that who still uses it is found.
static void give_back(struct range *r)
{
    struct quarantined q = {r->pub, r->map, r->map_size, r->fd, r->class};
    if (r->class == ADOPTED)
        return;
    if (r->pub.kind == MEMORY_DEVICE || r->pub.kind == MEMORY_MODULE)
        used[r->pub.device] -= r->pub.size;
    if (check_wanted && !r->fd && r->pub.kind != MEMORY_MODULE && !quarantine_exchange(&q))
        return;
    *r = (struct range){.pub = q.pub, .map = q.map, .map_size = q.map_size, .fd = q.fd, .class = q.class};
    give_back_now(r);
}

bool memory_freed(const void *address, struct memory_range *out)
{
    pthread_rwlock_rdlock(&lock);
    bool found = quarantine_find(address, out);
    pthread_rwlock_unlock(&lock);
    return found;
}

// The cells of slabs follow each other: what no range holds there is a red zone, or free.
bool memory_is_spare(const void *address)
{
    const char *a = address;
    bool found = false;
    pthread_rwlock_rdlock(&lock);
    for (size_t i = 0; i < slab_maps.len && !found; i++)
        found = (size_t)(a - slab_maps.data[i]) < SLAB;
    pthread_rwlock_unlock(&lock);
    return found;
}

static void erase(size_t i)
{
    move_gap(i + 1);
    ranges.gap--;
    ranges.len--;
    atomic_fetch_add(&changes, 1);
}

bool memory_free(void *base, unsigned kinds)
{
    pthread_rwlock_wrlock(&lock);
    struct range *r = holder(base);
    bool ok = r && r->pub.base == base && (r->pub.kind & kinds);
    if (ok) {
        struct range copy = *r;
        erase(upper(base) - 1);
        give_back(&copy);
    }
    pthread_rwlock_unlock(&lock);
    return ok;
}

struct memory_kept *memory_keep(void *base)
{
    struct memory_kept *kept = NULL;
    pthread_rwlock_wrlock(&lock);
    struct range *r = holder(base);
    if (r && r->pub.base == base && r->pub.kind == MEMORY_DEVICE && r->map && !r->fd) {
        kept = calloc(1, sizeof *kept);
        if (kept) {
            kept->range = *r;
            erase(upper(base) - 1);
        }
    }
    pthread_rwlock_unlock(&lock);
    return kept;
}

size_t memory_kept_size(const struct memory_kept *kept)
{
    return kept->range.pub.size;
}

void *memory_reuse(struct memory_kept *kept, size_t size, void *owner, unsigned flags)
{
    struct range *r = &kept->range;
    if (body_of(size) != body_of(r->pub.size))
        return NULL;
    pthread_rwlock_wrlock(&lock);
    used[r->pub.device] += size - r->pub.size;
    r->pub.size = size;
    r->pub.owner = owner;
    r->pub.flags = flags;
    insert(r);
    pthread_rwlock_unlock(&lock);
    void *base = r->pub.base;
    free(kept);
    return base;
}

void memory_discard(struct memory_kept *kept)
{
    pthread_rwlock_wrlock(&lock);
    give_back(&kept->range);
    pthread_rwlock_unlock(&lock);
    free(kept);
}

size_t memory_owned(void *owner, unsigned flags)
{
    size_t bytes = 0;
    pthread_rwlock_wrlock(&lock);
    move_gap(ranges.len);
    for (size_t i = 0; i < ranges.len; i++) {
        const struct memory_range *r = &ranges.data[i].pub;
        if (r->owner == owner && r->kind == MEMORY_DEVICE && r->flags == flags)
            bytes += r->size;
    }
    pthread_rwlock_unlock(&lock);
    return bytes;
}

void memory_free_owner(void *owner)
{
    pthread_rwlock_wrlock(&lock);
    size_t kept = 0;
    move_gap(ranges.len);
    for (size_t i = 0; i < ranges.len; i++) {
        if (ranges.data[i].pub.owner == owner)
            give_back(&ranges.data[i]);
        else
            ranges.data[kept++] = ranges.data[i];
    }
    ranges.len = ranges.gap = kept;
    atomic_fetch_add(&changes, 1);
    spare_drop();
    pthread_rwlock_unlock(&lock);
}

bool memory_adopt(enum memory_kind kind, void *base, size_t size, int device, void *owner, unsigned flags)
{
    struct range r = {.pub = {.base = base,
                              .size = size,
                              .kind = kind,
                              .flags = flags,
                              .device = device,
                              .owner = owner,
                              .adopted = true},
                      .class = ADOPTED};
    pthread_rwlock_wrlock(&lock);
    size_t next = upper(base);
    bool ok = size && !holder(base) && (next == ranges.len || range_at(next)->pub.base >= (char *)base + size);
    if (ok)
        insert(&r);
    pthread_rwlock_unlock(&lock);
    return ok;
}

bool memory_register(void *base, size_t size, int device, void *owner, unsigned flags)
{
    return memory_adopt(MEMORY_REGISTERED, base, size, device, owner, flags);
}

bool memory_unregister(void *base)
{
    return memory_free(base, MEMORY_REGISTERED);
}

// What this thread has found last, a range or the room between two: copies ask for the same ones again and again.
static _Thread_local struct found {
    unsigned long long changes; // when it was looked up
    const char *first;
    size_t size;
    bool holds;
    struct memory_range range;
} found[2];

static void look_up(const char *address, struct found *f)
{
    pthread_rwlock_rdlock(&lock);
    size_t i = upper(address);
    const struct range *below = i ? range_at(i - 1) : NULL, *above = i < ranges.len ? range_at(i) : NULL;
    f->changes = atomic_load(&changes);
    f->holds = below && (size_t)(address - below->pub.base) < below->pub.size;
    if (f->holds) {
        f->range = below->pub;
        f->first = below->pub.base;
        f->size = below->pub.size;
    } else {
        f->first = below ? below->pub.base + below->pub.size : NULL;
        f->size = (above ? (uintptr_t)above->pub.base : UINTPTR_MAX) - (uintptr_t)f->first;
    }
    pthread_rwlock_unlock(&lock);
}

static bool still_holds(const struct found *f, const char *address, unsigned long long now)
{
    return f->changes == now && (uintptr_t)address - (uintptr_t)f->first < f->size;
}

bool memory_find(const void *address, struct memory_range *out)
{
    struct found *f = found;
    unsigned long long now = atomic_load(&changes);
    if (!still_holds(f, address, now)) {
        if (still_holds(f + 1, address, now)) {
            f++;
        } else {
            f[1] = f[0];
            look_up(address, f);
        }
    }
    if (f->holds)
        *out = f->range;
    return f->holds;
}

void memory_release_pages(void *address, size_t bytes, uint64_t id)
{
    char *a = address;
    pthread_rwlock_rdlock(&lock); // so that the addresses do not become another's meanwhile
    size_t i = upper(a);
    const struct range *r = i ? range_at(i - 1) : NULL;
    if (r && r->pub.id == id && !r->pub.adopted && bytes <= (size_t)(r->pub.base + r->pub.size - a))
        madvise(a, bytes, MADV_DONTNEED);
    pthread_rwlock_unlock(&lock);
}

bool memory_nearest(const void *address, struct memory_range *out)
{
    const char *a = address;
    pthread_rwlock_rdlock(&lock);
    size_t i = upper(a);
    const struct range *below = i ? range_at(i - 1) : NULL, *above = i < ranges.len ? range_at(i) : NULL;
    if (below && above && a >= below->pub.base + below->pub.size &&
        (size_t)(above->pub.base - a) < (size_t)(a - below->pub.base) - below->pub.size)
        below = NULL;
    if (below || above)
        *out = below ? below->pub : above->pub;
    pthread_rwlock_unlock(&lock);
    return below || above;
}

// A piece of a mapping is copied to the same place of a file, and that is mapped where the piece was. mmap exchanges mappings at once for all
// threads. Who writes meanwhile waits, or (held: false) there is nobody, as far as is known.
static bool exchange(char *at, char *copy, size_t bytes, int fd, size_t offset, bool held)
{
    if (held)
        hold_begin();
    bool ok = !held || !mprotect(at, bytes, PROT_READ);
    if (ok) {
        memcpy(copy, at, bytes);
        ok = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)offset) != MAP_FAILED;
    }
    if (!ok && held)
        mprotect(at, bytes, PROT_READ | PROT_WRITE);
    if (held)
        hold_end();
    return ok;
}

// The pages of a mapping become those of a file, at the same place, a unit at a time so that nobody waits for long. The copy's own mapping is
// taken away again. Where the system stops it half-way, the first part is the file's memory and stays it: nothing is lost but the sharing.
static bool share(struct range *r, bool held)
{
    struct stat info;
    size_t bytes = r->map_size - guard_size();
    int fd = memfd_create("heddle", MFD_CLOEXEC);
    char *copy = fd >= 0 && !ftruncate(fd, (off_t)bytes) ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                                                         : MAP_FAILED;
    bool ok = copy != MAP_FAILED && !fstat(fd, &info);
    for (size_t at = 0; ok && at < bytes; at += UNIT)
        ok = exchange(r->map + at, copy + at, bytes - at < UNIT ? bytes - at : UNIT, fd, at, held);
    if (copy != MAP_FAILED)
        munmap(copy, bytes);
    if (!ok && fd >= 0)
        close(fd);
    if (ok) {
        r->fd = fd + 1;
        r->inode = info.st_ino;
    }
    return ok;
}

static bool file_of(const struct range *r, const char *address, struct memory_file *out)
{
    if (!r || !r->fd)
        return false;
    *out = (struct memory_file){.fd = r->fd - 1,
                                .inode = r->inode,
                                .offset = (size_t)(address - r->map),
                                .left = (size_t)(r->pub.base + r->pub.size - address)};
    return true;
}

bool memory_share(void *base, bool idle, struct memory_file *out)
{
    pthread_rwlock_wrlock(&lock);
    struct range *r = holder(base);
    if (r && r->map && !r->fd) {
        bool held = hold_possible();
        if (held || idle)
            share(r, held);
    }
    bool ok = file_of(r, base, out);
    pthread_rwlock_unlock(&lock);
    return ok;
}

bool memory_file(const void *address, struct memory_file *out)
{
    pthread_rwlock_rdlock(&lock);
    bool ok = file_of(holder(address), address, out);
    pthread_rwlock_unlock(&lock);
    return ok;
}

bool memory_charge(int device, size_t bytes, bool take)
{
    pthread_rwlock_wrlock(&lock);
    size_t total = device_total();
    bool ok = !take || (used[device] <= total && bytes <= total - used[device]);
    if (ok)
        used[device] += take ? bytes : -bytes;
    pthread_rwlock_unlock(&lock);
    return ok;
}

void memory_usage(int device, size_t *free_bytes, size_t *total)
{
    pthread_rwlock_rdlock(&lock);
    *total = device_total();
    size_t u = device >= 0 && device < MAX_DEVICES ? used[device] : 0;
    *free_bytes = *total > u ? *total - u : 0;
    pthread_rwlock_unlock(&lock);
}
