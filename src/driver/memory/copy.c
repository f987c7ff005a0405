// SPDX-License-Identifier: Apache-2.0
// Copies. Every kind becomes a box of rows with two addresses; then it is done at once or queued:
//  - from or to pageable host memory as CUDA documents it: a synchronous copy is over on return, an asynchronous one
//  from
//    pageable memory has read its source on return, one to pageable memory is over on return;
//  - everything else is queued, unless the stream is idle and the copy small.
#include "base/process/account.h"
#include "driver/context/tell.h"
#include "driver/texture/array.h"
#include "driver/graph/graph.h"
#include <stdlib.h>

enum { INLINE_BYTES = 64 << 10 };
enum side { SIDE_HOST, SIDE_DEVICE, SIDE_ANY };

struct box {
    char *dst;
    const char *src;
    size_t dst_pitch, src_pitch, dst_slice, src_slice;
    size_t width, height, depth; // bytes, rows, slices
    bool source_now;             // the source is read before the call returns, whatever memory it is
    bool dst_array, src_array;   // this and what follows is for tools
    uint8_t dst_kind, src_kind;  // enum timeline_memory
    uint8_t dst_device, src_device;
};

struct copy_op {
    struct op op;
    struct box box;
    void *staged; // freed afterwards; the source
};

// Rows of a box, counted through all its slices.
static void rows_copy(const void *what, size_t first, size_t n)
{
    const struct box *b = what;
    for (size_t z = first / b->height, y = first % b->height; n--; y = y + 1 == b->height ? z++, 0 : y + 1)
        memmove(b->dst + z * b->dst_slice + y * b->dst_pitch, b->src + z * b->src_slice + y * b->src_pitch, b->width);
}

// Whoever reads it finds what was written.
static void box_written(const struct box *b)
{
    for (size_t z = 0; check_wanted && z < b->depth; z++)
        for (size_t y = 0; y < b->height; y++)
            check_written(b->dst + z * b->dst_slice + y * b->dst_pitch, b->width);
}

// In checked processes, what it touches is compared with what other operations do.
static void box_order(const struct op *op, const struct box *b)
{
    struct order_box to = {b->dst, b->width, b->height, b->depth, b->dst_pitch, b->dst_slice};
    struct order_box from = {b->src, b->width, b->height, b->depth, b->src_pitch, b->src_slice};
    if (op->order)
        order_touched(op, ORDER_COPY, &to, &from);
}

static void box_copy(const struct box *b)
{
    box_written(b);
    uint64_t since = account_since();
    bool rows = b->dst_pitch == b->width && b->src_pitch == b->width;
    size_t plane = b->width * b->height;
    if (b->height == 1 && b->depth == 1)
        bulk_copy(b->dst, b->src, b->width);
    else if (rows && (b->depth == 1 || (b->dst_slice == plane && b->src_slice == plane)))
        bulk_copy(b->dst, b->src, plane * b->depth);
    else
        bulk_run(b->height * b->depth, b->width, rows_copy, b);
    account_done(ACCOUNT_COPY, "copies", since, plane * b->depth);
}

static void copy_tell(struct timeline_event *e, const struct box *b, bool async)
{
    e->copy.bytes = b->width * b->height * b->depth;
    e->copy.from = b->src_array ? MEMORY_IS_ARRAY : b->src_kind;
    e->copy.to = b->dst_array ? MEMORY_IS_ARRAY : b->dst_kind;
    e->copy.from_device = b->src_device;
    e->copy.to_device = b->dst_device;
    e->copy.async = async;
}

// By the caller, whose turn it is.
static void box_copy_told(const struct stream *s, const struct op *turn, const struct box *b, bool async)
{
    struct timeline_event e = tell_begin(TIMELINE_COPY, s);
    if (e.start)
        copy_tell(&e, b, async);
    box_copy(b);
    box_order(turn, b);
    tell_end(&e);
}

static void copy_describe(const struct op *op, struct timeline_event *e)
{
    e->kind = TIMELINE_COPY;
    copy_tell(e, &((const struct copy_op *)op)->box, true);
}

static void copy_run(struct op *op)
{
    box_copy(&((struct copy_op *)op)->box);
    box_order(op, &((struct copy_op *)op)->box);
}

