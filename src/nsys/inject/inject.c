// SPDX-License-Identifier: Apache-2.0
// The library that nsys puts into a program: cuInit loads it (CUDA_INJECTION64_PATH), and NVTX (NVTX_INJECTION64_PATH). It listens to the
// timeline and writes what it hears (trace.h). Each thread writes to a chunk of its own: nothing is shared but the number of the next one.
#include "nsys/trace.h"
#include <cuda.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { TEXTS = 1 << 14, TEXT_MOST = 4096 };

static int file = -1;
static atomic_ullong chunks;
static uint32_t kinds;
static atomic_bool active;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

// ---- chunks
// A thread writes to one chunk, which it has mapped. When that is full it goes to the end of the file as it is, and the thread begins anew: to
// write a page is cheaper than to have a new one mapped.
struct chunk {
    char *at, *end;
    bool writing; // told in the middle of a record, by a signal's handler
};
static _Thread_local struct chunk mine;

static off_t chunk_next(void)
{
    return (off_t)(atomic_fetch_add(&chunks, 1) * TRACE_CHUNK);
}

static bool chunk_map(void)
{
    off_t at = chunk_next();
    if (file < 0 || posix_fallocate(file, at, TRACE_CHUNK))
        return false;
    char *p = mmap(NULL, TRACE_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, at);
    if (p == MAP_FAILED)
        return false;
    mine.at = p;
    mine.end = p + TRACE_CHUNK;
    pthread_setspecific(key, &mine);
    return true;
}

// The first record is taken back before they are written, so that none is there twice.
static bool chunk_spill(void)
{
    struct trace_record *first = (struct trace_record *)(mine.end - TRACE_CHUNK), head = *first;
    const struct iovec parts[2] = {{&head, sizeof head}, {first + 1, TRACE_CHUNK - sizeof head}};
    __atomic_store_n(&first->kind, (uint16_t)TRACE_END, __ATOMIC_RELEASE);
    mine.at = (char *)first;
    return pwritev(file, parts, 2, chunk_next()) == TRACE_CHUNK;
}

static void thread_end(void *none)
{
    (void)none;
    if (mine.end)
        munmap(mine.end - TRACE_CHUNK, TRACE_CHUNK);
    mine = (struct chunk){0};
}

// Room for a record, whose kind is written last; NULL: there is none.
static struct trace_record *record_begin(size_t size)
{
    size = (size + sizeof(struct trace_record) + 7) & ~(size_t)7;
    if (__builtin_expect((size_t)(mine.end - mine.at) < size + sizeof(struct trace_record), 0) &&
        !(mine.end ? chunk_spill() : chunk_map()))
        return NULL;
    struct trace_record *r = (struct trace_record *)mine.at;
    r->size = (uint32_t)size;
    mine.at += size;
    ((struct trace_record *)mine.at)->kind = TRACE_END;
    return r;
}

static void record_end(struct trace_record *r, enum trace_kind kind)
{
    __atomic_store_n(&r->kind, (uint16_t)kind, __ATOMIC_RELEASE);
}

static void put(enum trace_kind kind, const void *data, size_t size)
{
    struct trace_record *r = record_begin(size);
    if (!r)
        return;
    memcpy(r + 1, data, size);
    record_end(r, kind);
}

// ---- texts: found by their address, as long as there is the same text
static struct text {
    _Atomic(const char *) address;
    char *copy;
} texts[TEXTS];
static pthread_mutex_t texts_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t ntexts;

static void text_put(uint64_t number, const char *text)
{
    size_t size = strnlen(text, TEXT_MOST);
    struct trace_record *r = record_begin(sizeof number + size + 1);
    if (!r)
        return;
    memcpy(r + 1, &number, sizeof number);
    memcpy((char *)(r + 1) + sizeof number, text, size);
    ((char *)(r + 1))[sizeof number + size] = 0;
    record_end(r, TRACE_TEXT);
}

// What has no place in the table gets a number of its own each time.
static uint64_t text_new(const char *text, struct text *free_place, uint64_t place)
{
    pthread_mutex_lock(&texts_lock);
    uint64_t number = place;
    if (!free_place || atomic_load(&free_place->address)) {
        number = TEXTS + ++ntexts;
    } else if ((free_place->copy = strndup(text, TEXT_MOST))) {
        atomic_store_explicit(&free_place->address, text, memory_order_release);
    }
    pthread_mutex_unlock(&texts_lock);
    text_put(number, text);
    return number;
}

