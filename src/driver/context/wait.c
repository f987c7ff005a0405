// SPDX-License-Identifier: Apache-2.0
// Waiting for all work of a context.
#include "driver/texture/texture.h"

void context_wait(struct context *c)
{
    struct VEC(struct op *) ops = {0};
    pthread_mutex_lock(&c->lock);
    for (struct node *n = c->streams.next; n != &c->streams; n = n->next) {
        struct op *op = queue_last(list_item(n, struct stream, node)->queue);
        if (op)
            vec_push(&ops, op);
    }
    for (size_t i = 0; i < c->orphans.len; i++)
        vec_push(&ops, c->orphans.data[i]);
    c->orphans.len = 0;
    atomic_store(&c->norphans, 0);
    bool retired = c->retired.len;
    pthread_mutex_unlock(&c->lock);
    for (size_t i = 0; i < ops.len; i++) {
        op_wait(ops.data[i]);
        op_release(ops.data[i]);
    }
    vec_free(&ops);
    if (retired)
        textures_reclaim(c);
    output_flush();
}