static void copy_destroy(struct op *op)
{
    free(((struct copy_op *)op)->staged);
}

struct op *copy_inline(struct stream *s, size_t bytes)
{
    return bytes <= INLINE_BYTES ? stream_turn_idle(s) : NULL;
}

// By the caller, when it is its turn.
static CUresult copy_now(struct stream *s, const struct box *b, bool async)
{
    struct op *turn = stream_turn(s);
    if (!turn)
        return CUDA_ERROR_OUT_OF_MEMORY;
    output_flush();
    CUresult r = context_fault(s->context);
    if (!r)
        box_copy_told(s, turn, b, async);
    order_told_op(turn);
    stream_turn_end(turn);
    return r;
}

static CUresult copy_queue(struct stream *s, const struct box *b, void *staged)
{
    struct copy_op *c = (struct copy_op *)op_create(sizeof *c, copy_run, copy_destroy);
    if (!c) {
        free(staged);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    c->op.flags |= OP_TOUCHES;
    c->box = *b;
    c->staged = staged;
    if (timeline_wants(TIMELINE_COPY))
        c->op.describe = copy_describe;
    stream_submit(s, &c->op, NULL);
    op_release(&c->op);
    return CUDA_SUCCESS;
}

// The source is copied aside now, and the rest queued.
static CUresult copy_staged(struct stream *s, const struct box *b)
{
    char *buffer = malloc(b->width * b->height * b->depth);
    struct box in = *b, out = *b;
    if (!buffer) // then wait instead
        return copy_now(s, b, true);
    in.dst = buffer;
    in.dst_pitch = out.src_pitch = b->width;
    in.dst_slice = out.src_slice = b->width * b->height;
    out.src = buffer;
    box_copy(&in);
    return copy_queue(s, &out, buffer);
}

static CUresult box_submit(struct stream *s, const struct box *b, bool async, bool host, bool pageable_dst,
                           bool pageable_src)
{
    size_t bytes = b->width * b->height * b->depth;
    pageable_src |= b->source_now;
    if ((!async && host) || (async && pageable_dst))
        return copy_now(s, b, async);
    struct op *turn = async && pageable_src ? stream_turn_idle(s) : copy_inline(s, bytes);
    if (turn) {
        box_copy_told(s, turn, b, async);
        stream_turn_end(turn);
        return CUDA_SUCCESS;
    }
    return async && pageable_src ? copy_staged(s, b) : copy_queue(s, b, NULL);
}

// Bytes from the first to the last that a box touches; false on overflow.
static bool extent(const struct box *b, size_t pitch, size_t slice, size_t *out)
{
    size_t rows, slices;
    return !__builtin_mul_overflow(b->height - 1, pitch, &rows) &&
           !__builtin_mul_overflow(b->depth - 1, slice, &slices) && !__builtin_add_overflow(rows, slices, &rows) &&
           !__builtin_add_overflow(rows, b->width, out);
}

// How one side is used: written, and in a node of a graph, which may name memory that is not allocated yet.
enum { USE_WRITE = 1, USE_NODE = 2 };

// What a check of one side finds out.
struct finding {
    bool device;         // device memory
    bool pageable;       // memory not known here
    int number;          // its device, or -1
    struct context *own; // where it was allocated, or NULL
    enum timeline_memory kind;
};

static CUresult side_check(const void *address, size_t bytes, enum side side, unsigned use, struct finding *f)
{
    struct memory_range range;
    *f = (struct finding){.number = -1, .kind = MEMORY_IS_PAGEABLE};
    if (!address || (uintptr_t)address + bytes < (uintptr_t)address)
        return CUDA_ERROR_INVALID_VALUE;
    if (range_holds(address, bytes, &range)) {
        f->device = range.kind & (MEMORY_DEVICE | MEMORY_MODULE);
        f->kind = tell_memory_kind(&range);
        if (f->device) {
            f->number = range.device;
            f->own = range_context(&range);
        }
        if ((use & USE_WRITE && range_read_only(&range)) || (!(use & USE_NODE) && !graph_memory_valid(&range)))
            return CUDA_ERROR_INVALID_VALUE;
        return CUDA_SUCCESS;
    }
    f->pageable = true;
    return range.size || side == SIDE_DEVICE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static void box_found(struct box *b, const struct finding *dst, const struct finding *src)
{
    b->dst_kind = (uint8_t)dst->kind;
    b->src_kind = (uint8_t)src->kind;
    b->dst_device = dst->number < 0 ? 0 : (uint8_t)dst->number;
    b->src_device = src->number < 0 ? 0 : (uint8_t)src->number;
}

static CUresult line_capture(struct stream *s, const struct box *b, enum side dst, enum side src);

// A copy in the default stream that touches memory of another device begins when all work of that device is over, and is
// over before the call returns, so that nothing submitted later can overtake it.
static bool is_foreign(const struct stream *s, const struct finding *f)
{
    return f->number >= 0 && f->number != s->context->device;
}

static CUresult copy_between(struct stream *s, const struct box *b, const struct finding *dst,
                             const struct finding *src)
{
    const struct finding *f[2] = {dst, src};
    for (int i = 0; i < 2; i++) {
        struct context *c = !is_foreign(s, f[i]) ? NULL : f[i]->own ? f[i]->own : context_primary(f[i]->number);
        if (c)
            context_wait(c);
    }
    return copy_now(s, b, false);
}

static CUresult box_start(struct box *b, enum side dst, enum side src, CUstream stream, bool async)
{
    struct stream *s;
    size_t to, from;
    struct finding d, f;
    CUresult r = stream_enter(stream, &s);
    if (r || !b->width || !b->height || !b->depth)
        return r;
    if (stream_captured(s)) // others have seen to it: see box_read
        return async ? line_capture(s, b, dst, src) : capture_wait(s);
    r = capture_guard(s);
    if (r)
        return r;
    if (!extent(b, b->dst_pitch, b->dst_slice, &to) || !extent(b, b->src_pitch, b->src_slice, &from))
        return CUDA_ERROR_INVALID_VALUE;
    r = side_check(b->dst, to, dst, USE_WRITE, &d);
    r = r ? r : side_check(b->src, from, src, 0, &f);
    if (r)
        return r;
    box_found(b, &d, &f);
    if (s->legacy && (is_foreign(s, &d) || is_foreign(s, &f)))
        return copy_between(s, b, &d, &f);
    return box_submit(s, b, async, !d.device || !f.device, d.pageable, f.pageable);
}

// ---- one dimension
static CUresult line(CUdeviceptr dst, enum side to, CUdeviceptr src, enum side from, size_t bytes, CUstream stream,
                     bool async)
{
    struct box b = {
        .dst = (char *)(uintptr_t)dst, .src = (const char *)(uintptr_t)src, .width = bytes, .height = 1, .depth = 1};
    return box_start(&b, to, from, stream, async);
}

CUresult memcpy_any(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return line(dst, SIDE_ANY, src, SIDE_ANY, bytes, stream, false);
}

CUresult memcpy_any_async(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return line(dst, SIDE_ANY, src, SIDE_ANY, bytes, stream, true);
}

CUresult memcpy_any_early(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    struct box b = {.dst = (char *)(uintptr_t)dst,
                    .src = (const char *)(uintptr_t)src,
                    .width = bytes,
                    .height = 1,
                    .depth = 1,
                    .source_now = true};
    return box_start(&b, SIDE_ANY, SIDE_ANY, stream, true);
}

CUresult memcpy_htod(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
    return line(dst, SIDE_DEVICE, (uintptr_t)src, SIDE_HOST, bytes, stream, false);
}

CUresult memcpy_htod_async(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
    return line(dst, SIDE_DEVICE, (uintptr_t)src, SIDE_HOST, bytes, stream, true);
}

CUresult memcpy_dtoh(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return line((uintptr_t)dst, SIDE_HOST, src, SIDE_DEVICE, bytes, stream, false);
}

CUresult memcpy_dtoh_async(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return line((uintptr_t)dst, SIDE_HOST, src, SIDE_DEVICE, bytes, stream, true);
}

CUresult memcpy_dtod(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return line(dst, SIDE_DEVICE, src, SIDE_DEVICE, bytes, stream, false);
}

CUresult memcpy_dtod_async(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return line(dst, SIDE_DEVICE, src, SIDE_DEVICE, bytes, stream, true);
}

static CUresult peer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context, size_t bytes,
                     CUstream stream, bool async)
{
    if (!context_get(dst_context) || !context_get(src_context))
        return driver_ready() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_NOT_INITIALIZED;
    return line(dst, SIDE_DEVICE, src, SIDE_DEVICE, bytes, stream, async);
}

CUresult memcpy_peer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context, size_t bytes,
                     CUstream stream)
{
    return peer(dst, dst_context, src, src_context, bytes, stream, false);
}

