// SPDX-License-Identifier: Apache-2.0
// See order.h: what a kernel touches. Each word of four bytes has two words beside it, who writes and who reads it, by pages that are made when
// they are first touched. Workers change them at the same time, each as a whole; no byte that was touched is forgotten.
#include "device/order/record.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, PAGE_WORDS = 1024, PAGE_SHIFT = 12, LEVEL_BITS = 12, LEVEL = 1 << LEVEL_BITS, CACHE = 64 };
enum { RELEASED_MOST = 256 };

// bits 0-3: the bytes that were touched by plain accesses, 4-7 by strong ones, 8-17 the site, 18-27 the thread, from 28 on the block; of the
// first plain access, or the first.
enum { STRONG_AT = 4, SITE_AT = 8, SITE_BITS = 10, THREAD_AT = 18, THREAD_BITS = 10, BLOCK_AT = 28, BYTES = 15 };

struct page {
    struct page *next; // of the launch
    uint64_t number;
    void *_Atomic plane[2]; // read, write: _Atomic uint64_t for each word
};

struct touch {
    struct touch *next;       // spare
    uint64_t serial;          // of the launch
    void *_Atomic top[LEVEL]; // of tables of tables of pages
    _Atomic(struct page *) pages;
    pthread_mutex_t lock; // of what is below
    uint64_t released[RELEASED_MOST];
    uint32_t nreleased;
    bool released_more;
};

static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static struct touch *spare;
static atomic_ullong serials;

struct touch *touch_begin(void)
{
    pthread_mutex_lock(&spare_lock);
    struct touch *t = spare;
    if (t)
        spare = t->next;
    pthread_mutex_unlock(&spare_lock);
    if (!t && (t = calloc(1, sizeof *t)))
        pthread_mutex_init(&t->lock, NULL);
    if (t)
        t->serial = atomic_fetch_add(&serials, 1) + 1;
    return t;
}

static void *entry(void *_Atomic *slot, size_t size)
{
    void *p = atomic_load_explicit(slot, memory_order_acquire), *none = NULL;
    if (p)
        return p;
    p = xcalloc(1, size);
    if (!atomic_compare_exchange_strong(slot, &none, p)) {
        free(p);
        p = none;
    }
    return p;
}

static void *_Atomic *slot_of(struct touch *t, uint64_t number)
{
    void *_Atomic *at = t->top;
    for (int shift = 2 * LEVEL_BITS; shift; shift -= LEVEL_BITS)
        at = entry(&at[number >> shift & (LEVEL - 1)], LEVEL * sizeof *at);
    return &at[number & (LEVEL - 1)];
}

static struct page *make_page(struct touch *t, uint64_t number)
{
    void *_Atomic *slot = slot_of(t, number);
    struct page *p = atomic_load_explicit(slot, memory_order_acquire);
    void *none = NULL;
    if (p)
        return p;
    p = xcalloc(1, sizeof *p);
    p->number = number;
    if (!atomic_compare_exchange_strong(slot, &none, (void *)p)) {
        free(p);
        return none;
    }
    p->next = atomic_load(&t->pages);
    while (!atomic_compare_exchange_weak(&t->pages, &p->next, p))
        ;
    return p;
}

static struct page *page_of(struct touch *t, uint64_t address)
{
    static _Thread_local struct {
        uint64_t serial, number;
        struct page *page;
    } cache[CACHE];
    uint64_t number = address >> PAGE_SHIFT, i = number % CACHE;
    if (cache[i].serial != t->serial || cache[i].number != number) {
        cache[i].page = make_page(t, number);
        cache[i].serial = t->serial;
        cache[i].number = number;
    }
    return cache[i].page;
}

static void mark(_Atomic uint64_t *word, uint64_t bytes, bool strong, uint64_t who)
{
    uint64_t bits = strong ? bytes << STRONG_AT : bytes, old = atomic_load_explicit(word, memory_order_relaxed), now;
    do {
        bool keep = old && (strong || old & BYTES);
        now = (keep ? old : (old & 0xff) | who) | bits;
    } while (now != old &&
             !atomic_compare_exchange_weak_explicit(word, &old, now, memory_order_relaxed, memory_order_relaxed));
}

static void mark_plane(struct page *p, const struct touch_access *a, uint64_t at, uint64_t end)
{
    _Atomic uint64_t *plane = entry(&p->plane[a->writes], PAGE_WORDS * sizeof *plane);
    uint64_t who = (uint64_t)a->site << SITE_AT | (uint64_t)a->thread << THREAD_AT | a->block << BLOCK_AT;
    for (uint64_t next; at < end; at = next) {
        next = (at / WORD + 1) * WORD < end ? (at / WORD + 1) * WORD : end;
        mark(&plane[at / WORD % PAGE_WORDS], ((1u << (next - at)) - 1) << at % WORD, a->strong, who);
    }
}

void touch_access(struct touch *t, const struct touch_access *a, uint64_t address)
{
    uint64_t end = address + a->size;
    if (end >> (PAGE_SHIFT + 3 * LEVEL_BITS) || end < address)
        return;
    for (uint64_t next; address < end; address = next) {
        uint64_t page_end = ((address >> PAGE_SHIFT) + 1) << PAGE_SHIFT;
        struct page *p = page_of(t, address);
        next = page_end < end ? page_end : end;
        mark_plane(p, a, address, next);
    }
}

static bool is_host(const struct memory_range *r)
{
    return r->kind & (MEMORY_HOST | MEMORY_MANAGED | MEMORY_REGISTERED);
}

