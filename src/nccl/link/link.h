// SPDX-License-Identifier: Apache-2.0
// A link: bytes in order between this rank and another one, both ways, by memory of the process (direct.c), of the machine (host.c), or TCP
// (net.c). Nothing here waits. One thread at a time uses a link, but for what others tell it: that it is ready, or dead.
//
// Every message begins with a header and is padded, so that elements are never cut and lie aligned in rings (flow.h).
#ifndef HEDDLE_NCCL_LINK_LINK_H
#define HEDDLE_NCCL_LINK_LINK_H
#include "nccl/comm.h"

enum link_state { LINK_NEW, LINK_READY, LINK_DEAD };

struct link {
    const struct link_kind *kind;
    struct engine *engine;
    int peer;
    enum link_state state;
    atomic_bool hung; // the other side has gone: what it sent before can still be read
    // Flows on it, each way: how many there are, and how many are over.
    unsigned in_tickets, in_over, out_tickets, out_over;
    uint64_t out_bytes;  // pushed by flows that are over
    bool wants_out;      // while it is armed
    struct watch *probe; // to a peer that has not connected yet
    int probe_fd;
};

struct link_kind {
    const char *name;
    size_t bytes;
    bool pads;                       // messages are padded to FLOW_ALIGN
    bool by_address;                 // takes memory by its address, as much as there is
    bool by_host;                    // made by the socket of the machine
    void (*connect)(struct link *l); // a step towards READY, or DEAD
    // Gives bytes to the link; how many it has taken. They must stay as they are until drained() counts them.
    size_t (*push)(struct link *l, const void *from, size_t n);
    uint64_t (*drained)(struct link *l); // of all that was ever pushed
    // What has come and lies side by side; and takes n bytes of it away.
    size_t (*peek)(struct link *l, const char **at);
    void (*consume)(struct link *l, size_t n);
    // Moves what has come to memory; how many bytes.
    size_t (*pull)(struct link *l, char *to, size_t n);
    void (*notify)(struct link *l);        // after a push or consume: the other side may go on
    void (*arm)(struct link *l, bool out); // engine_wake() when something has come, or (out) can be pushed
    void (*close)(struct link *l);
};
extern const struct link_kind link_direct, link_host, link_net, link_ucx;
bool link_by_memory(const struct comm *c, int peer); // of another process of this machine, which may read this one's
bool link_is_disabled(const char *name);             // by one of NCCL's own variables
bool link_ucx_there(void);                           // UCX is installed
bool link_ucx_wanted(void);                          // and is to be used: there is a fabric, or the user says so
// The connection of net.c as ucx.c uses it: whether the other side has ended it (0), and this side ends it.
ssize_t link_net_peek_end(struct link *l, char *c);
void link_net_finish(struct link *l);

// The link to a rank, made now if it is not there; NULL: out of memory.
struct link *link_get(struct engine *e, int peer);
void link_close(struct link *l);

// ---- accept.c: links that others make
struct hello {
    uint64_t nonce;
    int32_t rank;
    uint32_t channel;
};
struct accepted {
    struct accepted *next;
    int fd, memory; // memory: -1, none
    bool known;     // hello has come
    bool over_net;
    struct hello hello;
    size_t have;
    struct watch *watch; // until it is known
};
// Takes the connection that the link's peer has made to us: READY, and the caller owns the descriptors. NEW: there is none yet; DEAD: there will
// be none.
enum link_state accept_take(struct link *l, int *fd, int *memory);
void probe_end(struct link *l);
void accept_arm(struct comm *c); // both engines are told when one has come
ncclResult_t accept_begin(struct comm *c);
void accept_end(struct comm *c);
#endif
