// SPDX-License-Identifier: Apache-2.0
// Fills with 8, 16 or 32 bit patterns, one- and two-dimensional. They do not wait for the device.
#include "base/process/account.h"
#include "driver/context/tell.h"
#include "driver/graph/graph.h"
#include <wchar.h>

struct fill {
    char *dst;
    size_t pitch, width, height; // width in elements
    uint32_t value;
    unsigned bytes; // an element
    enum timeline_memory kind;
};
struct fill_op {
    struct op op;
    struct fill fill;
};

_Static_assert(sizeof(wchar_t) == 4, "wmemset fills 32 bits at once");

// n elements from p on.
static void line_fill(const struct fill *f, char *p, size_t n)
{
    uint32_t v = f->bytes == 1   ? (uint8_t)f->value * 0x1010101u
                 : f->bytes == 2 ? (uint16_t)f->value * 0x10001u
                                 : f->value;
    size_t size = n * f->bytes;
    if (v == (v & 255) * 0x1010101u) {
        memset(p, (int)(v & 255), size);
        return;
    }
    if (f->bytes == 2 && (uintptr_t)p % 4 && size) { // the value is the same from either half on
        memcpy(p, &v, 2);
        p += 2;
        size -= 2;
    }
    wmemset((wchar_t *)p, (wchar_t)v, size / 4);
    memcpy(p + size / 4 * 4, &v, size % 4);
}

static void rows_fill(const void *what, size_t first, size_t n)
{
    const struct fill *f = what;
    for (size_t y = first; y < first + n; y++)
        line_fill(f, f->dst + y * f->pitch, f->width);
}

static void elements_fill(const void *what, size_t first, size_t n)
{
    const struct fill *f = what;
    line_fill(f, f->dst + first * f->bytes, n);
}

static void fill_written(const struct fill *f)
{
    for (size_t y = 0; check_wanted && y < f->height; y++)
        check_written(f->dst + y * f->pitch, f->width * f->bytes);
}

// In checked processes, what it touches is compared with what other operations do.
static void fill_order(const struct op *op, const struct fill *f)
{
    struct order_box to = {f->dst, f->width * f->bytes, f->height, 1, f->pitch, 0};
    if (op->order)
        order_touched(op, ORDER_FILL, &to, NULL);
}

static void fill_all(const struct fill *f)
{
    fill_written(f);
    uint64_t since = account_since();
    if (f->height == 1)
        bulk_run(f->width, f->bytes, elements_fill, f);
    else
        bulk_run(f->height, f->width * f->bytes, rows_fill, f);
    account_done(ACCOUNT_COPY, "fills", since, f->height * f->width * f->bytes);
}

static void fill_tell(struct timeline_event *e, const struct fill *f, bool async)
{
    e->fill.bytes = f->height * f->width * f->bytes;
    e->fill.value = f->value;
    e->fill.memory = f->kind;
    e->fill.async = async;
}

static void fill_describe(const struct op *op, struct timeline_event *e)
{
    e->kind = TIMELINE_FILL;
    fill_tell(e, &((const struct fill_op *)op)->fill, true);
}

static void fill_run(struct op *op)
{
    fill_all(&((struct fill_op *)op)->fill);
    fill_order(op, &((struct fill_op *)op)->fill);
}

static uint64_t fill_estimate(struct op *op)
{
    struct fill *f = &((struct fill_op *)op)->fill;
    return f->width * f->height * f->bytes / 8;
}

static CUresult fill_check(struct fill *f, bool node, size_t *bytes)
{
    struct memory_range range;
    size_t row, extent;
    if (__builtin_mul_overflow(f->width, f->bytes, &row) || (f->height > 1 && f->pitch < row) ||
        __builtin_mul_overflow(f->height - 1, f->pitch, &extent) || __builtin_add_overflow(extent, row, &extent))
        return CUDA_ERROR_INVALID_VALUE;
    if ((uintptr_t)f->dst % f->bytes || (f->height > 1 && f->pitch % f->bytes) ||
        !range_holds(f->dst, extent, &range) || range_read_only(&range) || (!node && !graph_memory_valid(&range)))
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = extent;
    f->kind = tell_memory_kind(&range);
    return CUDA_SUCCESS;
}

