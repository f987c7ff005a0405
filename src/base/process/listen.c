// SPDX-License-Identifier: Apache-2.0
// See listen.h. Messages are heard one after the other.
#include "base/process/listen.h"
#include "base/os.h"
#include "base/process/sanitizer.h"
#include "base/vec.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct server {
    const struct listener *l;
    int listens;
    pid_t pid;
    char folder[64], path[96];
    struct VEC(struct pollfd) fds; // the socket, the child, then a connection each
    struct VEC(pid_t) processes;   // of these
};

static bool open_socket(struct server *s)
{
    const char *tmp = secure_getenv("TMPDIR");
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    tmp = tmp && *tmp && strlen(tmp) < 32 ? tmp : "/tmp";
    snprintf(s->folder, sizeof s->folder, "%s/%s-XXXXXX", tmp, s->l->name);
    if (!mkdtemp(s->folder))
        return false;
    snprintf(s->path, sizeof s->path, "%s/socket", s->folder);
    strcpy(a.sun_path, s->path);
    s->listens = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return s->listens >= 0 && !bind(s->listens, (struct sockaddr *)&a, sizeof a) && !listen(s->listens, 64);
}

static void close_socket(struct server *s)
{
    close(s->listens);
    unlink(s->path);
    rmdir(s->folder);
}

// The process becomes the program, by `heddle run` beside this one.
_Noreturn static void become(const struct server *s, char **argv)
{
    char bin[PATH_MAX], heddle[PATH_MAX + 8];
    struct VEC(char *) all = {0};
    setenv("HEDDLE_SANITIZER", s->path, 1);
    if (!os_self_dir((const void *)become, bin, sizeof bin))
        _exit(LISTEN_CANNOT_RUN);
    snprintf(heddle, sizeof heddle, "%s/heddle", bin);
    vec_push(&all, heddle);
    vec_push(&all, (char *)"run");
    vec_push(&all, (char *)"--");
    for (; *argv; argv++)
        vec_push(&all, *argv);
    vec_push(&all, NULL);
    execv(heddle, all.data);
    fprintf(stderr, "%s: %s: %s\n", s->l->name, heddle, strerror(errno));
    _exit(LISTEN_CANNOT_RUN);
}

static void add(struct server *s, int fd)
{
    vec_push(&s->fds, ((struct pollfd){.fd = fd, .events = POLLIN}));
    vec_push(&s->processes, 0);
}

// The first message of a process: which one it is.
static void answer_hello(struct server *s, size_t i, const char *text)
{
    struct str settings = {0};
    pid_t process = (pid_t)strtol(text + 2, NULL, 10);
    s->processes.data[i] = process;
    s->l->settings(s->l->data, process, process == s->pid, s->folder, &settings);
    send(s->fds.data[i].fd, str_text(&settings), settings.len, MSG_NOSIGNAL);
    str_free(&settings);
}

// False: the connection is over.
static bool hear(struct server *s, size_t i)
{
    static char text[SANITIZER_TEXT];
    int fd = s->fds.data[i].fd;
    ssize_t n = recv(fd, text, sizeof text - 1, 0);
    if (n <= 0)
        return false;
    text[n] = 0;
    if (text[0] == 'P') {
        answer_hello(s, i, text);
    } else {
        s->l->report(s->l->data, s->processes.data[i], text, (size_t)n);
        send(fd, "k", 1, MSG_NOSIGNAL);
    }
    return true;
}

static void hear_all(struct server *s)
{
    for (size_t i = 2; i < s->fds.len;) {
        struct pollfd *p = &s->fds.data[i];
        if (p->revents && !hear(s, i)) {
            close(p->fd);
            if (s->l->gone && s->processes.data[i])
                s->l->gone(s->l->data, s->processes.data[i]);
            *p = s->fds.data[--s->fds.len];
            s->processes.data[i] = s->processes.data[--s->processes.len];
        } else {
            i++;
        }
    }
    if (s->fds.data[0].revents) {
        int fd = accept4(s->listens, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            add(s, fd);
    }
}

// Until the program is over, and then as long as one of its processes still has a connection.
static int serve(struct server *s)
{
    int status = 0;
    add(s, s->listens);
    add(s, (int)syscall(SYS_pidfd_open, s->pid, 0));
    bool ended = false;
    while (!ended || s->fds.len > 2) {
        for (size_t i = 0; i < s->fds.len; i++)
            s->fds.data[i].revents = 0;
        bool blind = s->fds.data[1].fd < 0; // the system has no such thing
        if (poll(s->fds.data, s->fds.len, blind && !ended ? 20 : -1) < 0 && errno != EINTR)
            break;
        hear_all(s);
        if (!ended && (blind || s->fds.data[1].revents) && waitpid(s->pid, &status, WNOHANG) == s->pid) {
            ended = true;
            if (!blind)
                close(s->fds.data[1].fd);
            s->fds.data[1].fd = -1;
        }
    }
    return WIFSIGNALED(status) ? LISTEN_SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

int listen_program(const struct listener *l, char **argv)
{
    struct server s = {.l = l};
    if (!open_socket(&s))
        return -1;
    fflush(NULL);
    s.pid = fork();
    if (!s.pid)
        become(&s, argv);
    signal(SIGINT, SIG_IGN); // it is the program's
    int status = s.pid > 0 ? serve(&s) : LISTEN_CANNOT_RUN;
    close_socket(&s);
    vec_free(&s.fds);
    vec_free(&s.processes);
    return status;
}