CUresult memcpy_peer_async(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context, size_t bytes,
                           CUstream stream)
{
    return peer(dst, dst_context, src, src_context, bytes, stream, true);
}

// ---- two and three dimensions
struct operand { // one side of a descriptor
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

static bool inside(size_t at, size_t extent, size_t limit)
{
    return at <= limit && extent <= limit - at;
}

static CUresult operand_array(const struct operand *o, const struct box *b, char **address, size_t *pitch,
                              size_t *slice, enum side *side)
{
    const struct array_object *a = array_get(o->array);
    if (!a)
        return CUDA_ERROR_INVALID_VALUE;
    const struct array_level *l = &a->array.level[0];
    if (!inside(o->x, b->width, (size_t)l->width * a->array.format.size) || !inside(o->y, b->height, l->height) ||
        !inside(o->z, b->depth, l->depth))
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = l->row_pitch;
    *slice = l->slice_pitch;
    *address = (char *)l->base + o->z * l->slice_pitch + o->y * l->row_pitch + o->x;
    *side = SIDE_DEVICE;
    return CUDA_SUCCESS;
}

// ---- copies that become nodes of a graph
static CUresult box_capture(struct stream *s, const struct box *b, const struct operand *dst, const struct operand *src)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .memcpy = {.copyCtx = s->context->handle}};
    p.memcpy.copyParams = (CUDA_MEMCPY3D){.srcMemoryType = src->type,
                                          .srcHost = src->host,
                                          .srcDevice = src->device,
                                          .srcArray = src->array,
                                          .srcXInBytes = src->x,
                                          .srcY = src->y,
                                          .srcZ = src->z,
                                          .srcPitch = src->pitch,
                                          .srcHeight = src->height,
                                          .dstMemoryType = dst->type,
                                          .dstHost = (void *)(uintptr_t)dst->host,
                                          .dstDevice = dst->device,
                                          .dstArray = dst->array,
                                          .dstXInBytes = dst->x,
                                          .dstY = dst->y,
                                          .dstZ = dst->z,
                                          .dstPitch = dst->pitch,
                                          .dstHeight = dst->height,
                                          .WidthInBytes = b->width,
                                          .Height = b->height,
                                          .Depth = b->depth};
    return capture_node(s, &p);
}

