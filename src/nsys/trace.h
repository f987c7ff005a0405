// SPDX-License-Identifier: Apache-2.0
// What nsys and the library that it puts into programs know of each other: a file for each process, to which that library writes.
//
// It is a list of chunks of TRACE_CHUNK bytes. The first one holds struct trace_process; the others records one behind the other, up to one
// of kind 0. A chunk to which a thread is writing is mapped memory, so that what was written is there however the process ends.
#ifndef HEDDLE_NSYS_TRACE_H
#define HEDDLE_NSYS_TRACE_H
#include "base/timeline/timeline.h"
#include "nvtx/inject/inject.h"

enum { TRACE_CHUNK = 256 << 10, TRACE_VERSION = 1, TRACE_DEVICES = 64 };
#define TRACE_MAGIC "heddle-trace"

// How the library is told what to do: variables of the environment.
#define TRACE_FOLDER "HEDDLE_NSYS_FOLDER"               // where its file goes
#define TRACE_KINDS  "HEDDLE_NSYS_KINDS"                // a mask of what is wanted, in hexadecimal
enum { TRACE_NVTX = 1u << 29, TRACE_RANGE = 1u << 28 }; // RANGE: only between cudaProfilerStart and cudaProfilerStop

struct trace_record {
    uint16_t kind; // enum trace_kind
    uint16_t pad;
    uint32_t size; // with this head; a multiple of 8
};
enum trace_kind {
    TRACE_END,
    TRACE_EVENT,  // the first bytes of a struct timeline_event; of a name there is the number of its text
    TRACE_NOTE,   // struct trace_note
    TRACE_TEXT,   // uint64_t number, then the text with a 0
    TRACE_DEVICE, // struct trace_device
};

struct trace_process {
    char magic[16];
    uint32_t version, pid;
    uint64_t began, real_time; // the same moment by both clocks
    char name[224];            // of the program
};

struct trace_note {
    uint64_t time, id, text, domain, payload; // texts by number; 0: none
    uint32_t thread, kind, domain_number, category, color, payload_type, has_color, pad;
};

struct trace_device {
    uint32_t number, major, minor, sms, clock_khz, warp, threads_sm, blocks_sm, shared_sm, registers_sm, l2_bytes,
        constant_bytes;
    uint64_t memory;
    char name[128], bus[32], uuid[40];
};
#endif
