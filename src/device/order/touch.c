// SPDX-License-Identifier: Apache-2.0
// See order.h: what a kernel touches. Each word of four bytes has a word beside it for each of plain and strong reads and writes, by pages that
// are made when they are first touched. Workers change them at the same time, each as a whole: bytes are added by exchange, but for all bytes of
// a word that has none, of which two stores that meet say the same. So no byte that was touched is forgotten.
#include "device/order/record.h"
#include "jit/abi/check.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, PAGE_WORDS = 1024, PAGE_SHIFT = 12, LEVEL_BITS = 12, LEVEL = 1 << LEVEL_BITS, CACHE = 64 };
enum { RELEASED_MOST = 256 };

// bits 0-3: the bytes that were touched; 8-17 the site, 18-27 the thread, from 28 on the block of the first.
enum { SITE_AT = 8, SITE_BITS = 10, THREAD_AT = 18, THREAD_BITS = 10, BLOCK_AT = 28, BYTES = 15 };
_Static_assert(CHECK_SITES <= 1 << SITE_BITS, "a site has room in a word");
enum { PLANE_WRITES = 1, PLANE_STRONG = 2, PLANES = 4 };

struct page {
    struct page *next; // of the launch
    uint64_t number;
    void *_Atomic plane[PLANES]; // a word for each word
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

static void mark(uint64_t *word, uint64_t bytes, uint64_t who)
{
    uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED), now;
    do
        now = (old ? old : who) | bytes;
    while (now != old && !__atomic_compare_exchange_n(word, &old, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static uint64_t *plane_of(struct touch *t, const struct touch_access *a, uint64_t address)
{
    struct page *p = page_of(t, address);
    return entry(&p->plane[(a->writes ? PLANE_WRITES : 0) | (a->strong ? PLANE_STRONG : 0)],
                 PAGE_WORDS * sizeof(uint64_t));
}

static uint64_t who_of(const struct touch_access *a, uint32_t lane)
{
    return (uint64_t)a->site << SITE_AT | (uint64_t)(a->thread + lane) << THREAD_AT | a->block << BLOCK_AT;
}

// Whole words of lanes that follow each other, on one page.
static void mark_row(uint64_t *word, const struct touch_access *a, uint32_t lane, uint32_t lanes)
{
    for (uint32_t each = a->size / WORD, end = lane + lanes; lane < end; lane++)
        for (uint32_t i = 0; i < each; i++, word++) {
            uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
            if (!old)
                __atomic_store_n(word, who_of(a, lane) | BYTES, __ATOMIC_RELAXED);
            else if ((old & BYTES) != BYTES)
                mark(word, BYTES, who_of(a, lane));
        }
}

static void mark_lane(struct touch *t, const struct touch_access *a, uint32_t lane, uint64_t at)
{
    for (uint64_t end = at + a->size, next; at < end; at = next) {
        next = (at / WORD + 1) * WORD < end ? (at / WORD + 1) * WORD : end;
        mark(&plane_of(t, a, at)[at / WORD % PAGE_WORDS], ((1u << (next - at)) - 1) << at % WORD, who_of(a, lane));
    }
}

void touch_access(struct touch *t, const struct touch_access *a, uint64_t address, uint32_t lanes)
{
    uint64_t end = address + (uint64_t)a->size * lanes;
    if (end >> (PAGE_SHIFT + 3 * LEVEL_BITS) || end < address)
        return;
    bool whole = a->size >= WORD && !(a->size & (a->size - 1)) && !(address & (a->size - 1));
    for (uint32_t lane = 0, n; lane < lanes; lane += n, address += (uint64_t)n * a->size) {
        uint64_t room = ((((address >> PAGE_SHIFT) + 1) << PAGE_SHIFT) - address) / a->size;
        n = !whole ? 1 : room < lanes - lane ? (uint32_t)room : lanes - lane;
        if (whole)
            mark_row(&plane_of(t, a, address)[address / WORD % PAGE_WORDS], a, lane, n);
        else
            mark_lane(t, a, lane, address);
    }
}

void touch_release(struct touch *t, const struct op *op, uint64_t address)
{
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
    if (first && order_is_host((const void *)(uintptr_t)address))
        order_told_op(op);
}

// ---- runs
struct walk {
    struct runs *out;
    struct memory_range range; // of the last word
    uint64_t id;
    bool writes, strong_host; // strong_host: memory of the host was accessed strongly
    // Of the last run: words so far of the thread that is next, and that thread.
    uint32_t words, thread;
};

static uint32_t thread_of(uint64_t word)
{
    return word >> THREAD_AT & ((1u << THREAD_BITS) - 1);
}

static const uint64_t place_bits = ~(uint64_t)0 << BLOCK_AT | ((1u << SITE_BITS) - 1) << SITE_AT;

static uint64_t place_of(const struct run *r)
{
    return r->block << BLOCK_AT | (uint64_t)r->site << SITE_AT;
}

// The word goes on with the last run, where the thread is that of its rule, or the second thread makes the rule.
static bool goes_on(struct walk *w, uint64_t address, uint64_t word, uint16_t how)
{
    enum { PER_MOST = 4 };
    struct run *last = w->out->len ? &w->out->data[w->out->len - 1] : NULL;
    uint32_t thread = thread_of(word);
    if (!last || last->to != address || last->from % WORD || last->how != how || last->id != w->id ||
        place_of(last) != (word & place_bits))
        return false;
    if (!last->per && thread != last->thread) {
        if (thread < last->thread || w->words > PER_MOST)
            return false;
        last->per = (uint16_t)w->words;
        last->step = thread - last->thread;
        w->thread = thread;
        w->words = 0;
    } else if (last->per && w->words == last->per) {
        w->thread += last->step;
        w->words = 0;
    }
    if (thread != w->thread)
        return false;
    w->words++;
    last->to += WORD;
    return true;
}

// The bytes of a word that were touched in one way.
static void add_bytes(struct walk *w, uint64_t address, uint64_t word, uint32_t bytes, uint16_t how)
{
    if (bytes == BYTES && goes_on(w, address, word, how))
        return;
    while (bytes) {
        uint32_t first = (uint32_t)__builtin_ctz(bytes), n = (uint32_t)__builtin_ctz(~(bytes >> first));
        struct run r = {.from = address + first,
                        .to = address + first + n,
                        .id = w->id,
                        .block = word >> BLOCK_AT,
                        .site = word >> SITE_AT & ((1u << SITE_BITS) - 1),
                        .thread = thread_of(word),
                        .how = how};
        vec_push(w->out, r);
        w->thread = r.thread;
        w->words = 1;
        bytes &= ~(((1u << n) - 1) << first);
    }
}

static void walk_word(struct walk *w, uint64_t address, uint64_t soft, uint64_t hard)
{
    uint32_t plain = soft & BYTES, strong = hard & BYTES;
    uint16_t as_plain = w->writes ? RUN_WRITE : RUN_READ, as_strong = w->writes ? RUN_ATOMIC : RUN_STRONG_READ;
    if (!w->id || address - (uint64_t)(uintptr_t)w->range.base >= w->range.size)
        w->id = record_allocation(address, &w->range);
    if (!w->id)
        return;
    w->strong_host |= strong && w->range.kind != MEMORY_DEVICE && w->range.kind != MEMORY_MODULE;
    if (!plain || !strong) { // mostly
        add_bytes(w, address, plain ? soft : hard, plain | strong, plain ? as_plain : as_strong);
        return;
    }
    for (uint32_t i = 0; i < WORD; i++)
        if ((plain | strong) >> i & 1)
            add_bytes(w, address, plain >> i & 1 ? soft : hard, 1u << i,
                      (uint16_t)((plain >> i & 1 ? as_plain : 0) | (strong >> i & 1 ? as_strong : 0)));
}

static int by_number(const void *a, const void *b)
{
    const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

static void walk_page(struct walk *w, const struct page *p)
{
    const uint64_t *soft = atomic_load(&p->plane[w->writes ? PLANE_WRITES : 0]);
    const uint64_t *hard = atomic_load(&p->plane[(w->writes ? PLANE_WRITES : 0) | PLANE_STRONG]);
    for (uint32_t i = 0; (soft || hard) && i < PAGE_WORDS; i++) {
        uint64_t plain = soft ? soft[i] : 0, strong = hard ? hard[i] : 0;
        if (plain | strong)
            walk_word(w, (p->number << PAGE_SHIFT) + i * WORD, plain, strong);
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
    for (int writes = 0; writes < 2; writes++) {
        struct walk w = {.out = writes ? &r->writes : &r->reads, .writes = writes};
        for (size_t i = 0; i < pages.len; i++)
            walk_page(&w, pages.data[i]);
        host |= w.strong_host;
    }
    for (size_t i = 0; i < pages.len; i++) {
        struct page *p = pages.data[i];
        atomic_store(slot_of(t, p->number), NULL);
        for (int k = 0; k < PLANES; k++)
            free(atomic_load(&p->plane[k]));
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
