// SPDX-License-Identifier: Apache-2.0
// Traces become a report. The first reading of a file finds its texts, since a record may name one that lies in a later chunk; the second
// one makes rows of its records. Annotations are sorted by time before ranges are put together. A file that is cut off or makes no sense
// counts as far as it does.
#include "base/map.h"
#include "base/tool/demangle.h"
#include "nsys/nsys.h"
#include "nsys/trace.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum table {
#define TABLE(name, columns) T_##name,
#include "nsys/table.def"
#undef TABLE
    TABLES
};
static const struct {
    const char *name, *columns;
} tables[TABLES] = {
#define TABLE(name, columns) {#name, columns},
#include "nsys/table.def"
#undef TABLE
};

struct import {
    struct database *db;
    struct statement *insert[TABLES];
    struct map strings;              // text -> its number
    struct map demangled, shortened; // symbol -> number of the other text
    int64_t nstrings;
    uint64_t origin, last, events; // by the clock of the traces
    bool devices;                  // were written
};

struct process {
    const char *data;
    size_t size;
    struct trace_process head;
    struct map texts; // number -> text, in the file
};

// ---- rows
static bool tables_make(struct import *im)
{
    for (int i = 0; i < TABLES; i++) {
        char sql[2048], marks[256] = "?";
        unsigned n = 1;
        for (const char *p = tables[i].columns; *p; p++)
            n += *p == ',';
        for (unsigned k = 1; k < n; k++)
            strcat(marks, ",?");
        snprintf(sql, sizeof sql, "CREATE TABLE %s (%s)", tables[i].name, tables[i].columns);
        if (!database_run(im->db, sql))
            return false;
        snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (%s)", tables[i].name, marks);
        if (!(im->insert[i] = statement_make(im->db, sql)))
            return false;
    }
    return true;
}
#define ROW(im, table, ...) statement_insert((im)->insert[T_##table], __VA_ARGS__)
#define I(x)                ((int64_t)(x))

// Numbers begin at 1: 0 stands for none.
static int64_t string_id(struct import *im, const char *text)
{
    int64_t id = (int64_t)(intptr_t)map_get_str(&im->strings, text);
    if (id)
        return id;
    id = ++im->nstrings;
    char *copy = strdup(text);
    map_put_str(&im->strings, copy, (void *)(intptr_t)id);
    ROW(im, StringIds, "it", id, copy);
    return id;
}

static int64_t derived_id(struct import *im, struct map *known, const char *symbol, bool is_short)
{
    int64_t id = (int64_t)(intptr_t)map_get_str(known, symbol);
    if (id)
        return id;
    char *name = demangle(symbol), *brief = is_short ? demangle_short(name) : NULL;
    id = string_id(im, is_short ? brief : name);
    map_put_str(known, strdup(symbol), (void *)(intptr_t)id);
    free(name);
    free(brief);
    return id;
}

static int64_t time_of(struct import *im, uint64_t t)
{
    im->last = t > im->last ? t : im->last;
    return (int64_t)(t - im->origin);
}

static int64_t global_pid(const struct process *p)
{
    return 1ll << 48 | (int64_t)p->head.pid << 24;
}

static int64_t global_tid(const struct process *p, uint32_t thread)
{
    return global_pid(p) | thread;
}

static const char *text_of(struct process *p, uint64_t number)
{
    const char *t = number ? map_get_ptr(&p->texts, (void *)(uintptr_t)number) : NULL;
    return t ? t : "";
}

static const char *call_name(bool runtime, uint32_t number)
{
    enum { MOST = 1024 };
    static const char *const driver_names[MOST] = {
#define CBID(name, number) [number] = #name,
#include "driver/cbid.def"
#undef CBID
    };
    static const char *const runtime_names[MOST] = {
#define CBID(name, version, number) [number] = #name "_" #version,
#include "runtime/cbid.def"
#undef CBID
    };
    const char *name = number < MOST ? (runtime ? runtime_names : driver_names)[number] : NULL;
    return name ? name : "unknown";
}

