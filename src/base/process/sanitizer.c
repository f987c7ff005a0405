// SPDX-License-Identifier: Apache-2.0
// See sanitizer.h. After a fork the child has the parent's connection and is told nothing by it: it counts as a process without one.
#include "base/process/sanitizer.h"
#include "base/env.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd = -1;
static pid_t owner;
static unsigned tools;
static char settings[4096];

static bool exchange(const char *text, size_t size, char *answer, size_t room)
{
    ssize_t n = send(fd, text, size, MSG_NOSIGNAL) == (ssize_t)size ? recv(fd, answer, room - 1, 0) : -1;
    answer[n > 0 ? n : 0] = 0;
    return n > 0;
}

static void hang_up(void)
{
    close(fd);
    fd = -1;
}

static void connect_once(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    const char *path = env_get("HEDDLE_SANITIZER");
    char hello[64];
    if (!*path || strlen(path) >= sizeof a.sun_path)
        return;
    strcpy(a.sun_path, path);
    fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    owner = getpid();
    snprintf(hello, sizeof hello, "P\t%ld\n", (long)owner);
    if (connect(fd, (struct sockaddr *)&a, sizeof a) || !exchange(hello, strlen(hello), settings, sizeof settings)) {
        hang_up();
        return;
    }
    tools = (unsigned)strtoul(sanitizer_setting("tools"), NULL, 10);
    if (!tools)
        hang_up();
    void *warm[2];
    backtrace(warm, 2); // what it needs is loaded now, not in the middle of something
}

bool sanitizer_on(void)
{
    pthread_once(&once, connect_once);
    return fd >= 0 && owner == getpid();
}

unsigned sanitizer_tools(void)
{
    return sanitizer_on() ? tools : 0;
}

const char *sanitizer_setting(const char *name)
{
    static _Thread_local char value[512];
    size_t len = strlen(name);
    for (const char *p = settings; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (!strncmp(p, name, len) && p[len] == '=') {
            snprintf(value, sizeof value, "%.*s", (int)strcspn(p + len + 1, "\n"), p + len + 1);
            return value;
        }
    return "";
}

void sanitizer_stack_take(struct sanitizer_stack *s, unsigned skip)
{
    void *all[SANITIZER_FRAMES + 8];
    int n = backtrace(all, SANITIZER_FRAMES + 8);
    s->n = 0;
    for (int i = (int)skip + 1; i < n && s->n < SANITIZER_FRAMES; i++)
        s->frame[s->n++] = all[i];
}

void sanitizer_add(struct sanitizer_report *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(r->text + r->len, sizeof r->text - r->len, fmt, ap);
    va_end(ap);
    if (n > 0)
        r->len += (size_t)n < sizeof r->text - r->len ? (size_t)n : sizeof r->text - r->len - 1;
}

void sanitizer_add_stack(struct sanitizer_report *r, const char *heading, const struct sanitizer_stack *s)
{
    if (!s->n)
        return;
    sanitizer_add(r, "B\t%s\n", heading);
    for (unsigned i = 0; i < s->n; i++) {
        Dl_info d = {0};
        const char *at = (const char *)s->frame[i] - 1; // in the call
        if (!dladdr(at, &d) || !d.dli_fname)
            continue;
        sanitizer_add(r, "F\t%s\t0x%zx\t%s\n", d.dli_fname, (size_t)(at - (const char *)d.dli_fbase) + 1,
                      d.dli_sname ? d.dli_sname : "");
    }
}

void sanitizer_send(const struct sanitizer_report *r)
{
    char answer[16];
    if (!sanitizer_on())
        return;
    pthread_mutex_lock(&lock);
    if (fd >= 0 && !exchange(r->text, r->len, answer, sizeof answer))
        hang_up();
    pthread_mutex_unlock(&lock);
}

void sanitizer_api_error(const char *name, int code, const char *error_name, const char *text)
{
    struct sanitizer_stack s;
    if (!sanitizer_on() || !strcmp(sanitizer_setting("api"), "no"))
        return;
    struct sanitizer_report *r = malloc(sizeof *r);
    if (!r)
        return;
    r->len = 0;
    sanitizer_stack_take(&s, 1);
    sanitizer_add(r, "K\tapi\n");
    sanitizer_add_stack(r, "Saved host backtrace up to driver entry point at error", &s);
    sanitizer_add(r, "A\t%s\t%d\t%s\t%s\n", name ? name : "", code, error_name, text);
    sanitizer_send(r);
    free(r);
}
