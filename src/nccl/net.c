// SPDX-License-Identifier: Apache-2.0
// Sockets: which of the machine's addresses others are told (NCCL_SOCKET_IFNAME, NCCL_SOCKET_FAMILY), listening and connecting. No socket waits.
#include "nccl/comm.h"
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

socklen_t net_length(const union address *a)
{
    return a->any.sa_family == AF_INET6 ? sizeof a->v6 : sizeof a->v4;
}

static bool name_matches(const char *name, const char *pattern, size_t n, bool exact)
{
    return exact ? strlen(name) == n && !strncmp(name, pattern, n) : !strncmp(name, pattern, n);
}

// "eth,ib": names that begin so; "=eth0": this one; "^docker": any but those. Without one, anything but the loopback and bridges of
// containers, and those where there is nothing else.
static bool is_wanted(const char *name, const char *list, int pass)
{
    if (!list || !*list) {
        bool last_choice = !strncmp(name, "lo", 2) || !strncmp(name, "docker", 6) || !strncmp(name, "virbr", 5);
        return pass == 0 ? !last_choice : pass == 1 ? true : false;
    }
    bool exact = false, except = false, found = false;
    while (*list == '^' || *list == '=') {
        exact |= *list == '=';
        except |= *list == '^';
        list++;
    }
    while (*list) {
        size_t n = strcspn(list, ",");
        found |= n && name_matches(name, list, n, exact);
        list += n + (list[n] == ',');
    }
    return found != except;
}

static bool is_usable(const struct ifaddrs *i, int family)
{
    if (!i->ifa_addr || !(i->ifa_flags & IFF_UP) || i->ifa_addr->sa_family != family)
        return false;
    return family == AF_INET ||
           !IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)(const void *)i->ifa_addr)->sin6_addr);
}

bool net_own_address(union address *out)
{
    const char *names = secure_getenv("NCCL_SOCKET_IFNAME"), *wanted = secure_getenv("NCCL_SOCKET_FAMILY");
    int only = !wanted                       ? AF_UNSPEC
               : !strcmp(wanted, "AF_INET6") ? AF_INET6
               : !strcmp(wanted, "AF_INET")  ? AF_INET
                                             : AF_UNSPEC;
    static const int families[] = {AF_INET, AF_INET6};
    struct ifaddrs *list = NULL;
    bool found = false;
    if (getifaddrs(&list))
        return false;
    for (int pass = 0; pass < 2 && !found; pass++)
        for (int f = 0; f < 2 && !found; f++)
            for (struct ifaddrs *i = list; i && !found; i = i->ifa_next) {
                if ((only != AF_UNSPEC && families[f] != only) || !is_usable(i, families[f]) ||
                    !is_wanted(i->ifa_name, names, pass))
                    continue;
                memset(out, 0, sizeof *out);
                memcpy(out, i->ifa_addr, families[f] == AF_INET ? sizeof out->v4 : sizeof out->v6);
                found = true;
            }
    freeifaddrs(list);
    return found;
}

// host:port, [host]:port
bool net_parse(const char *text, union address *out)
{
    char host[256];
    const char *colon = strrchr(text, ':');
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    if (!colon || colon == text || (size_t)(colon - text) >= sizeof host)
        return false;
    bool brackets = *text == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - (brackets ? 2 : 0), text + brackets);
    if (getaddrinfo(host, colon + 1, &hints, &found))
        return false;
    memset(out, 0, sizeof *out);
    bool ok = found->ai_addrlen <= sizeof *out;
    if (ok)
        memcpy(out, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return ok;
}

// Small messages go at once. A machine that has vanished is noticed after some seconds.
void net_prepare(int fd)
{
    static const struct {
        int level, name, value;
    } options[] = {{IPPROTO_TCP, TCP_NODELAY, 1},  {SOL_SOCKET, SO_KEEPALIVE, 1},
                   {IPPROTO_TCP, TCP_KEEPIDLE, 5}, {IPPROTO_TCP, TCP_KEEPINTVL, 2},
                   {IPPROTO_TCP, TCP_KEEPCNT, 5},  {IPPROTO_TCP, TCP_USER_TIMEOUT, 15000}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof options[i].value);
}

int net_listen(union address *at)
{
    enum { BACKLOG = 4096 };
    int one = 1, fd = socket(at->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t size = net_length(at);
    if (fd < 0)
        return -1;
    bool named = at->any.sa_family == AF_INET6 ? at->v6.sin6_port : at->v4.sin_port;
    if (named)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (!bind(fd, &at->any, size) && !listen(fd, BACKLOG) && !getsockname(fd, &at->any, &size))
        return fd;
    close(fd);
    return -1;
}

int net_call(const union address *to)
{
    int fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    net_prepare(fd);
    if (!connect(fd, &to->any, net_length(to)) || errno == EINPROGRESS)
        return fd;
    int e = errno;
    close(fd);
    errno = e;
    return -1;
}

// Names of the machine's sockets are in no folder, and go with the process.
static socklen_t host_name(struct sockaddr_un *a, uint64_t token)
{
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "heddle-nccl-%016llx", (unsigned long long)token);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static int host_socket(uint64_t token, bool listens)
{
    enum { BACKLOG = 4096 };
    struct sockaddr_un a;
    socklen_t size = host_name(&a, token);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (listens ? !bind(fd, (struct sockaddr *)&a, size) && !listen(fd, BACKLOG)
                : !connect(fd, (struct sockaddr *)&a, size))
        return fd;
    int e = errno;
    close(fd);
    errno = e;
    return -1;
}

int net_listen_host(uint64_t token)
{
    return host_socket(token, true);
}

int net_call_host(uint64_t token)
{
    return host_socket(token, false);
}
