// SPDX-License-Identifier: Apache-2.0
// See tell.h.
#include "driver/context/tell.h"
#include "base/os.h"

void tell_owner(struct timeline_event *e, const struct context *c, const struct stream *s)
{
    e->correlation = timeline_correlation();
    e->device = (uint32_t)c->device;
    e->context = (uint32_t)c->id;
    e->stream = s ? (uint32_t)s->id : 0;
    e->queued = timeline_submitted();
}

struct timeline_event tell_begin(enum timeline_kind kind, const struct stream *s)
{
    struct timeline_event e = {.kind = kind};
    if (timeline_wants(kind)) {
        tell_owner(&e, s->context, s);
        e.start = os_time_ns();
    }
    return e;
}

void tell_end(struct timeline_event *e)
{
    if (!e->start)
        return;
    e->end = os_time_ns();
    timeline_tell(e);
}

enum timeline_memory tell_memory_kind(const struct memory_range *r)
{
    switch (r->kind) {
    case MEMORY_DEVICE:
    case MEMORY_MODULE:
    case MEMORY_HEAP:
        return MEMORY_IS_DEVICE;
    case MEMORY_HOST:
    case MEMORY_REGISTERED:
        return MEMORY_IS_PINNED;
    case MEMORY_MANAGED:
        return MEMORY_IS_MANAGED;
    }
    return MEMORY_IS_PAGEABLE;
}

static void tell_now(struct timeline_event *e, const struct context *c, const struct stream *s)
{
    tell_owner(e, c, s);
    e->start = e->end = os_time_ns();
    timeline_tell(e);
}

void tell_memory(const struct context *c, const struct stream *s, const void *address, size_t bytes,
                 enum memory_kind kind, bool made)
{
    if (!timeline_wants(TIMELINE_MEMORY))
        return;
    struct memory_range range = {.kind = kind};
    struct timeline_event e = {.kind = TIMELINE_MEMORY, .made = made};
    e.memory.address = (uintptr_t)address;
    e.memory.bytes = bytes;
    e.memory.memory = tell_memory_kind(&range);
    e.memory.async = s != NULL;
    tell_now(&e, c, s);
}

void tell_sync(enum timeline_sync type, const struct context *c, const struct stream *s, uint32_t event, uint64_t since)
{
    struct timeline_event e = {
        .kind = TIMELINE_SYNC, .start = since, .sync = {type, event, c->handle, s ? s->handle : NULL}};
    if (!since || !timeline_wants(TIMELINE_SYNC))
        return;
    tell_owner(&e, c, s);
    e.end = os_time_ns();
    timeline_tell(&e);
}

void tell_stream_of(struct op *op, const struct stream *s)
{
    op->trace.correlation = timeline_correlation();
    op->trace.device = (uint8_t)s->context->device;
    op->trace.context = (uint32_t)s->context->id;
    op->trace.stream = (uint32_t)s->id;
    op->trace.queued = timeline_submitted();
}

static void record_describe(const struct op *op, struct timeline_event *e)
{
    e->kind = TIMELINE_EVENT;
    e->sync.event = (uint32_t)op->trace.graph_node;
}

void tell_record(uint32_t event, const struct stream *s, struct op *op)
{
    if (!timeline_wants(TIMELINE_EVENT))
        return;
    tell_stream_of(op, s);
    op->describe = record_describe;
    op->trace.graph_node = event;
    op->trace.start = op->trace.queued; // it takes no time, and may be over at once
}

void tell_context(const struct context *c, bool made)
{
    struct timeline_event e = {.kind = TIMELINE_CONTEXT,
                               .made = made,
                               .object = {.handle = c->handle, .context = c->handle, .flags = c->flags}};
    if (timeline_wants(TIMELINE_CONTEXT))
        tell_now(&e, c, c->legacy);
}

void tell_stream(const struct stream *s, bool made)
{
    struct timeline_event e = {.kind = TIMELINE_STREAM,
                               .made = made,
                               .object = {.handle = s->handle,
                                          .context = s->context->handle,
                                          .priority = s->priority,
                                          .flags = s->legacy || s->per_thread          ? 2
                                                   : s->flags & CU_STREAM_NON_BLOCKING ? 1
                                                                                       : 0}};
    if (timeline_wants(TIMELINE_STREAM))
        tell_now(&e, s->context, s);
}

void tell_module(const struct module *m, bool made)
{
    struct timeline_event e = {.kind = TIMELINE_MODULE,
                               .made = made,
                               .object = {.handle = m->handle, .context = m->context->handle, .id = m->id}};
    if (!timeline_wants(TIMELINE_MODULE))
        return;
    e.object.image = m->image->text;
    e.object.bytes = m->image->text ? strlen(m->image->text) : 0;
    tell_now(&e, m->context, NULL);
}

void tell_op(struct op *op, const struct context *c, op_describe_fn *describe)
{
    op->describe = describe;
    op->trace.correlation = timeline_correlation();
    op->trace.device = (uint8_t)c->device;
    op->trace.context = (uint32_t)c->id;
    op->trace.queued = timeline_submitted();
}
