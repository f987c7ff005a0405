// SPDX-License-Identifier: Apache-2.0
// Texture descriptors that die: kernels under way may still read them.
#include "driver/texture/texture.h"

// ---- descriptors that die
static bool context_is_idle(struct context *c) // with its lock held
{
    for (struct node *n = c->streams.next; n != &c->streams; n = n->next)
        if (!queue_idle(((struct stream *)list_at(n, offsetof(struct stream, node)))->queue))
            return false;
    for (size_t i = 0; i < c->orphans.len; i++)
        if (!op_done(c->orphans.data[i]))
            return false;
    return true;
}

void textures_reclaim(struct context *c)
{
    pthread_mutex_lock(&c->lock);
    if (context_is_idle(c)) {
        for (size_t i = 0; i < c->retired.len; i++)
            texture_destroy(c->retired.data[i]);
        c->retired.len = 0;
    }
    pthread_mutex_unlock(&c->lock);
}

void texture_retire(struct context *c, struct texture *t)
{
    pthread_mutex_lock(&c->lock);
    vec_push(&c->retired, t);
    pthread_mutex_unlock(&c->lock);
    textures_reclaim(c);
}
