// SPDX-License-Identifier: Apache-2.0
// What tools are told of an operation. It keeps when it was submitted and begun, and whose it is; all else is filled in by its describe()
// when it ends. A step of a plan takes whose it is from the launch that runs it.
#include "base/os.h"
#include "device/device.h"

// What is run in turns began with the first of them.
void op_event_begin(struct op *op)
{
    if (!op->trace.start && atomic_load_explicit(&timeline_wanted, memory_order_relaxed) & TIMELINE_LISTENED)
        op->trace.start = os_time_ns();
}

void op_event_end(struct op *op, uint64_t now_ns)
{
    const struct op *owner = op->step ? plan_run(op) : op;
    if (op->trace.start && owner) {
        struct timeline_event e;
        e.correlation = owner->trace.correlation;
        e.device = owner->trace.device;
        e.context = owner->trace.context;
        e.stream = owner->trace.stream;
        e.queued = owner->trace.queued;
        e.graph = op->step ? (uint32_t)owner->trace.graph_node : 0; // of a launch of a graph that is the graph
        e.graph_node = op->step ? op->trace.graph_node : 0;
        e.start = op->trace.start;
        e.end = now_ns ? now_ns : os_time_ns();
        e.made = false;
        op->describe(op, &e);
        if (timeline_wants(e.kind))
            timeline_tell(&e);
    }
    op->trace.start = 0;
}