static void kernel_row(struct import *im, struct process *p, const struct timeline_event *e)
{
    const char *symbol = text_of(p, (uintptr_t)e->kernel.name);
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++)
        threads *= (uint64_t)e->kernel.grid[i] * e->kernel.block[i];
    ROW(im, CUPTI_ACTIVITY_KIND_KERNEL, "iiiiziiiiiiiiiiiiiiiiiiiiizzii", time_of(im, e->start), time_of(im, e->end),
        I(e->device), I(e->context), I(0), I(e->stream), I(e->correlation), global_pid(p),
        derived_id(im, &im->demangled, symbol, false), derived_id(im, &im->shortened, symbol, true),
        string_id(im, symbol), I(e->kernel.cooperative), I(0), I(e->kernel.registers), I(e->kernel.grid[0]),
        I(e->kernel.grid[1]), I(e->kernel.grid[2]), I(e->kernel.block[0]), I(e->kernel.block[1]), I(e->kernel.block[2]),
        I(e->kernel.shared_static), I(e->kernel.shared_dynamic), I(e->kernel.local_bytes),
        I(e->kernel.local_bytes * threads), I(e->kernel.id), I(e->kernel.shared_static + e->kernel.shared_dynamic),
        I(e->graph_node), I(e->graph), time_of(im, e->queued), global_tid(p, e->thread));
}

// As CUPTI numbers them: host, device and array to each.
static int64_t copy_kind(enum timeline_memory from, enum timeline_memory to)
{
    static const uint8_t kinds[3][3] = {{9, 1, 3}, {2, 8, 7}, {4, 6, 5}};
    static const uint8_t sides[] = {0, 0, 0, 1, 2, 1};
    return kinds[sides[from % 6]][sides[to % 6]];
}

static void copy_row(struct import *im, struct process *p, const struct timeline_event *e)
{
    ROW(im, CUPTI_ACTIVITY_KIND_MEMCPY, "iiiiziiiiiniiiiiiz", time_of(im, e->start), time_of(im, e->end), I(e->device),
        I(e->context), I(0), I(e->stream), I(e->correlation), global_pid(p), I(e->copy.bytes),
        copy_kind(e->copy.from, e->copy.to), I(e->copy.from) - 1, I(e->copy.to) - 1, I(e->copy.from_device),
        I(e->context), I(e->copy.to_device), I(e->context), I(e->graph_node));
}

static void call_row(struct import *im, struct process *p, const struct timeline_event *e)
{
    bool runtime = e->kind == TIMELINE_RUNTIME_CALL;
    ROW(im, CUPTI_ACTIVITY_KIND_RUNTIME, "iiiiiiin", time_of(im, e->start), time_of(im, e->end), I(runtime ? 0 : 1),
        global_tid(p, e->thread), I(e->correlation), string_id(im, call_name(runtime, e->call.number)),
        I(e->call.result));
}

static void event_row(struct import *im, struct process *p, const struct timeline_event *e)
{
    static const char *const how[] = {"quick", "optimised", "loaded"};
    int64_t start = time_of(im, e->start), end = time_of(im, e->end);
    switch (e->kind) {
    case TIMELINE_DRIVER_CALL:
    case TIMELINE_RUNTIME_CALL:
        call_row(im, p, e);
        break;
    case TIMELINE_KERNEL:
        kernel_row(im, p, e);
        break;
    case TIMELINE_COPY:
        copy_row(im, p, e);
        break;
    case TIMELINE_FILL:
        ROW(im, CUPTI_ACTIVITY_KIND_MEMSET, "iiiiziiiiizi", start, end, I(e->device), I(e->context), I(0), I(e->stream),
            I(e->correlation), global_pid(p), I(e->fill.value), I(e->fill.bytes), I(e->graph_node),
            I(e->fill.memory) - 1);
        break;
    case TIMELINE_SYNC:
        ROW(im, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "iiiiziiiii", start, end, I(e->device), I(e->context), I(0),
            I(e->stream), I(e->correlation), global_pid(p), I(e->sync.type), I(e->sync.event));
        break;
    case TIMELINE_GRAPH:
        ROW(im, CUPTI_ACTIVITY_KIND_GRAPH_TRACE, "iiiiziiii", start, end, I(e->device), I(e->context), I(0),
            I(e->stream), I(e->correlation), global_pid(p), I(e->graph));
        break;
    case TIMELINE_EVENT:
        ROW(im, CUPTI_ACTIVITY_KIND_CUDA_EVENT, "iiziiiii", I(e->device), I(e->context), I(0), I(e->stream),
            I(e->correlation), global_pid(p), I(e->sync.event), end);
        break;
    case TIMELINE_MEMORY:
        ROW(im, CUDA_GPU_MEMORY_USAGE_EVENTS, "iiiiiniiinii", start, global_pid(p), I(e->device), I(e->context),
            I(e->memory.address), I(e->memory.bytes), I(e->memory.memory) - 1, I(!e->made), I(e->correlation),
            I(e->stream));
        break;
    case TIMELINE_COMPILE:
        ROW(im, HEDDLE_COMPILE, "iiiitii", start, end, global_tid(p, e->thread),
            derived_id(im, &im->demangled, text_of(p, (uintptr_t)e->compile.name), false), how[e->compile.how % 3],
            I(e->compile.bytes), I(e->correlation));
        break;
    case TIMELINE_PART:
        ROW(im, HEDDLE_WORKER, "iiiiii", start, end, global_tid(p, e->thread),
            derived_id(im, &im->demangled, text_of(p, (uintptr_t)e->part.name), false), I(e->part.blocks),
            I(e->correlation));
        break;
    case TIMELINE_HOST:
        ROW(im, HEDDLE_HOST_FUNCTION, "iiiiiii", start, end, I(e->device), I(e->context), I(e->stream),
            I(e->correlation), global_tid(p, e->thread));
        break;
    default:
        return;
    }
    im->events++;
}