static uint64_t text_number(const char *text)
{
    enum { PROBES = 8 };
    if (!text)
        return 0;
    uint64_t hash = ((uintptr_t)text >> 3) * 0x9e3779b97f4a7c15u >> 32;
    for (unsigned i = 0; i < PROBES; i++) {
        uint64_t place = 1 + (hash + i) % (TEXTS - 1);
        const char *address = atomic_load_explicit(&texts[place].address, memory_order_acquire);
        if (!address)
            return text_new(text, &texts[place], place);
        if (address == text && !strncmp(texts[place].copy, text, TEXT_MOST))
            return place;
    }
    return text_new(text, NULL, 0);
}

// ---- events
#define UPTO(member) (offsetof(struct timeline_event, member) + sizeof(((struct timeline_event *)0)->member))
static const uint16_t sizes[TIMELINE_KINDS] = {
    [TIMELINE_DRIVER_CALL] = UPTO(call), [TIMELINE_RUNTIME_CALL] = UPTO(call), [TIMELINE_KERNEL] = UPTO(kernel),
    [TIMELINE_COPY] = UPTO(copy),        [TIMELINE_FILL] = UPTO(fill),         [TIMELINE_HOST] = UPTO(graph),
    [TIMELINE_GRAPH] = UPTO(graph),      [TIMELINE_SYNC] = UPTO(sync),         [TIMELINE_MEMORY] = UPTO(memory),
    [TIMELINE_COMPILE] = UPTO(compile),  [TIMELINE_PART] = UPTO(part),         [TIMELINE_CONTEXT] = UPTO(object),
    [TIMELINE_STREAM] = UPTO(object),    [TIMELINE_MODULE] = UPTO(object),     [TIMELINE_EVENT] = UPTO(sync)};

static bool is_call(const struct timeline_event *e, const char *what)
{
    size_t prefix = !strncmp(e->call.name, "cuda", 4) ? 4 : 2;
    return !strcmp(e->call.name + prefix, what);
}

// Whether it is wanted: with TRACE_RANGE from one call to the other.
static bool in_range(const struct timeline_event *e)
{
    if (__builtin_expect(!(kinds & TRACE_RANGE), 1))
        return true;
    if (e->kind == TIMELINE_DRIVER_CALL || e->kind == TIMELINE_RUNTIME_CALL) {
        if (is_call(e, "ProfilerStart"))
            atomic_store(&active, true);
        else if (is_call(e, "ProfilerStop"))
            atomic_store(&active, false);
    }
    return atomic_load_explicit(&active, memory_order_relaxed);
}

static void told(struct timeline_sink *s, const struct timeline_event *e)
{
    uint64_t name = 0;
    (void)s;
    if (mine.writing || !in_range(e))
        return;
    mine.writing = true;
    if (e->kind == TIMELINE_KERNEL)
        name = text_number(e->kernel.name);
    else if (e->kind == TIMELINE_COMPILE)
        name = text_number(e->compile.name);
    else if (e->kind == TIMELINE_PART)
        name = text_number(e->part.name);
    struct trace_record *r = record_begin(sizes[e->kind]);
    if (r) {
        struct timeline_event *to = (struct timeline_event *)(r + 1);
        memcpy(to, e, sizes[e->kind]);
        if (name) // the same place in all of them
            to->part.name = (const char *)(uintptr_t)name;
        record_end(r, TRACE_EVENT);
    }
    mine.writing = false;
}

static uint64_t now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static void noted(const struct nvtx_note *n)
{
    if (mine.writing || file < 0 || (kinds & TRACE_RANGE && !atomic_load(&active)))
        return;
    mine.writing = true;
    struct trace_note t = {.time = now_ns(CLOCK_MONOTONIC),
                           .id = n->id,
                           .payload = n->payload,
                           .thread = (uint32_t)syscall(SYS_gettid),
                           .kind = n->kind,
                           .domain_number = n->domain_number,
                           .category = n->category,
                           .color = n->color,
                           .payload_type = n->payload_type,
                           .has_color = n->has_color};
    t.text = text_number(n->text);
    t.domain = text_number(n->domain);
    put(TRACE_NOTE, &t, sizeof t);
    mine.writing = false;
}

// ---- beginning
static void at_fork(void)
{
    file = -1; // the child has a file of its own when it is another program
    kinds = 0;
    mine = (struct chunk){0};
}

