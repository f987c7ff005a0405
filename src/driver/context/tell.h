// SPDX-License-Identifier: Apache-2.0
// What the driver tells tools of (base/timeline/timeline.h): whose work is, and events that are no operation's.
#ifndef HEDDLE_DRIVER_CONTEXT_TELL_H
#define HEDDLE_DRIVER_CONTEXT_TELL_H
#include "driver/driver.h"

// Whose work it is, and when it was submitted.
void tell_owner(struct timeline_event *e, const struct context *c, const struct stream *s);
// The event of work that the calling thread does at once; start is 0, and nothing is told of it, where nobody wants to know.
struct timeline_event tell_begin(enum timeline_kind kind, const struct stream *s);
void tell_end(struct timeline_event *e);
enum timeline_memory tell_memory_kind(const struct memory_range *r);
// Memory was allocated, or is given back.
void tell_memory(const struct context *c, const struct stream *s, const void *address, size_t bytes,
                 enum memory_kind kind, bool made);
// From `since` (timeline_since) to now a thread waited; a stream is told to wait for an event.
void tell_sync(enum timeline_sync type, const struct context *c, const struct stream *s, uint32_t event,
               uint64_t since);
// An event is recorded in a stream by this op.
void tell_record(uint32_t event, const struct stream *s, struct op *op);
void tell_context(const struct context *c, bool made);
void tell_stream(const struct stream *s, bool made);
void tell_module(const struct module *m, bool made);
// The op, which has a describe(), goes to this stream now.
void tell_stream_of(struct op *op, const struct stream *s);
// An op of the context, which may go to no stream.
typedef void op_describe_fn(const struct op *op, struct timeline_event *e);
void tell_op(struct op *op, const struct context *c, op_describe_fn *describe);
#endif