// ---- annotations
struct notes {
    struct trace_note *data;
    size_t n, room;
};

static int by_time(const void *a, const void *b)
{
    const struct trace_note *x = a, *y = b;
    return x->time < y->time ? -1 : x->time > y->time;
}

static void note_row(struct import *im, struct process *p, const struct trace_note *n, const struct trace_note *end)
{
    // Numbers of Nsight Systems' types of events.
    static const uint8_t types[] = {
        [NOTE_MARK] = 34, [NOTE_PUSH] = 59, [NOTE_START] = 60, [NOTE_NAME_CATEGORY] = 33, [NOTE_DOMAIN] = 75};
    uint32_t type = n->payload_type; // nvtxPayloadType_t: 64, 32 bits, each without a sign, with one, real
    double real = 0;
    float single = 0;
    memcpy(&real, &n->payload, sizeof real);
    memcpy(&single, &n->payload, sizeof single);
    ROW(im, NVTX_EVENTS, "ioiizotizniooOooOnnn", time_of(im, n->time), end != NULL, end ? time_of(im, end->time) : I(0),
        I(types[n->kind]), I(n->id), I(n->category), n->has_color != 0, I(n->color),
        n->text ? text_of(p, n->text) : NULL, global_tid(p, n->thread), end ? global_tid(p, end->thread) : I(0),
        I(n->domain_number), type == 1, I(n->payload), type == 2, I(n->payload), type == 3, real, type == 4,
        I((uint32_t)n->payload), type == 5, I((int32_t)n->payload), type == 6, (double)single);
    im->events++;
}

static void thread_row(struct import *im, struct process *p, const struct trace_note *n)
{
    ROW(im, ThreadNames, "iii", string_id(im, text_of(p, n->text)), I(0), global_tid(p, (uint32_t)n->id));
}

static void notes_rows(struct import *im, struct process *p, struct notes *notes)
{
    struct map begun = {0}; // number of a range -> its beginning
    if (notes->n)
        qsort(notes->data, notes->n, sizeof *notes->data, by_time);
    for (size_t i = 0; i < notes->n; i++) {
        struct trace_note *n = &notes->data[i];
        struct trace_note *from;
        switch (n->kind) {
        case NOTE_PUSH:
        case NOTE_START:
            map_put_ptr(&begun, (void *)(uintptr_t)n->id, n);
            break;
        case NOTE_POP:
        case NOTE_END:
            from = map_get_ptr(&begun, (void *)(uintptr_t)n->id);
            if (from && from->kind != NOTE_POP) {
                note_row(im, p, from, n);
                from->kind = NOTE_POP; // told
            }
            break;
        case NOTE_NAME_THREAD:
            thread_row(im, p, n);
            break;
        case NOTE_MARK:
        case NOTE_NAME_CATEGORY:
        case NOTE_DOMAIN:
            note_row(im, p, n, NULL);
            break;
        default:
            break;
        }
    }
    for (size_t i = 0; i < notes->n; i++) // ranges without an end
        if (notes->data[i].kind == NOTE_PUSH || notes->data[i].kind == NOTE_START)
            note_row(im, p, &notes->data[i], NULL);
    map_free(&begun);
}

