// SPDX-License-Identifier: Apache-2.0
// Which kind of link goes to which rank.
#include "nccl/link/link.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

// NCCL's own variables: a user who has reasons against one way knows these.
bool link_is_disabled(const char *name)
{
    const char *v = secure_getenv(name);
    return v && *v && strcmp(v, "0") != 0;
}

static bool has_fabric(void)
{
    DIR *d = opendir("/sys/class/infiniband");
    bool found = false;
    for (struct dirent *e; d && (e = readdir(d));)
        found |= e->d_name[0] != '.';
    if (d)
        closedir(d);
    return found;
}

bool link_ucx_wanted(void)
{
    const char *net = secure_getenv("NCCL_NET");
    bool wanted = net && *net ? !strcasecmp(net, "UCX") : has_fabric();
    return wanted && link_ucx_there();
}

static const struct link_kind *kind_for(const struct comm *c, int peer)
{
    const struct peer *me = &c->peers[c->rank], *other = &c->peers[peer];
    if (me->process == other->process && (peer == c->rank || !link_is_disabled("NCCL_P2P_DISABLE")))
        return &link_direct;
    if (me->host == other->host && !link_is_disabled("NCCL_SHM_DISABLE"))
        return &link_host;
    return me->ucx && other->ucx ? &link_ucx : &link_net;
}

bool link_by_memory(const struct comm *c, int peer)
{
    return kind_for(c, peer) == &link_host && !link_is_disabled("NCCL_P2P_DISABLE");
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
        message_note("rank %d to rank %d: %s", e->comm->rank, peer, kind->name);
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
