// SPDX-License-Identifier: Apache-2.0
// See inject.h. Ranges of a thread lie within each other, domain by domain; a range's number is drawn when it begins. Strings and domains that
// a program registers stay for ever: it may use them until it ends.
#define NVTX_NO_IMPL
#include "nvtx/inject/inject.h"
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <cupti_nvtx_cbid.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1024, DEPTH = 256, DOMAINS = 64 };

struct domain {
    uint32_t number;
    char name[];
};

static const struct nvtx_listener *listener;
static atomic_ullong ranges;
static atomic_uint domains;
static _Thread_local struct {
    uint64_t ids[DEPTH];
    int n;
} stacks[DOMAINS]; // by the domain's number; those beyond share the last

// wchar_t to UTF-8, cut to what there is room for.
static const char *narrow(const wchar_t *text, char *out)
{
    size_t n = 0;
    for (; text && *text && n + 5 < TEXT; text++) {
        uint32_t c = (uint32_t)*text;
        if (c < 0x80) {
            out[n++] = (char)c;
        } else if (c < 0x800) {
            out[n++] = (char)(0xc0 | c >> 6);
            out[n++] = (char)(0x80 | (c & 63));
        } else if (c < 0x10000) {
            out[n++] = (char)(0xe0 | c >> 12);
            out[n++] = (char)(0x80 | (c >> 6 & 63));
            out[n++] = (char)(0x80 | (c & 63));
        } else {
            out[n++] = (char)(0xf0 | (c >> 18 & 7));
            out[n++] = (char)(0x80 | (c >> 12 & 63));
            out[n++] = (char)(0x80 | (c >> 6 & 63));
            out[n++] = (char)(0x80 | (c & 63));
        }
    }
    out[n] = 0;
    return text ? out : NULL;
}

static void read_domain(struct nvtx_note *n, nvtxDomainHandle_t handle)
{
    const struct domain *d = (const struct domain *)handle;
    n->domain = d ? d->name : NULL;
    n->domain_number = d ? d->number : 0;
}

