// SPDX-License-Identifier: Apache-2.0
// The program and its processes: started under `heddle run`, heard one message after the other.
#include "sanitizer/sanitizer.h"
#include "base/os.h"
#include "base/process/sanitizer.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN = 126, SIGNALLED = 128 };

struct server {
    int listens, child;
    pid_t pid;
    char folder[64], path[96];
    unsigned tools, *seen;
    struct VEC(struct pollfd) fds; // the socket, the child, then a connection each
};

static bool open_socket(struct server *s)
{
    const char *tmp = secure_getenv("TMPDIR");
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    tmp = tmp && *tmp && strlen(tmp) < 32 ? tmp : "/tmp";
    snprintf(s->folder, sizeof s->folder, "%s/compute-sanitizer-XXXXXX", tmp);
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
        _exit(CANNOT_RUN);
    snprintf(heddle, sizeof heddle, "%s/heddle", bin);
    vec_push(&all, heddle);
    vec_push(&all, (char *)"run");
    vec_push(&all, (char *)"--");
    for (; *argv; argv++)
        vec_push(&all, *argv);
    vec_push(&all, NULL);
    execv(heddle, all.data);
    fprintf(stderr, "compute-sanitizer: %s: %s\n", heddle, strerror(errno));
    _exit(CANNOT_RUN);
}

static void add(struct server *s, int fd)
{
    vec_push(&s->fds, ((struct pollfd){.fd = fd, .events = POLLIN}));
}

// The first message of a process: which one it is.
static void answer_hello(struct server *s, int fd, const char *text)
{
    struct str settings = {0};
    bool wanted = option_is(OPTION_TARGET_PROCESSES, "all") || strtol(text + 2, NULL, 10) == s->pid;
    option_settings(&settings, wanted ? s->tools : 0);
    *s->seen += wanted;
    send(fd, str_text(&settings), settings.len, MSG_NOSIGNAL);
    str_free(&settings);
}

// False: the connection is over.
static bool hear(struct server *s, int fd)
{
    static char text[SANITIZER_TEXT];
    ssize_t n = recv(fd, text, sizeof text - 1, 0);
    if (n <= 0)
        return false;
    text[n] = 0;
    if (text[0] == 'P') {
        answer_hello(s, fd, text);
    } else {
        print_report(text, (size_t)n);
        send(fd, "k", 1, MSG_NOSIGNAL);
    }
    return true;
}

static void hear_all(struct server *s)
{
    for (size_t i = 2; i < s->fds.len;) {
        struct pollfd *p = &s->fds.data[i];
        if (p->revents && !hear(s, p->fd)) {
            close(p->fd);
            *p = s->fds.data[--s->fds.len];
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
    return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

int serve_program(char **argv, unsigned tools, unsigned *seen)
{
    struct server s = {.tools = tools, .seen = seen};
    if (!open_socket(&s)) {
        print_line("Error: no socket for the program in %s: %s", s.folder, strerror(errno));
        return CANNOT_RUN;
    }
    fflush(NULL);
    s.pid = fork();
    if (!s.pid)
        become(&s, argv);
    signal(SIGINT, SIG_IGN); // it is the program's
    int status = s.pid > 0 ? serve(&s) : CANNOT_RUN;
    close_socket(&s);
    vec_free(&s.fds);
    return status;
}
