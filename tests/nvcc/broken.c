// SPDX-License-Identifier: Apache-2.0
// broken FILE... -- "TOOL ARGUMENT..."...: runs each tool on damaged copies of each file, the same ones on every run: bytes changed, numbers made
// large, the end cut off. Fails where a tool is ended by a signal, or is not done after a while.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 16, WORDS = 16, SECONDS = 60 };

static uint64_t seed = 1;

static uint64_t number(uint64_t below)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return below ? (seed >> 33) % below : 0;
}

static char *file_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    *size = 0;
    for (size_t n = 1; f && n; *size += n) {
        data = realloc(data, *size + (1 << 16));
        n = fread(data + *size, 1, 1 << 16, f);
    }
    if (f)
        fclose(f);
    return data;
}

// Heads and tables lie at the beginning and the end, and so do most of the changes.
static size_t damage(char *data, size_t size, unsigned turn)
{
    static const char large[] = {0, '\x7f', '\xff'};
    if (turn % 8 == 7)
        return number(size);
    for (unsigned i = 0, n = 1 + (unsigned)number(4); i < n; i++) {
        size_t near = size < 256 ? size : 256, at = number(3) ? number(near) : size - 1 - number(near);
        if (number(2))
            data[at] = (char)number(256);
        else
            memset(data + at, large[number(3)], size - at < 4 ? size - at : 4);
    }
    return size;
}

static int run(const char *command, const char *file)
{
    char text[4096], *words[WORDS + 2], *save;
    int n = 0, status;
    snprintf(text, sizeof text, "%s", command);
    for (char *w = strtok_r(text, " ", &save); w && n < WORDS; w = strtok_r(NULL, " ", &save))
        words[n++] = w;
    words[n++] = (char *)file;
    words[n] = NULL;
    pid_t child = fork();
    if (!child) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(1);
        alarm(SECONDS);
        execv(words[0], words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int main(int argc, char **argv)
{
    int tools = 1, failed = 0;
    const char *path = "broken.tmp";
    while (tools < argc && strcmp(argv[tools], "--"))
        tools++;
    if (tools < 2 || tools + 1 >= argc)
        return 1;
    for (int i = 1; i < tools; i++) {
        size_t size;
        char *data = file_read(argv[i], &size), *copy = malloc(size + 1);
        if (!data || !size || !copy)
            return 1;
        for (unsigned turn = 0; turn < TIMES; turn++) {
            memcpy(copy, data, size);
            size_t left = damage(copy, size, turn);
            FILE *f = fopen(path, "wb");
            if (!f || fwrite(copy, 1, left, f) != left || fclose(f))
                return 1;
            for (int t = tools + 1; t < argc; t++) {
                int end = run(argv[t], path);
                if (end)
                    printf("%s, change %u: '%s' ended by signal %d\n", argv[i], turn, argv[t], end);
                failed |= end;
            }
        }
        free(data);
        free(copy);
    }
    unlink(path);
    return failed != 0;
}
