// SPDX-License-Identifier: Apache-2.0
// The lock of all graphs and captures, and what their handles stand for.
#include "driver/graph/graph.h"

// Recursive: the last reference to an executable graph may go while the lock is held.
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void graphs_lock(void)
{
    pthread_mutex_lock(&lock);
}

void graphs_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static void *tagged(const void *handle, enum graph_tag tag)
{
    enum graph_tag *t = handle_get(handle, HANDLE_GRAPH);
    return t && *t == tag ? t : NULL;
}

struct graph *graph_get(CUgraph handle)
{
    return tagged(handle, TAG_GRAPH);
}

struct graph_node *node_get(CUgraphNode handle)
{
    return tagged(handle, TAG_NODE);
}

struct exec *exec_get(CUgraphExec handle)
{
    return tagged(handle, TAG_EXEC);
}