// ---- reading
// The record behind r in its chunk, or the first one; NULL: there is no more.
static const struct trace_record *record_next(const struct process *p, size_t chunk, const struct trace_record *r)
{
    const char *at = r ? (const char *)r + r->size : p->data + chunk;
    const char *end = p->data + chunk + TRACE_CHUNK;
    end = end > p->data + p->size ? p->data + p->size : end;
    if (end - at < (ptrdiff_t)sizeof(struct trace_record))
        return NULL;
    const struct trace_record *next = (const struct trace_record *)at;
    bool whole = next->kind && next->size >= sizeof *next && next->size % 8 == 0 && next->size <= (size_t)(end - at);
    return whole ? next : NULL;
}

static void device_row(struct import *im, const struct trace_device *d)
{
    char name[sizeof d->name + 1], bus[sizeof d->bus + 1], uuid[sizeof d->uuid + 1];
    snprintf(name, sizeof name, "%.*s", (int)sizeof d->name, d->name);
    snprintf(bus, sizeof bus, "%.*s", (int)sizeof d->bus, d->bus);
    snprintf(uuid, sizeof uuid, "%.*s", (int)sizeof d->uuid, d->uuid);
    ROW(im, TARGET_INFO_GPU, "iittiiiniintnninniiiiiiiii", I(0), I(d->number), name, bus, I(0), I(d->l2_bytes),
        I(d->memory), I(d->clock_khz) * 1000, I(d->sms), uuid, I(d->number), I(d->sms), I(d->major), I(d->minor),
        I(d->constant_bytes), I(d->warp), I(d->warp ? d->threads_sm / d->warp : 0), I(d->blocks_sm), I(d->shared_sm),
        I(d->registers_sm));
}

static void records_read(struct import *im, struct process *p, struct notes *notes, bool texts)
{
    for (size_t chunk = TRACE_CHUNK; chunk < p->size; chunk += TRACE_CHUNK)
        for (const struct trace_record *r = NULL; (r = record_next(p, chunk, r));) {
            size_t size = r->size - sizeof *r;
            if (r->kind == TRACE_TEXT && texts && size > sizeof(uint64_t) && !((const char *)(r + 1))[size - 1]) {
                uint64_t number;
                memcpy(&number, r + 1, sizeof number);
                if (number)
                    map_put_ptr(&p->texts, (void *)(uintptr_t)number, (char *)(r + 1) + sizeof number);
            } else if (r->kind == TRACE_DEVICE && texts && !im->devices && size >= sizeof(struct trace_device)) {
                device_row(im, (const struct trace_device *)(r + 1));
            } else if (r->kind == TRACE_EVENT && !texts && size >= offsetof(struct timeline_event, call)) {
                struct timeline_event e = {0};
                memcpy(&e, r + 1, size < sizeof e ? size : sizeof e);
                if ((unsigned)e.kind < TIMELINE_KINDS)
                    event_row(im, p, &e);
            } else if (r->kind == TRACE_NOTE && !texts && size >= sizeof(struct trace_note)) {
                if (notes->n == notes->room) {
                    size_t room = notes->room ? 2 * notes->room : 256;
                    struct trace_note *more = realloc(notes->data, room * sizeof *more);
                    if (!more)
                        return;
                    notes->data = more;
                    notes->room = room;
                }
                memcpy(&notes->data[notes->n++], r + 1, sizeof *notes->data);
            }
        }
    im->devices |= texts;
}

static bool process_open(struct process *p, const char *path)
{
    struct stat s;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *p = (struct process){0};
    if (fd < 0 || fstat(fd, &s) || s.st_size < (off_t)sizeof p->head) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    p->size = (size_t)s.st_size;
    void *data = mmap(NULL, p->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED)
        return false;
    p->data = data;
    memcpy(&p->head, data, sizeof p->head);
    p->head.name[sizeof p->head.name - 1] = 0;
    return !memcmp(p->head.magic, TRACE_MAGIC, sizeof TRACE_MAGIC) && p->head.version == TRACE_VERSION;
}