static struct operand side_operand(const void *p, enum side side)
{
    static const CUmemorytype types[] = {
        [SIDE_HOST] = CU_MEMORYTYPE_HOST, [SIDE_DEVICE] = CU_MEMORYTYPE_DEVICE, [SIDE_ANY] = CU_MEMORYTYPE_UNIFIED};
    struct operand o = {.type = types[side]};
    if (side == SIDE_HOST)
        o.host = p;
    else
        o.device = (CUdeviceptr)(uintptr_t)p;
    return o;
}

static CUresult line_capture(struct stream *s, const struct box *b, enum side dst, enum side src)
{
    struct operand to = side_operand(b->dst, dst), from = side_operand(b->src, src);
    return box_capture(s, b, &to, &from);
}

// The address where the box begins in this operand, its pitches, and on which side it is.
static CUresult operand_read(const struct operand *o, const struct box *b, char **address, size_t *pitch, size_t *slice,
                             enum side *side)
{
    size_t row, rows, offset, part;
    if (o->type == CU_MEMORYTYPE_ARRAY)
        return operand_array(o, b, address, pitch, slice, side);
    if (o->type < CU_MEMORYTYPE_HOST || o->type > CU_MEMORYTYPE_UNIFIED)
        return CUDA_ERROR_INVALID_VALUE;
    if (__builtin_add_overflow(o->x, b->width, &row) || (o->pitch && o->pitch < row))
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = o->pitch ? o->pitch : row;
    if (__builtin_add_overflow(o->y, b->height, &rows) || (o->height && o->height < rows))
        return CUDA_ERROR_INVALID_VALUE;
    *slice = 0; // of one slice, its size does not matter
    if (((b->depth > 1 || o->z) && __builtin_mul_overflow(*pitch, o->height ? o->height : rows, slice)) ||
        __builtin_mul_overflow(*slice, o->z, &offset) || __builtin_mul_overflow(*pitch, o->y, &part) ||
        __builtin_add_overflow(offset, part, &offset) || __builtin_add_overflow(offset, o->x, &offset))
        return CUDA_ERROR_INVALID_VALUE;
    uintptr_t base = o->type == CU_MEMORYTYPE_HOST ? (uintptr_t)o->host : (uintptr_t)o->device;
    if (!base)
        return CUDA_ERROR_INVALID_VALUE;
    *address = (char *)(base + offset);
    *side = o->type == CU_MEMORYTYPE_HOST ? SIDE_HOST : o->type == CU_MEMORYTYPE_DEVICE ? SIDE_DEVICE : SIDE_ANY;
    return CUDA_SUCCESS;
}