static void read_attributes(struct nvtx_note *n, const nvtxEventAttributes_t *a, char *room)
{
    if (!a)
        return;
    n->category = a->category;
    n->has_color = a->colorType == NVTX_COLOR_ARGB;
    n->color = n->has_color ? a->color : 0;
    n->payload_type = (uint32_t)a->payloadType;
    n->payload = a->payload.ullValue;
    if (a->messageType == NVTX_MESSAGE_TYPE_ASCII)
        n->text = a->message.ascii;
    else if (a->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        n->text = narrow(a->message.unicode, room);
    else if (a->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
        n->text = (const char *)a->message.registered;
}

static int *stack_of(uint32_t domain, uint64_t **ids)
{
    uint32_t i = domain < DOMAINS ? domain : DOMAINS - 1;
    *ids = stacks[i].ids;
    return &stacks[i].n;
}

static int push(struct nvtx_note *n)
{
    uint64_t *ids;
    int *depth = stack_of(n->domain_number, &ids);
    n->kind = NOTE_PUSH;
    n->id = atomic_fetch_add(&ranges, 1) + 1;
    if (*depth < DEPTH)
        ids[*depth] = n->id;
    listener->note(n);
    return (*depth)++;
}

static int pop(nvtxDomainHandle_t domain)
{
    uint64_t *ids;
    struct nvtx_note n = {.kind = NOTE_POP};
    read_domain(&n, domain);
    int *depth = stack_of(n.domain_number, &ids);
    if (!*depth)
        return NVTX_NO_PUSH_POP_TRACKING;
    --*depth;
    n.id = *depth < DEPTH ? ids[*depth] : 0;
    if (n.id)
        listener->note(&n);
    return *depth;
}

static uint64_t start(struct nvtx_note *n)
{
    n->kind = NOTE_START;
    n->id = atomic_fetch_add(&ranges, 1) + 1;
    listener->note(n);
    return n->id;
}

static void end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    struct nvtx_note n = {.kind = NOTE_END, .id = id};
    read_domain(&n, domain);
    listener->note(&n);
}

static void named(enum nvtx_note_kind kind, nvtxDomainHandle_t domain, uint64_t id, const char *text)
{
    struct nvtx_note n = {.kind = kind, .id = id, .text = text};
    read_domain(&n, domain);
    listener->note(&n);
}

// ---- module CORE. Calls of it have numbers of CUPTI's.
#define TOLD(name, ...)                                                                                                \
    struct {                                                                                                           \
        __VA_ARGS__                                                                                                    \
    } params
#define TELL(name)                                                                                                     \
    do {                                                                                                               \
        if (listener->call)                                                                                            \
            listener->call(CUPTI_CBID_NVTX_nvtx##name, "nvtx" #name, &params);                                         \
    } while (0)

static void mark_ex(const nvtxEventAttributes_t *a)
{
    char room[TEXT];
    struct nvtx_note n = {.kind = NOTE_MARK};
    TOLD(MarkEx, const nvtxEventAttributes_t *a;) = {a};
    TELL(MarkEx);
    read_attributes(&n, a, room);
    listener->note(&n);
}
static void mark_a(const char *text)
{
    struct nvtx_note n = {.kind = NOTE_MARK, .text = text};
    TOLD(MarkA, const char *text;) = {text};
    TELL(MarkA);
    listener->note(&n);
}
static void mark_w(const wchar_t *text)
{
    char room[TEXT];
    struct nvtx_note n = {.kind = NOTE_MARK, .text = narrow(text, room)};
    TOLD(MarkW, const wchar_t *text;) = {text};
    TELL(MarkW);
    listener->note(&n);
}
static nvtxRangeId_t start_ex(const nvtxEventAttributes_t *a)
{
    char room[TEXT];
    struct nvtx_note n = {0};
    TOLD(RangeStartEx, const nvtxEventAttributes_t *a;) = {a};
    TELL(RangeStartEx);
    read_attributes(&n, a, room);
    return start(&n);
}
static nvtxRangeId_t start_a(const char *text)
{
    struct nvtx_note n = {.text = text};
    TOLD(RangeStartA, const char *text;) = {text};
    TELL(RangeStartA);
    return start(&n);
}
static nvtxRangeId_t start_w(const wchar_t *text)
{
    char room[TEXT];
    struct nvtx_note n = {.text = narrow(text, room)};
    TOLD(RangeStartW, const wchar_t *text;) = {text};
    TELL(RangeStartW);
    return start(&n);
}
static void range_end(nvtxRangeId_t id)
{
    TOLD(RangeEnd, nvtxRangeId_t id;) = {id};
    TELL(RangeEnd);
    end(NULL, id);
}
static int push_ex(const nvtxEventAttributes_t *a)
{
    char room[TEXT];
    struct nvtx_note n = {0};
    TOLD(RangePushEx, const nvtxEventAttributes_t *a;) = {a};
    TELL(RangePushEx);
    read_attributes(&n, a, room);
    return push(&n);
}
static int push_a(const char *text)
{
    struct nvtx_note n = {.text = text};
    TOLD(RangePushA, const char *text;) = {text};
    TELL(RangePushA);
    return push(&n);
}
static int push_w(const wchar_t *text)
{
    char room[TEXT];
    struct nvtx_note n = {.text = narrow(text, room)};
    TOLD(RangePushW, const wchar_t *text;) = {text};
    TELL(RangePushW);
    return push(&n);
}
static int range_pop(void)
{
    TOLD(RangePop, char none;) = {0};
    TELL(RangePop);
    return pop(NULL);
}
static void name_category_a(uint32_t category, const char *text)
{
    named(NOTE_NAME_CATEGORY, NULL, category, text);
}
static void name_category_w(uint32_t category, const wchar_t *text)
{
    char room[TEXT];
    named(NOTE_NAME_CATEGORY, NULL, category, narrow(text, room));
}
static void name_thread_a(uint32_t thread, const char *text)
{
    named(NOTE_NAME_THREAD, NULL, thread, text);
}
static void name_thread_w(uint32_t thread, const wchar_t *text)
{
    char room[TEXT];
    named(NOTE_NAME_THREAD, NULL, thread, narrow(text, room));
}

// ---- module CORE2
static void domain_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
    char room[TEXT];
    struct nvtx_note n = {.kind = NOTE_MARK};
    read_domain(&n, domain);
    read_attributes(&n, a, room);
    listener->note(&n);
}
static nvtxRangeId_t domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
    char room[TEXT];
    struct nvtx_note n = {0};
    read_domain(&n, domain);
    read_attributes(&n, a, room);
    return start(&n);
}
static int domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
    char room[TEXT];
    struct nvtx_note n = {0};
    read_domain(&n, domain);
    read_attributes(&n, a, room);
    return push(&n);
}
static nvtxStringHandle_t register_a(nvtxDomainHandle_t domain, const char *text)
{
    (void)domain;
    return (nvtxStringHandle_t)strdup(text ? text : "");
}
static nvtxStringHandle_t register_w(nvtxDomainHandle_t domain, const wchar_t *text)
{
    char room[TEXT];
    return register_a(domain, narrow(text, room));
}
static nvtxDomainHandle_t create_a(const char *name)
{
    size_t size = strlen(name ? name : "") + 1;
    struct domain *d = malloc(sizeof *d + size);
    if (!d)
        return NULL;
    d->number = atomic_fetch_add(&domains, 1) + 1;
    memcpy(d->name, name ? name : "", size);
    named(NOTE_DOMAIN, (nvtxDomainHandle_t)d, d->number, d->name);
    return (nvtxDomainHandle_t)d;
}
static nvtxDomainHandle_t create_w(const wchar_t *name)
{
    char room[TEXT];
    return create_a(narrow(name, room));
}
static void domain_category_a(nvtxDomainHandle_t domain, uint32_t category, const char *text)
{
    named(NOTE_NAME_CATEGORY, domain, category, text);
}
static void domain_category_w(nvtxDomainHandle_t domain, uint32_t category, const wchar_t *text)
{
    char room[TEXT];
    named(NOTE_NAME_CATEGORY, domain, category, narrow(text, room));
}