static void open_file(void)
{
    const char *folder = secure_getenv(TRACE_FOLDER), *mask = secure_getenv(TRACE_KINDS);
    char path[4096];
    if (!folder || !mask || snprintf(path, sizeof path, "%s/%d.trace", folder, (int)getpid()) >= (int)sizeof path)
        return;
    kinds = (uint32_t)strtoul(mask, NULL, 16);
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || pthread_key_create(&key, thread_end)) {
        fprintf(stderr, "nsys: %s cannot be written: the timeline of this process is lost\n", path);
        file = -1;
        return;
    }
    pthread_atfork(NULL, NULL, at_fork);
    struct trace_process head = {.magic = TRACE_MAGIC,
                                 .version = TRACE_VERSION,
                                 .pid = (uint32_t)getpid(),
                                 .began = now_ns(CLOCK_MONOTONIC),
                                 .real_time = now_ns(CLOCK_REALTIME)};
    ssize_t n = readlink("/proc/self/exe", head.name, sizeof head.name - 1);
    head.name[n > 0 ? n : 0] = 0;
    if (pwrite(file, &head, sizeof head, chunk_next()) != sizeof head)
        file = -1;
}

static void devices_put(void *driver)
{
    CUresult (*count)(int *) = (CUresult (*)(int *))dlsym(driver, "cuDeviceGetCount");
    CUresult (*name)(char *, int, CUdevice) = (CUresult (*)(char *, int, CUdevice))dlsym(driver, "cuDeviceGetName");
    CUresult (*bus)(char *, int, CUdevice) = (CUresult (*)(char *, int, CUdevice))dlsym(driver, "cuDeviceGetPCIBusId");
    CUresult (*memory)(size_t *, CUdevice) = (CUresult (*)(size_t *, CUdevice))dlsym(driver, "cuDeviceTotalMem_v2");
    CUresult (*uuid)(CUuuid *, CUdevice) = (CUresult (*)(CUuuid *, CUdevice))dlsym(driver, "cuDeviceGetUuid_v2");
    CUresult (*attribute)(int *, CUdevice_attribute, CUdevice) =
        (CUresult (*)(int *, CUdevice_attribute, CUdevice))dlsym(driver, "cuDeviceGetAttribute");
    static const struct {
        size_t at;
        CUdevice_attribute attribute;
    } fields[] = {
#define FIELD(field, name) {offsetof(struct trace_device, field), CU_DEVICE_ATTRIBUTE_##name}
        FIELD(major, COMPUTE_CAPABILITY_MAJOR),
        FIELD(minor, COMPUTE_CAPABILITY_MINOR),
        FIELD(sms, MULTIPROCESSOR_COUNT),
        FIELD(clock_khz, CLOCK_RATE),
        FIELD(warp, WARP_SIZE),
        FIELD(threads_sm, MAX_THREADS_PER_MULTIPROCESSOR),
        FIELD(blocks_sm, MAX_BLOCKS_PER_MULTIPROCESSOR),
        FIELD(shared_sm, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
        FIELD(registers_sm, MAX_REGISTERS_PER_MULTIPROCESSOR),
        FIELD(l2_bytes, L2_CACHE_SIZE),
        FIELD(constant_bytes, TOTAL_CONSTANT_MEMORY)};
    int n = 0;
    if (!count || !name || !bus || !memory || !uuid || !attribute || count(&n))
        return;
    for (int i = 0; i < n && i < TRACE_DEVICES; i++) {
        struct trace_device d = {.number = (uint32_t)i};
        size_t bytes = 0;
        CUuuid u = {0};
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
            int value = 0;
            attribute(&value, fields[k].attribute, i);
            memcpy((char *)&d + fields[k].at, &value, sizeof value);
        }
        name(d.name, sizeof d.name, i);
        bus(d.bus, sizeof d.bus, i);
        memory(&bytes, i);
        uuid(&u, i);
        for (int b = 0, at = 0; b < 16; b++)
            at += snprintf(d.uuid + at, sizeof d.uuid - (size_t)at,
                           b == 4 || b == 6 || b == 8 || b == 10 ? "-%02x" : "%02x", (unsigned char)u.bytes[b]);
        d.memory = bytes;
        put(TRACE_DEVICE, &d, sizeof d);
    }
}

__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void)
{
    static struct timeline_sink sink = {.event = told};
    pthread_once(&once, open_file);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    timeline_access_fn *access = driver ? (timeline_access_fn *)dlsym(driver, "heddleTimeline") : NULL;
    const struct timeline_access *t = access ? access() : NULL;
    if (file < 0 || !t || t->version != TIMELINE_VERSION)
        return 0;
    mine.writing = true;
    devices_put(driver);
    mine.writing = false;
    return t->listen(&sink, kinds & ((1u << TIMELINE_KINDS) - 1));
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(nvtx_export_fn *get);
int InitializeInjectionNvtx2(nvtx_export_fn *get)
{
    static const struct nvtx_listener listener = {.note = noted};
    pthread_once(&once, open_file);
    return file >= 0 && kinds & TRACE_NVTX && nvtx_inject(get, &listener);
}
