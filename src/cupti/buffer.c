// SPDX-License-Identifier: Apache-2.0
// Buffers of activity records. The tool gives one when a record comes that has no room, and gets it back when it is full or flushed. The tool's
// functions are called without the lock, but for the request.
#include "cupti/inner.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

struct buffer {
    uint8_t *data;
    size_t size, used, most, records; // most: records at most; 0: as many as there is room for
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer now;
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static atomic_size_t dropped;
static atomic_bool zeroed;
static atomic_uint period_ms;

void buffer_zeroed(bool on)
{
    atomic_store(&zeroed, on);
}

bool buffer_is_zeroed(void)
{
    return atomic_load(&zeroed);
}

// Takes the buffer away from the records that come; the lock is held.
static struct buffer take(void)
{
    struct buffer b = now;
    now = (struct buffer){0};
    return b;
}

static void give(const struct buffer *b)
{
    CUpti_BuffersCallbackCompleteFunc f = complete;
    if (b->data && f)
        f(NULL, 0, b->data, b->size, b->used);
}

static bool has_room(size_t size)
{
    return now.data && size <= now.size - now.used && !(now.most && now.records == now.most);
}

void buffer_put(const void *record, size_t size)
{
    struct buffer full = {0};
    pthread_mutex_lock(&lock);
    if (__builtin_expect(!has_room(size), 0)) {
        full = take();
        if (request)
            request(&now.data, &now.size, &now.most);
        now.size = now.data ? now.size : 0;
    }
    if (has_room(size)) {
        memcpy(now.data + now.used, record, size);
        now.used += size;
        now.records++;
        if (atomic_load_explicit(&zeroed, memory_order_relaxed) && now.size - now.used >= sizeof(uint32_t))
            memset(now.data + now.used, 0, sizeof(uint32_t));
    } else {
        atomic_fetch_add(&dropped, 1);
    }
    pthread_mutex_unlock(&lock);
    give(&full);
}

void buffer_flush(void)
{
    struct buffer b = {0};
    pthread_mutex_lock(&lock);
    if (now.used)
        b = take();
    pthread_mutex_unlock(&lock);
    give(&b);
}

CUptiResult buffer_callbacks(CUpti_BuffersCallbackRequestFunc ask, CUpti_BuffersCallbackCompleteFunc done)
{
    if (!ask || !done)
        return CUPTI_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&lock);
    request = ask;
    complete = done;
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

bool buffer_is_ready(void)
{
    return complete != NULL;
}

size_t buffer_dropped(void)
{
    return atomic_exchange(&dropped, 0);
}

static void *flush_often(void *none)
{
    for (unsigned ms; (ms = atomic_load(&period_ms));) {
        struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};
        nanosleep(&t, NULL);
        buffer_flush();
    }
    return none;
}

CUptiResult buffer_period(uint32_t milliseconds)
{
    pthread_t thread;
    if (atomic_exchange(&period_ms, milliseconds) || !milliseconds)
        return CUPTI_SUCCESS;
    if (pthread_create(&thread, NULL, flush_often, NULL))
        return CUPTI_ERROR_OUT_OF_MEMORY;
    pthread_detach(thread);
    return CUPTI_SUCCESS;
}