// The addresses of a box whose extent is set.
static CUresult box_locate(struct box *b, const struct operand *dst, const struct operand *src, enum side *to,
                           enum side *from)
{
    char *source;
    CUresult r = operand_read(dst, b, &b->dst, &b->dst_pitch, &b->dst_slice, to);
    r = r ? r : operand_read(src, b, &source, &b->src_pitch, &b->src_slice, from);
    b->dst_array = dst->type == CU_MEMORYTYPE_ARRAY;
    b->src_array = src->type == CU_MEMORYTYPE_ARRAY;
    if (!r)
        b->src = source;
    return r;
}

static CUresult box_read(struct box *b, const struct operand *dst, const struct operand *src, CUstream stream,
                         bool async)
{
    struct stream *s;
    enum side to, from;
    CUresult r = stream_enter(stream, &s);
    if (r || !b->width || !b->height || !b->depth)
        return r;
    if (stream_captured(s) && async)
        return box_capture(s, b, dst, src);
    r = box_locate(b, dst, src, &to, &from);
    return r ? r : box_start(b, to, from, stream, async);
}

static CUresult plane(const CUDA_MEMCPY2D *c, CUstream stream, bool async)
{
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    struct operand dst = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0,
                          c->dstPitch,      0};
    struct operand src = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0,
                          c->srcPitch,      0};
    struct box b = {.width = c->WidthInBytes, .height = c->Height, .depth = 1};
    return box_read(&b, &dst, &src, stream, async);
}

CUresult memcpy_2d(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return plane(copy, stream, false);
}

CUresult memcpy_2d_async(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return plane(copy, stream, true);
}

static void volume_read(const CUDA_MEMCPY3D *c, struct box *b, struct operand *dst, struct operand *src)
{
    *dst = (struct operand){c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes,
                            c->dstY,          c->dstZ,    c->dstPitch,  c->dstHeight};
    *src = (struct operand){c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes,
                            c->srcY,          c->srcZ,    c->srcPitch,  c->srcHeight};
    *b = (struct box){.width = c->WidthInBytes, .height = c->Height, .depth = c->Depth};
}

