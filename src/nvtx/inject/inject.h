// SPDX-License-Identifier: Apache-2.0
// The tool's side of NVTX: a library that links this is one that NVTX_INJECTION64_PATH may name (InitializeInjectionNvtx2). Every annotation
// becomes one note; texts are UTF-8 and live as long as the call, those of domains for ever.
#ifndef HEDDLE_NVTX_INJECT_INJECT_H
#define HEDDLE_NVTX_INJECT_INJECT_H
#include <stdbool.h>
#include <stdint.h>

enum nvtx_note_kind {
    NOTE_MARK,
    NOTE_PUSH,
    NOTE_POP,
    NOTE_START,
    NOTE_END,
    NOTE_NAME_THREAD,   // id is the thread
    NOTE_NAME_CATEGORY, // id is the category
    NOTE_NAME_STREAM,   // id is the handle
    NOTE_DOMAIN         // domain was created
};

struct nvtx_note {
    enum nvtx_note_kind kind;
    const char *text;       // NULL: it has none
    const char *domain;     // NULL: the default one
    uint32_t domain_number; // 0: the default one
    uint64_t id;            // of a range: START and END have the same, PUSH and POP too
    uint32_t category, color;
    bool has_color;
    uint32_t payload_type; // nvtxPayloadType_t
    uint64_t payload;
};

// What the library does with a note; and, before, with a call that has a number of CUPTI's: call may be NULL.
struct nvtx_listener {
    void (*note)(const struct nvtx_note *n);
    void (*call)(uint32_t number, const char *name, const void *params);
};

typedef const void *nvtx_export_fn(uint32_t id);
int nvtx_inject(nvtx_export_fn *get, const struct nvtx_listener *l); // what InitializeInjectionNvtx2 is; l stays
#endif
