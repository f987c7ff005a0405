// SPDX-License-Identifier: Apache-2.0
// Graphs as text for Graphviz.
#include "driver/graph/graph.h"
#include <stdio.h>

static const char *const names[] = {
    [CU_GRAPH_NODE_TYPE_KERNEL] = "KERNEL",
    [CU_GRAPH_NODE_TYPE_MEMCPY] = "MEMCPY",
    [CU_GRAPH_NODE_TYPE_MEMSET] = "MEMSET",
    [CU_GRAPH_NODE_TYPE_HOST] = "HOST",
    [CU_GRAPH_NODE_TYPE_GRAPH] = "GRAPH",
    [CU_GRAPH_NODE_TYPE_EMPTY] = "EMPTY",
    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = "WAIT_EVENT",
    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = "EVENT_RECORD",
    [CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL] = "EXT_SEMAS_SIGNAL",
    [CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT] = "EXT_SEMAS_WAIT",
    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = "MEM_ALLOC",
    [CU_GRAPH_NODE_TYPE_MEM_FREE] = "MEM_FREE",
    [CU_GRAPH_NODE_TYPE_BATCH_MEM_OP] = "BATCH_MEM_OP",
    [CU_GRAPH_NODE_TYPE_CONDITIONAL] = "CONDITIONAL",
};

static bool asked(unsigned flags, unsigned one)
{
    return flags & (one | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
}

static void label_write(FILE *f, const struct graph_node *n, unsigned flags)
{
    const CUgraphNodeParams *p = &n->params;
    fprintf(f, "%llu\\n%s", (unsigned long long)n->id, names[n->type]);
    if (n->type == CU_GRAPH_NODE_TYPE_KERNEL)
        fprintf(f, "\\n%s", n->function->info->ptx->name);
    if (asked(flags, CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES))
        fprintf(f, "\\nnode %p", (void *)n->handle);
    switch ((int)n->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        if (asked(flags, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS))
            fprintf(f, "\\ngrid %u %u %u block %u %u %u shared %u", p->kernel.gridDimX, p->kernel.gridDimY,
                    p->kernel.gridDimZ, p->kernel.blockDimX, p->kernel.blockDimY, p->kernel.blockDimZ,
                    p->kernel.sharedMemBytes);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        if (asked(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS))
            fprintf(f, "\\n%zu x %zu x %zu bytes", p->memcpy.copyParams.WidthInBytes, p->memcpy.copyParams.Height,
                    p->memcpy.copyParams.Depth);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        if (asked(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS))
            fprintf(f, "\\n0x%llx: %zu x %zu of %u bytes, value %u", (unsigned long long)p->memset.dst, p->memset.width,
                    p->memset.height, p->memset.elementSize, p->memset.value);
        break;
    case CU_GRAPH_NODE_TYPE_HOST:
        if (asked(flags, CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS))
            fprintf(f, "\\nfunction %p data %p", (void *)p->host.fn, p->host.userData);
        break;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        if (asked(flags, CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS))
            fprintf(f, "\\nevent %p", (void *)p->eventRecord.event);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        if (asked(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS))
            fprintf(f, "\\n0x%llx: %zu bytes", (unsigned long long)p->alloc.dptr, p->alloc.bytesize);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        if (asked(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS))
            fprintf(f, "\\n0x%llx", (unsigned long long)p->free.dptr);
        break;
    }
}

static void graph_write(FILE *f, const struct graph *g, unsigned flags)
{
    fprintf(f, "subgraph cluster_%llu {\nlabel=\"graph_%llu\" graph[style=\"dashed\"]\n", (unsigned long long)g->id,
            (unsigned long long)g->id);
    for (size_t i = 0; i < g->nodes.len; i++) {
        const struct graph_node *n = g->nodes.data[i];
        fprintf(f, "\"node_%llu\"[shape=\"%s\" label=\"", (unsigned long long)n->id,
                n->type == CU_GRAPH_NODE_TYPE_KERNEL ? "octagon" : "rectangle");
        label_write(f, n, flags);
        fputs("\"]\n", f);
        for (size_t k = 0; k < n->out.len; k++)
            fprintf(f, "\"node_%llu\" -> \"node_%llu\"\n", (unsigned long long)n->id,
                    (unsigned long long)n->out.data[k].node->id);
        for (uint32_t k = 0; k < n->nchildren; k++)
            graph_write(f, n->children[k], flags);
    }
    fputs("}\n", f);
}

CUresult graph_dot(CUgraph graph, const char *path, unsigned flags)
{
    CUresult r = CUDA_ERROR_INVALID_VALUE;
    if (!path)
        return r;
    graphs_lock();
    struct graph *g = graph_get(graph);
    FILE *f = g ? fopen(path, "w") : NULL;
    if (f) {
        fputs("digraph dot {\n", f);
        graph_write(f, g, flags);
        fputs("}\n", f);
        bool bad = ferror(f);
        r = fclose(f) || bad ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
    } else if (g) {
        r = CUDA_ERROR_OPERATING_SYSTEM;
    }
    graphs_unlock();
    return r;
}