static CUresult volume(const CUDA_MEMCPY3D *c, CUstream stream, bool async, bool early)
{
    struct operand dst, src;
    struct box b;
    if (!c || c->srcLOD || c->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    volume_read(c, &b, &dst, &src);
    b.source_now = early;
    return box_read(&b, &dst, &src, stream, async);
}

static uint64_t copy_estimate(struct op *op)
{
    struct box *b = &((struct copy_op *)op)->box;
    return b->width * b->height * b->depth / 8;
}

CUresult copy_op_make(const CUDA_MEMCPY3D *c, struct op **out)
{
    struct operand dst, src;
    struct box b;
    enum side to, from;
    size_t to_bytes, from_bytes;
    struct finding d, f;
    if (c->srcLOD || c->dstLOD || !c->WidthInBytes || !c->Height || !c->Depth)
        return CUDA_ERROR_INVALID_VALUE;
    volume_read(c, &b, &dst, &src);
    CUresult r = box_locate(&b, &dst, &src, &to, &from);
    if (r)
        return r;
    if (!extent(&b, b.dst_pitch, b.dst_slice, &to_bytes) || !extent(&b, b.src_pitch, b.src_slice, &from_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    r = side_check(b.dst, to_bytes, to, USE_WRITE | USE_NODE, &d);
    r = r ? r : side_check(b.src, from_bytes, from, USE_NODE, &f);
    if (r)
        return r;
    struct copy_op *op = (struct copy_op *)op_create(sizeof *op, copy_run, copy_destroy);
    if (!op)
        return CUDA_ERROR_OUT_OF_MEMORY;
    op->op.estimate = copy_estimate;
    box_found(&b, &d, &f);
    op->box = b;
    op->op.describe = copy_describe;
    *out = &op->op;
    return CUDA_SUCCESS;
}

CUresult memcpy_3d(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return volume(copy, stream, false, false);
}

CUresult memcpy_3d_async(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return volume(copy, stream, true, false);
}

CUresult memcpy_3d_early(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return volume(copy, stream, true, true);
}

// The two descriptors differ only in what the reserved fields are for.
_Static_assert(sizeof(CUDA_MEMCPY3D) == sizeof(CUDA_MEMCPY3D_PEER), "one layout");

static CUresult peer_volume(const CUDA_MEMCPY3D_PEER *copy, CUstream stream, bool async)
{
    CUDA_MEMCPY3D plain;
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    if ((copy->srcContext && !context_get(copy->srcContext)) || (copy->dstContext && !context_get(copy->dstContext)))
        return CUDA_ERROR_INVALID_CONTEXT;
    memcpy(&plain, copy, sizeof plain);
    return volume(&plain, stream, async, false);
}

CUresult memcpy_3d_peer(const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
    return peer_volume(copy, stream, false);
}

CUresult memcpy_3d_peer_async(const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
    return peer_volume(copy, stream, true);
}

// ---- between memory and the first row of an array
static CUresult row(struct operand dst, struct operand src, size_t bytes, CUstream stream, bool async)
{
    struct box b = {.width = bytes, .height = 1, .depth = 1};
    return box_read(&b, &dst, &src, stream, async);
}

static struct operand row_of(CUarray array, size_t offset)
{
    return (struct operand){.type = CU_MEMORYTYPE_ARRAY, .array = array, .x = offset};
}

static struct operand host_at(const void *p)
{
    return (struct operand){.type = CU_MEMORYTYPE_HOST, .host = p};
}

static struct operand device_at(CUdeviceptr p)
{
    return (struct operand){.type = CU_MEMORYTYPE_DEVICE, .device = p};
}

CUresult memcpy_dtoa(CUarray dst, size_t dst_offset, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return row(row_of(dst, dst_offset), device_at(src), bytes, stream, false);
}

CUresult memcpy_atod(CUdeviceptr dst, CUarray src, size_t src_offset, size_t bytes, CUstream stream)
{
    return row(device_at(dst), row_of(src, src_offset), bytes, stream, false);
}

CUresult memcpy_htoa(CUarray dst, size_t dst_offset, const void *src, size_t bytes, CUstream stream)
{
    return row(row_of(dst, dst_offset), host_at(src), bytes, stream, false);
}

CUresult memcpy_htoa_async(CUarray dst, size_t dst_offset, const void *src, size_t bytes, CUstream stream)
{
    return row(row_of(dst, dst_offset), host_at(src), bytes, stream, true);
}

CUresult memcpy_atoh(void *dst, CUarray src, size_t src_offset, size_t bytes, CUstream stream)
{
    return row(host_at(dst), row_of(src, src_offset), bytes, stream, false);
}

CUresult memcpy_atoh_async(void *dst, CUarray src, size_t src_offset, size_t bytes, CUstream stream)
{
    return row(host_at(dst), row_of(src, src_offset), bytes, stream, true);
}

CUresult memcpy_atoa(CUarray dst, size_t dst_offset, CUarray src, size_t src_offset, size_t bytes, CUstream stream)
{
    return row(row_of(dst, dst_offset), row_of(src, src_offset), bytes, stream, false);
}