void touch_release(struct touch *t, const struct op *op, uint64_t address)
{
    struct memory_range r;
    bool known = false, first = false;
    pthread_mutex_lock(&t->lock);
    for (uint32_t i = 0; i < t->nreleased && !known; i++)
        known = t->released[i] == address;
    if (!known && t->nreleased < RELEASED_MOST)
        t->released[t->nreleased++] = address;
    else if (!known)
        t->released_more = true;
    first = !known;
    pthread_mutex_unlock(&t->lock);
    if (first && (!memory_find((void *)(uintptr_t)address, &r) || is_host(&r)))
        order_told_op(op);
}

// ---- runs
struct walk {
    struct runs *out;
    struct memory_range range; // of the last word
    uint64_t id;
    bool write, strong_host; // strong_host: memory of the host was accessed strongly
};

static void end_run(struct walk *w, const struct run *r, uint64_t thread)
{
    struct run *last = w->out->len ? &w->out->data[w->out->len - 1] : NULL;
    bool goes_on = last && last->to == r->from && last->id == r->id && last->how == r->how && last->site == r->site &&
                   last->block == r->block && r->from % WORD == 0 && last->from % WORD == 0;
    uint64_t n = goes_on ? (r->from / WORD - last->from / WORD) : 0; // words so far
    int64_t ahead = goes_on ? (int64_t)thread - last->thread : 0;
    if (goes_on && !last->per) {
        if (ahead) { // the second thread of the run
            last->per = n <= 4 ? (uint16_t)n : 0;
            last->step = (uint32_t)ahead;
            goes_on = last->per && ahead > 0;
            if (!goes_on)
                last->step = 0;
        }
    } else if (goes_on) {
        goes_on = ahead == (int64_t)(n / last->per * last->step);
    }
    if (goes_on)
        last->to = r->to;
    else
        vec_push(w->out, *r);
}

// The bytes of a word that were touched in one way.
static void add_bytes(struct walk *w, uint64_t address, uint64_t word, uint32_t bytes, uint16_t how)
{
    uint64_t thread = word >> THREAD_AT & ((1u << THREAD_BITS) - 1);
    while (bytes) {
        uint32_t first = (uint32_t)__builtin_ctz(bytes), n = (uint32_t)__builtin_ctz(~(bytes >> first));
        struct run r = {.from = address + first,
                        .to = address + first + n,
                        .id = w->id,
                        .block = word >> BLOCK_AT,
                        .site = word >> SITE_AT & ((1u << SITE_BITS) - 1),
                        .thread = (uint32_t)thread,
                        .how = how};
        end_run(w, &r, thread);
        bytes &= ~(((1u << n) - 1) << first);
    }
}

static void walk_word(struct walk *w, uint64_t address, uint64_t word)
{
    uint32_t plain = word & BYTES, strong = word >> STRONG_AT & BYTES;
    uint16_t soft = w->write ? RUN_WRITE : RUN_READ, hard = w->write ? RUN_ATOMIC : RUN_STRONG_READ;
    if (!w->id || address - (uint64_t)(uintptr_t)w->range.base >= w->range.size)
        w->id = record_allocation(address, &w->range);
    if (!w->id)
        return;
    w->strong_host |= strong && is_host(&w->range);
    if (!(plain & strong)) {
        if (!plain || !strong) { // mostly
            add_bytes(w, address, word, plain | strong, plain ? soft : hard);
            return;
        }
    }
    for (uint32_t i = 0; i < WORD; i++)
        if ((plain | strong) >> i & 1)
            add_bytes(w, address, word, 1u << i,
                      (uint16_t)((plain >> i & 1 ? soft : 0) | (strong >> i & 1 ? hard : 0)));
}

static int by_number(const void *a, const void *b)
{
    const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

static void walk_page(struct walk *w, const struct page *p)
{
    const _Atomic uint64_t *plane = atomic_load(&p->plane[w->write]);
    for (uint32_t i = 0; plane && i < PAGE_WORDS; i++) {
        uint64_t word = atomic_load_explicit(&plane[i], memory_order_relaxed);
        if (word)
            walk_word(w, (p->number << PAGE_SHIFT) + i * WORD, word);
    }
}

void touch_end(struct touch *t, const struct op *op)
{
    struct VEC(struct page *) pages = {0};
    struct record *r = record_new(op);
    for (struct page *p = atomic_load(&t->pages); p; p = p->next)
        vec_push(&pages, p);
    if (pages.len)
        qsort(pages.data, pages.len, sizeof *pages.data, by_number);
    bool host = false;
    r->op = op_retain((struct op *)(uintptr_t)op);
    for (int write = 0; write < 2; write++) {
        struct walk w = {.out = write ? &r->writes : &r->reads, .write = write};
        for (size_t i = 0; i < pages.len; i++)
            walk_page(&w, pages.data[i]);
        host |= w.strong_host;
    }
    for (size_t i = 0; i < pages.len; i++) {
        struct page *p = pages.data[i];
        atomic_store(slot_of(t, p->number), NULL);
        free(atomic_load(&p->plane[0]));
        free(atomic_load(&p->plane[1]));
        free(p);
    }
    vec_free(&pages);
    for (uint32_t i = 0; i < t->nreleased; i++)
        vec_push(&r->released, t->released[i]);
    r->released_more = t->released_more;
    t->nreleased = 0;
    t->released_more = false;
    atomic_store(&t->pages, NULL);
    pthread_mutex_lock(&spare_lock);
    t->next = spare;
    spare = t;
    pthread_mutex_unlock(&spare_lock);
    if (host)
        order_learns(op);
    record_put(r);
}