// ---- modules CUDA and CUDART
static void name_stream_a(void *stream, const char *text)
{
    named(NOTE_NAME_STREAM, NULL, (uintptr_t)stream, text);
}
static void name_stream_w(void *stream, const wchar_t *text)
{
    char room[TEXT];
    name_stream_a(stream, narrow(text, room));
}

static const struct entry {
    NvtxCallbackModule module;
    unsigned number;
    NvtxFunctionPointer function;
} entries[] = {
#define ENTRY(module, name, function)                                                                                  \
    {NVTX_CB_MODULE_##module, NVTX_CBID_##module##_##name, (NvtxFunctionPointer)function}
    ENTRY(CORE, MarkEx, mark_ex),
    ENTRY(CORE, MarkA, mark_a),
    ENTRY(CORE, MarkW, mark_w),
    ENTRY(CORE, RangeStartEx, start_ex),
    ENTRY(CORE, RangeStartA, start_a),
    ENTRY(CORE, RangeStartW, start_w),
    ENTRY(CORE, RangeEnd, range_end),
    ENTRY(CORE, RangePushEx, push_ex),
    ENTRY(CORE, RangePushA, push_a),
    ENTRY(CORE, RangePushW, push_w),
    ENTRY(CORE, RangePop, range_pop),
    ENTRY(CORE, NameCategoryA, name_category_a),
    ENTRY(CORE, NameCategoryW, name_category_w),
    ENTRY(CORE, NameOsThreadA, name_thread_a),
    ENTRY(CORE, NameOsThreadW, name_thread_w),
    ENTRY(CORE2, DomainMarkEx, domain_mark),
    ENTRY(CORE2, DomainRangeStartEx, domain_start),
    ENTRY(CORE2, DomainRangeEnd, end),
    ENTRY(CORE2, DomainRangePushEx, domain_push),
    ENTRY(CORE2, DomainRangePop, pop),
    ENTRY(CORE2, DomainNameCategoryA, domain_category_a),
    ENTRY(CORE2, DomainNameCategoryW, domain_category_w),
    ENTRY(CORE2, DomainRegisterStringA, register_a),
    ENTRY(CORE2, DomainRegisterStringW, register_w),
    ENTRY(CORE2, DomainCreateA, create_a),
    ENTRY(CORE2, DomainCreateW, create_w),
    ENTRY(CUDA, NameCuStreamA, name_stream_a),
    ENTRY(CUDA, NameCuStreamW, name_stream_w),
    ENTRY(CUDART, NameCudaStreamA, name_stream_a),
    ENTRY(CUDART, NameCudaStreamW, name_stream_w),
};

int nvtx_inject(nvtx_export_fn *get, const struct nvtx_listener *l)
{
    const NvtxExportTableCallbacks *callbacks = get ? get(NVTX_ETID_CALLBACKS) : NULL;
    NvtxFunctionTable table;
    unsigned size;
    if (!callbacks || callbacks->struct_size < sizeof *callbacks || !callbacks->GetModuleFunctionTable)
        return 0;
    listener = l;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (callbacks->GetModuleFunctionTable(entries[i].module, &table, &size) && entries[i].number < size &&
            table[entries[i].number])
            *table[entries[i].number] = entries[i].function;
    return 1;
}
