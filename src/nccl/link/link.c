// SPDX-License-Identifier: Apache-2.0
// Which kind of link goes to which rank.
#include "nccl/link/link.h"
#include <stdlib.h>
#include <string.h>

// NCCL's own variables: a user who has reasons against one way knows these.
static bool is_disabled(const char *name)
{
    const char *v = secure_getenv(name);
    return v && *v && strcmp(v, "0") != 0;
}

static const struct link_kind *kind_for(const struct comm *c, int peer)
{
    const struct peer *me = &c->peers[c->rank], *other = &c->peers[peer];
    if (me->process == other->process && (peer == c->rank || !is_disabled("NCCL_P2P_DISABLE")))
        return &link_direct;
    return me->host == other->host && !is_disabled("NCCL_SHM_DISABLE") ? &link_host : &link_net;
}

struct link *link_get(struct engine *e, int peer)
{
    struct link *l = e->links[peer];
    if (l)
        return l;
    const struct link_kind *kind = kind_for(e->comm, peer);
    l = calloc(1, kind->bytes);
    if (l) {
        l->kind = kind;
        l->engine = e;
        l->peer = peer;
        e->links[peer] = l;
    }
    return l;
}

void link_close(struct link *l)
{
    if (!l)
        return;
    l->kind->close(l);
    l->engine->links[l->peer] = NULL;
    free(l);
}
