// SPDX-License-Identifier: Apache-2.0
// Waiting for all work of a context.
#include "driver/texture/texture.h"

// Without memory: one operation after the other, with what comes meanwhile.
static void wait_one_by_one(struct context *c)
{
    struct op *op;
    do {
        op = NULL;
        pthread_mutex_lock(&c->lock);
        for (struct node *n = c->streams.next; n != &c->streams && !op; n = n->next)
            op = queue_last(((struct stream *)list_at(n, offsetof(struct stream, node)))->queue);
        if (!op && c->orphans.len)
            op = c->orphans.data[--c->orphans.len];
        atomic_store(&c->norphans, (unsigned)c->orphans.len);
        pthread_mutex_unlock(&c->lock);
        if (op)
            op_wait(op);
        op_release(op);
    } while (op);
}

struct ops VEC(struct op *);

// What the streams hold, under the lock; false: there is no memory for the list.
static bool collect(struct context *c, struct ops *ops)
{
    for (struct node *n = c->streams.next; n != &c->streams; n = n->next) {
        struct op *op = queue_last(((struct stream *)list_at(n, offsetof(struct stream, node)))->queue);
        if (op && !vec_try_reserve(ops, ops->len + 1)) {
            op_release(op);
            return false;
        }
        if (op)
            vec_push(ops, op);
    }
    if (!vec_try_reserve(ops, ops->len + c->orphans.len))
        return false;
    for (size_t i = 0; i < c->orphans.len; i++)
        vec_push(ops, c->orphans.data[i]);
    c->orphans.len = 0;
    atomic_store(&c->norphans, 0);
    return true;
}

static void order_told(struct context *c)
{
    pthread_mutex_lock(&c->lock);
    for (struct node *n = c->streams.next; n != &c->streams; n = n->next)
        order_told_line(((struct stream *)list_at(n, offsetof(struct stream, node)))->order);
    order_told_line(c->gone);
    pthread_mutex_unlock(&c->lock);
}

void context_wait(struct context *c)
{
    struct ops ops = {0};
    pthread_mutex_lock(&c->lock);
    bool all = collect(c, &ops), retired = c->retired.len;
    pthread_mutex_unlock(&c->lock);
    for (size_t i = 0; i < ops.len; i++) {
        op_wait(ops.data[i]);
        op_release(ops.data[i]);
    }
    vec_free(&ops);
    if (!all)
        wait_one_by_one(c);
    if (order_on())
        order_told(c);
    if (retired)
        textures_reclaim(c);
    output_flush();
}
