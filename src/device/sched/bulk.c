// SPDX-License-Identifier: Apache-2.0
// Copies and fills that one core cannot do at the memory's speed: threads of the pool share them as they share a grid.
//
// A copy that is larger than what a cache keeps is written past the caches: an ordinary store first reads the line that it
// replaces, half as much traffic again. The C library does this too, but judges by the size of one call, and a shared copy
// is many; four pages at a time, as memory likes it best, were 1.2 to 1.7 times as fast as its memcpy from 16 MB on. AArch64
// needs none of it: its cores see a stream of whole lines and do not read them.
#include "device/device.h"
#include "device/sched/pool.h"
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

// What is worth sharing, what a thread takes at once, at least, and what is too large to stay in a cache.
enum { SHARE_BYTES = 2 << 20, CHUNK_BYTES = 256 << 10, CHUNKS_EACH = 8, STREAM_BYTES = 16 << 20 };

struct bulk {
    struct grid_job job;
    struct op none; // of no queue: threads that wait for one do not join
    void (*part)(const void *what, size_t first, size_t n);
    const void *what;
    size_t units, chunk;
    char pad[64];
    atomic_size_t next;
    char pad_too[64];
    atomic_size_t over;
};

static bool bulk_join(struct grid_job *job)
{
    struct bulk *b = (struct bulk *)((char *)job - offsetof(struct bulk, job));
    size_t first, over = 0;
    while ((first = atomic_fetch_add(&b->next, b->chunk)) < b->units) {
        size_t n = b->units - first < b->chunk ? b->units - first : b->chunk;
        b->part(b->what, first, n);
        over += n;
    }
    pool_close(job);
    if (over)
        atomic_fetch_add(&b->over, over);
    return over;
}

static bool share(struct bulk *b, unsigned threads)
{
    b->none.queue = NULL;
    b->job = (struct grid_job){.join = bulk_join, .op = &b->none};
    if (!pool_publish(&b->job))
        return false;
    pool_wake(threads - 1);
    bulk_join(&b->job);
    for (unsigned turn = 0; atomic_load(&b->over) < b->units; turn++)
        pool_pause(turn);
    pool_retract(&b->job);
    pool_depart(b->job.slot, b->job.outer);
    return true;
}

void bulk_run(size_t units, size_t unit_bytes, void (*part)(const void *what, size_t first, size_t n), const void *what)
{
    size_t bytes = units * unit_bytes, most = bytes / (SHARE_BYTES / 2);
    unsigned threads = bytes >= SHARE_BYTES ? pool_workers() : 1;
    threads = threads < most ? threads : most ? (unsigned)most : 1;
    bool enter = threads > 1 && !pool_inside(), shared = false;
    if (threads > 1 && (!enter || pool_enter())) { // a thread of the program counts as one at work
        struct bulk b = {.part = part, .what = what, .units = units};
        size_t chunk = bytes / (CHUNKS_EACH * threads);
        b.chunk = (chunk > CHUNK_BYTES ? chunk : CHUNK_BYTES) / unit_bytes;
        b.chunk += !b.chunk;
        shared = share(&b, threads);
        if (enter)
            pool_leave();
    }
    if (!shared)
        part(what, 0, units);
}

#if defined(__x86_64__)
enum { PAGE = 4096, PAGES = 4, LINE = 64 };

static void line_stream(char *dst, const char *src)
{
    __m128i a = _mm_loadu_si128((const __m128i *)src), b = _mm_loadu_si128((const __m128i *)(src + 16));
    __m128i c = _mm_loadu_si128((const __m128i *)(src + 32)), d = _mm_loadu_si128((const __m128i *)(src + 48));
    _mm_stream_si128((__m128i *)dst, a);
    _mm_stream_si128((__m128i *)(dst + 16), b);
    _mm_stream_si128((__m128i *)(dst + 32), c);
    _mm_stream_si128((__m128i *)(dst + 48), d);
}

static void copy_stream(char *dst, const char *src, size_t n)
{
    size_t head = -(uintptr_t)dst % LINE, at = head < n ? head : n;
    memcpy(dst, src, at);
    for (; n - at >= PAGE * PAGES; at += PAGE * PAGES)
        for (size_t line = 0; line < PAGE; line += LINE)
            for (size_t page = 0; page < PAGE * PAGES; page += PAGE)
                line_stream(dst + at + page + line, src + at + page + line);
    _mm_sfence(); // before anybody is told
    memcpy(dst + at, src + at, n - at);
}
#else
static void copy_stream(char *dst, const char *src, size_t n)
{
    memcpy(dst, src, n);
}
#endif

struct line_copy {
    char *dst;
    const char *src;
    size_t bytes;
};

// In units of 64 bytes; the last one may be short.
static void line_part(const void *what, size_t first, size_t n)
{
    const struct line_copy *l = what;
    size_t at = first * 64, bytes = l->bytes - at < n * 64 ? l->bytes - at : n * 64;
    if (l->bytes >= STREAM_BYTES)
        copy_stream(l->dst + at, l->src + at, bytes);
    else
        memcpy(l->dst + at, l->src + at, bytes);
}

void bulk_copy(char *dst, const char *src, size_t bytes)
{
    struct line_copy l = {dst, src, bytes};
    if (bytes < SHARE_BYTES || (size_t)(dst - src) < bytes || (size_t)(src - dst) < bytes)
        memmove(dst, src, bytes); // also what overlaps: CUDA leaves it open
    else
        bulk_run((bytes + 63) / 64, 64, line_part, &l);
}
