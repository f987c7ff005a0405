// SPDX-License-Identifier: Apache-2.0
// User objects: counted data of the program that graphs keep alive. The destructor is called once, with the last
// reference.
#include "driver/graph/graph.h"
#include <limits.h>
#include <stdlib.h>

static struct user_object *object_get(CUuserObject handle)
{
    struct user_object *o = handle_get(handle, HANDLE_GRAPH);
    return o && o->tag == TAG_USER_OBJECT ? o : NULL;
}

CUresult user_object_create(CUuserObject *object, void *data, CUhostFn destroy, unsigned count, unsigned flags)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!object || !destroy || !count || count > INT_MAX || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    struct user_object *o = xcalloc(1, sizeof *o);
    o->tag = TAG_USER_OBJECT;
    atomic_init(&o->refs, count);
    o->destroy = destroy;
    o->data = data;
    o->handle = handle_create(HANDLE_GRAPH, o);
    if (!o->handle) {
        free(o);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *object = o->handle;
    return CUDA_SUCCESS;
}

CUresult user_object_retain(CUuserObject object, unsigned count)
{
    struct user_object *o = object_get(object);
    if (!o || !count || count > INT_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    atomic_fetch_add(&o->refs, count);
    return CUDA_SUCCESS;
}

CUresult user_object_drop(CUuserObject object, unsigned count)
{
    struct user_object *o = object_get(object);
    if (!o || !count || count > INT_MAX || count > atomic_load(&o->refs))
        return CUDA_ERROR_INVALID_VALUE;
    user_object_release(o, count);
    return CUDA_SUCCESS;
}

CUresult graph_retain_user_object(CUgraph graph, CUuserObject object, unsigned count, unsigned flags)
{
    CUresult r = CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    struct graph *g = graph_get(graph);
    struct user_object *o = object_get(object);
    if (g && o && count && count <= INT_MAX && flags <= CU_GRAPH_USER_OBJECT_MOVE) {
        size_t i = 0;
        while (i < g->users.len && g->users.data[i].object != o)
            i++;
        if (i == g->users.len)
            vec_push(&g->users, ((struct user_reference){o, 0}));
        g->users.data[i].count += count;
        if (!(flags & CU_GRAPH_USER_OBJECT_MOVE))
            atomic_fetch_add(&o->refs, count);
        r = CUDA_SUCCESS;
    }
    graphs_unlock();
    return r;
}

CUresult graph_release_user_object(CUgraph graph, CUuserObject object, unsigned count)
{
    CUresult r = CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    struct graph *g = graph_get(graph);
    struct user_object *o = object_get(object);
    for (size_t i = 0; g && o && count && i < g->users.len; i++) {
        struct user_reference *u = &g->users.data[i];
        if (u->object != o || u->count < count)
            continue;
        u->count -= count;
        if (!u->count)
            *u = g->users.data[--g->users.len];
        user_object_release(o, count);
        r = CUDA_SUCCESS;
        break;
    }
    graphs_unlock();
    return r;
}