static void process_rows(struct import *im, struct process *p)
{
    struct notes notes = {0};
    ROW(im, PROCESSES, "iit", global_pid(p), I(p->head.pid), p->head.name);
    records_read(im, p, &notes, true);
    records_read(im, p, &notes, false);
    notes_rows(im, p, &notes);
    free(notes.data);
    map_free(&p->texts);
    munmap((void *)p->data, p->size);
}

// ---- what is the same in every report
static void names_rows(struct import *im)
{
    static const struct {
        enum table table;
        int id;
        const char *name, *label;
    } rows[] = {
#define NAME(table, id, name, label) {T_##table, id, name, label},
#include "nsys/name.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        statement_insert(im->insert[rows[i].table], "itt", I(rows[i].id), rows[i].name, rows[i].label);
}

static void session_rows(struct import *im, uint64_t real_time)
{
    char utc[64], local[64];
    time_t seconds = (time_t)(real_time / 1000000000);
    struct tm tm;
    strftime(utc, sizeof utc, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &tm));
    strftime(local, sizeof local, "%Y-%m-%dT%H:%M:%S%z", localtime_r(&seconds, &tm));
    ROW(im, TARGET_INFO_SESSION_START_TIME, "itt", I(real_time), utc, local);
    ROW(im, ANALYSIS_DETAILS, "iiii", I(1ll << 48), I(im->last - im->origin), I(0), I(im->last - im->origin));
    ROW(im, META_DATA_CAPTURE, "tt", "PRODUCT", "Heddle nsys");
}

static void tables_end(struct import *im)
{
    for (int i = 0; i < TABLES; i++) {
        char sql[128];
        statement_free(im->insert[i]);
        snprintf(sql, sizeof sql, "SELECT 1 FROM %s LIMIT 1", tables[i].name);
        struct statement *s = statement_make(im->db, sql);
        bool any = s && statement_next(s);
        if (s)
            statement_free(s);
        snprintf(sql, sizeof sql, "DROP TABLE %s", tables[i].name);
        if (!any)
            database_run(im->db, sql);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Files *.trace of the folder, in the order of their names; the list and they are from malloc.
static size_t traces_list(const char *folder, char ***out)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    *out = NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t len = strlen(e->d_name);
        if (len < 6 || strcmp(e->d_name + len - 6, ".trace") != 0)
            continue;
        char **more = realloc(*out, (n + 1) * sizeof *more), *path = malloc(strlen(folder) + len + 2);
        if (!more || !path)
            break;
        sprintf(path, "%s/%s", folder, e->d_name);
        *out = more;
        more[n++] = path;
    }
    if (d)
        closedir(d);
    if (n)
        qsort(*out, n, sizeof **out, by_name);
    return n;
}

// Texts that were copied, with their numbers.
static void texts_free(struct map *m)
{
    for (size_t i = 0; i < m->cap; i++)
        free((void *)m->keys[i]);
    map_free(m);
}

bool import_traces(const char *folder, const char *report, uint64_t *events)
{
    struct import im = {.db = database_open(report, true)};
    char **paths;
    if (!im.db || !database_run(im.db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN") ||
        !tables_make(&im))
        return false;
    size_t n = traces_list(folder, &paths);
    struct process *all = calloc(n + 1, sizeof *all);
    uint64_t real_time = 0;
    for (size_t i = 0; i < n && all; i++)
        if (process_open(&all[i], paths[i]) && (!im.origin || all[i].head.began < im.origin)) {
            im.origin = all[i].head.began;
            real_time = all[i].head.real_time;
        }
    im.last = im.origin;
    for (size_t i = 0; i < n && all; i++) {
        if (all[i].data && !memcmp(all[i].head.magic, TRACE_MAGIC, sizeof TRACE_MAGIC))
            process_rows(&im, &all[i]);
        else
            fprintf(stderr, "nsys: %s is no trace, or of another version\n", paths[i]);
        free(paths[i]);
    }
    names_rows(&im);
    session_rows(&im, real_time);
    tables_end(&im);
    *events = im.events;
    bool ok = all && database_run(im.db, "COMMIT");
    database_close(im.db);
    texts_free(&im.strings);
    texts_free(&im.demangled);
    texts_free(&im.shortened);
    free(all);
    free(paths);
    return ok;
}