CUresult fill_op_make(const CUDA_MEMSET_NODE_PARAMS_v2 *p, struct op **out)
{
    struct fill f = {.dst = (char *)(uintptr_t)p->dst,
                     .pitch = p->pitch,
                     .width = p->width,
                     .height = p->height,
                     .value = p->value,
                     .bytes = p->elementSize};
    size_t bytes;
    if ((f.bytes != 1 && f.bytes != 2 && f.bytes != 4) || !f.width || !f.height)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = fill_check(&f, true, &bytes);
    if (r)
        return r;
    struct fill_op *op = (struct fill_op *)op_create(sizeof *op, fill_run, NULL);
    if (!op)
        return CUDA_ERROR_OUT_OF_MEMORY;
    op->op.estimate = fill_estimate;
    op->fill = f;
    op->op.describe = fill_describe;
    *out = &op->op;
    return CUDA_SUCCESS;
}

static CUresult fill_capture(struct stream *s, const struct fill *f)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMSET,
                           .memset = {.dst = (CUdeviceptr)(uintptr_t)f->dst,
                                      .pitch = f->pitch,
                                      .value = f->value,
                                      .elementSize = f->bytes,
                                      .width = f->width,
                                      .height = f->height,
                                      .ctx = s->context->handle}};
    return capture_node(s, &p);
}

static CUresult fill_start(struct fill *f, CUstream stream)
{
    struct stream *s;
    size_t extent;
    CUresult r = stream_enter(stream, &s);
    if (r || !f->width || !f->height)
        return r;
    r = fill_check(f, stream_captured(s), &extent);
    if (!r && stream_captured(s))
        return fill_capture(s, f);
    r = r ? r : capture_guard(s);
    if (r)
        return r;
    struct op *turn = copy_inline(s, extent);
    if (turn) {
        struct timeline_event now = tell_begin(TIMELINE_FILL, s);
        if (now.start)
            fill_tell(&now, f, false);
        fill_all(f);
        fill_order(turn, f);
        if (f->kind != MEMORY_IS_DEVICE) // over when the call returns, as CUDA has it
            order_told_op(turn);
        tell_end(&now);
        stream_turn_end(turn);
        return CUDA_SUCCESS;
    }
    struct fill_op *op = (struct fill_op *)op_create(sizeof *op, fill_run, NULL);
    if (!op)
        return CUDA_ERROR_OUT_OF_MEMORY;
    op->op.flags |= OP_TOUCHES;
    op->fill = *f;
    if (timeline_wants(TIMELINE_FILL))
        op->op.describe = fill_describe;
    stream_submit(s, &op->op, NULL);
    if (f->kind != MEMORY_IS_DEVICE)
        order_told_op(&op->op);
    op_release(&op->op);
    return CUDA_SUCCESS;
}

static CUresult fill(CUdeviceptr dst, size_t pitch, uint32_t value, unsigned bytes, size_t width, size_t height,
                     CUstream stream)
{
    struct fill f = {.dst = (char *)(uintptr_t)dst,
                     .pitch = pitch,
                     .width = width,
                     .height = height,
                     .value = value,
                     .bytes = bytes};
    return fill_start(&f, stream);
}

CUresult memset_d8(CUdeviceptr dst, unsigned char value, size_t count, CUstream stream)
{
    return fill(dst, 0, value, 1, count, 1, stream);
}

CUresult memset_d16(CUdeviceptr dst, unsigned short value, size_t count, CUstream stream)
{
    return fill(dst, 0, value, 2, count, 1, stream);
}

CUresult memset_d32(CUdeviceptr dst, unsigned value, size_t count, CUstream stream)
{
    return fill(dst, 0, value, 4, count, 1, stream);
}

CUresult memset_d2d8(CUdeviceptr dst, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream)
{
    return fill(dst, pitch, value, 1, width, height, stream);
}

CUresult memset_d2d16(CUdeviceptr dst, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream)
{
    return fill(dst, pitch, value, 2, width, height, stream);
}

CUresult memset_d2d32(CUdeviceptr dst, size_t pitch, unsigned value, size_t width, size_t height, CUstream stream)
{
    return fill(dst, pitch, value, 4, width, height, stream);
}
