// SPDX-License-Identifier: Apache-2.0
// NPP inside: what a call is, and how its work becomes a grid.
//
// 1. A body (src/npp/*.c) gets a call whose pointers and sizes were checked (npp_check), looks at what is its own, and launches one grid or
//    several. A part of a grid is a number of rows.
// 2. Values of the host, such as constants, are copied into the job; memory of the device is read when the work runs.
// 3. Sums do not depend on the number of workers: a part's rows follow from the image's size, and what parts leave is added in their order.
#ifndef HEDDLE_NPP_CORE_NPP_H
#define HEDDLE_NPP_CORE_NPP_H
#include "library/library.h"
#include <nppdefs.h>
#include <stdint.h>

enum npp_type {
    NT_8u,
    NT_8s,
    NT_16u,
    NT_16s,
    NT_32u,
    NT_32s,
    NT_64u,
    NT_64s,
    NT_16f,
    NT_32f,
    NT_64f,
    NT_16sc,
    NT_32sc,
    NT_64sc,
    NT_32fc,
    NT_64fc,
    NT_none,
    NT_24u = NT_none, // palettes
    NT_REAL = NT_64f + 1
};
size_t npp_size(enum npp_type t); // of one number, in bytes
bool npp_is_complex(enum npp_type t);
enum npp_type npp_component(enum npp_type t); // the type of a complex number's parts

// What must not be NULL, and which sizes must not be negative.
enum npp_need {
    NEED_SRC0 = 1,
    NEED_SRC1 = 2,
    NEED_SRC2 = 4,
    NEED_DST0 = 8,
    NEED_DST1 = 16,
    NEED_MASK = 32,
    NEED_VALUE0 = 64,
    NEED_VALUE1 = 128,
    NEED_VALUE2 = 256,
    NEED_OUT0 = 512,
    NEED_OUT1 = 1024,
    NEED_OUT2 = 2048,
    NEED_BUFFER = 4096,
    NEED_SIZE = 8192,
    NEED_LENGTH = 16384,
    NEED_SRC_PLANES = 32768,
    NEED_DST_PLANES = 65536
};

// What a function's name says.
struct npp_form {
    enum npp_type s, d, e; // the types, of the source first
    unsigned char channels, dst_channels;
    bool alpha, dst_alpha;   // four channels, of which the last is not touched
    bool planes, dst_planes; // a pointer for each channel
    bool in_place, masked, scaled, coi;
    unsigned need;
    int argument; // the row's
};

struct npp_image {
    void *data;
    int step; // bytes from row to row
};
struct npp_call {
    const struct npp_form *form;
    cudaStream_t stream;
    struct npp_image src[4], dst[4], mask, map[2]; // map: the places x and y of pixels
    NppiSize size;                                 // of what is written, or read where nothing is
    NppiSize src_size, dst_size, window;           // window: a filter's mask
    NppiRect src_roi, dst_roi;
    NppiPoint offset, anchor;
    const void *value[4]; // of the host or the device: constants, coefficients, levels
    void *out[4];         // of the device: results; of the host: sizes
    void *buffer;
    int scale, round, mode, border, coi, divisor, taps;
    int levels[4];
    double number[8];
    size_t length; // of a signal, which becomes an image
    int last;      // the last row's width where it is another one; 0: it is not
};

// NPP_NO_ERROR, or what is wrong with pointers and sizes. *empty: there is nothing to do.
NppStatus npp_check(const struct npp_call *c, bool *empty);
#define NPP_CHECK(condition, status)                                                                                   \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return status;                                                                                             \
    } while (0)
// What every body begins with.
#define NPP_ENTER(call)                                                                                                \
    do {                                                                                                               \
        bool empty_ = false;                                                                                           \
        NppStatus status_ = npp_check(call, &empty_);                                                                  \
        if (status_ || empty_)                                                                                         \
            return status_;                                                                                            \
    } while (0)

// A job: the call, and what the body has made of its arguments for the parts.
struct npp_job {
    struct native_head head;
    struct npp_call c;
    struct npp_form form;   // a copy, which a body may change
    void (*function)(void); // the loop that the types choose
    int rows, rows_per_part;
    _Alignas(16) unsigned char value[4][64]; // constants of the host, numbers of the source's type
    double number[16];
    int list[16];
    void *scratch;
};
struct npp_job npp_job(const struct npp_call *c);
// Launches k for all rows, in parts of whole rows; work: operations of one row.
NppStatus npp_launch(struct library_kernel *k, struct npp_job *job, int rows, double work);
NppStatus npp_launch_parts(struct library_kernel *k, struct npp_job *job, uint64_t parts, double work);
// The rows of a part: [*from, *to).
void npp_part(const struct npp_job *job, uint64_t part, int *from, int *to);

// An address in an image: row y, element x.
static inline void *npp_at(const struct npp_image *i, int y, size_t bytes)
{
    return (char *)i->data + (ptrdiff_t)y * i->step + bytes;
}
// Numbers of a row of the source.
static inline size_t npp_row(const struct npp_form *f, int width)
{
    return (size_t)width * (f->planes ? 1 : f->channels);
}
static inline int npp_width(const struct npp_call *c, int y)
{
    return c->last && y == c->size.height - 1 ? c->last : c->size.width;
}
static inline size_t npp_numbers(const struct npp_job *j, int y)
{
    return npp_row(&j->form, npp_width(&j->c, y));
}
// A signal as an image: rows of NPP_SIGNAL numbers, the last of which may be shorter. Types of the form tell the steps.
enum { NPP_SIGNAL = 16384 };
struct npp_call npp_signal(const struct npp_call *c);
// Channels that are computed.
static inline unsigned npp_used(const struct npp_form *f)
{
    return f->alpha ? 3 : f->channels;
}
#endif
