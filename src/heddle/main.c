// SPDX-License-Identifier: Apache-2.0
// heddle: what a user asks of Heddle itself: its environment variables, its disk cache, what it compiles kernels to; and programs of
// NVIDIA's libraries that run on its own.
#include "base/env.h"
#include "base/version.h"
#include "heddle/bench.h"
#include "heddle/compile.h"
#include "heddle/doctor.h"
#include "heddle/exec.h"
#include "heddle/explore.h"
#include "heddle/info.h"
#include "heddle/prebuild.h"
#include "jit/cache/cache.h"
#include "jit/cache/todo.h"
#include "jit/cache/upgrade.h"
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int show_env(void)
{
    for (const struct env_row *r = env_table; r->name; r++) {
        const char *set = secure_getenv(r->name);
        printf("%s%s%s%s\n    %s%s%s%s\n", r->name, set ? "=" : "", set ? set : "",
               set && !env_valid(r, set) ? " (not a valid value: ignored)" : "", r->about,
               *r->value ? " (default " : "", r->value, *r->value ? ")" : "");
    }
    return 0;
}

// Counts the cache's files, and removes them when asked.
static int walk_cache(int clear)
{
    const char *dir = cache_dir();
    unsigned long files = 0;
    unsigned long long bytes = 0;
    if (!dir) {
        puts("the disk cache is off");
        return 0;
    }
    for (unsigned i = 0; i < 256; i++) {
        char sub[PATH_MAX + 8];
        struct stat st;
        snprintf(sub, sizeof sub, "%s/%02x", dir, i);
        DIR *d = opendir(sub);
        for (struct dirent *e; d && (e = readdir(d));) {
            if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, 0))
                continue;
            files++;
            bytes += (unsigned long long)st.st_size;
            if (clear)
                unlinkat(dirfd(d), e->d_name, 0);
        }
        if (d)
            closedir(d);
    }
    printf("%s: %lu kernels, %.1f MiB%s\n", dir, files, (double)bytes / 1048576.0, clear ? ", removed" : "");
    unsigned left = todo_count(clear);
    if (left)
        printf("%u kernels that programs have left to be optimised%s\n", left, clear ? ", removed" : "");
    return 0;
}

struct command {
    const char *name;
    const char *arguments; // as the usage shows them
    const char *about;
    int (*run)(int argc, char **argv); // the arguments behind the name; USAGE: they are not ones that it takes
};
enum { USAGE = -1 };

static int command_env(int argc, char **argv)
{
    (void)argv;
    return argc ? USAGE : show_env();
}

static int finish(void)
{
    prctl(PR_SET_NAME, "heddle-finish");
    int n = upgrade_finish();
    if (n < 0)
        puts("another process is at work");
    else
        printf("%d kernels were left to be optimised\n", n);
    return n < 0;
}

static int command_cache(int argc, char **argv)
{
    if (argc == 0 || (argc == 1 && !strcmp(argv[0], "show")))
        return walk_cache(0);
    if (argc == 1 && !strcmp(argv[0], "clear"))
        return walk_cache(1);
    if (argc == 1 && !strcmp(argv[0], "finish"))
        return finish();
    return strcmp(argv[0], "prebuild") ? USAGE : prebuild(argc - 1, argv + 1);
}

static int command_compile(int argc, char **argv)
{
    int status = compile(argc, argv);
    return status == COMPILE_USAGE ? USAGE : status;
}

static int command_run(int argc, char **argv)
{
    int status = exec_program(argc, argv);
    return status == EXEC_USAGE ? USAGE : status;
}

static int command_explore(int argc, char **argv)
{
    int status = explore_program(argc, argv);
    return status == EXPLORE_USAGE ? USAGE : status;
}

static int command_info(int argc, char **argv)
{
    int status = info(argc, argv);
    return status == INFO_USAGE ? USAGE : status;
}

static int command_bench(int argc, char **argv)
{
    (void)argv;
    return argc ? USAGE : bench();
}

static int command_doctor(int argc, char **argv)
{
    (void)argv;
    return argc ? USAGE : doctor();
}

static const struct command commands[] = {
    {"doctor", "",
     "check what programs rely on: compiler, device, cache, libraries, environment; say how to mend what is "
     "wrong\n"
     "A line for each: ok, a note where something that one can do without is not there, or WRONG. The exit status is 1 "
     "where\n"
     "something is wrong.\n",
     command_doctor},
    {"info", " FILE...",
     "show the kernels of programs, libraries, objects, fat binaries, PTX files and sources, and which will run here\n"
     "For each fat binary its PTX and machine code, and which PTX is taken (HEDDLE_CC); for each kernel of that its "
     "registers\n"
     "and memory, or why it is refused, by line and instruction. Nothing is run. The exit status is 1 where a kernel "
     "is\n"
     "refused, 2 where a file cannot be read.\n",
     command_info},
    {"bench", "",
     "measure this machine for a few seconds, beside machines that are known\n"
     "Each row is the best of many. On a machine that does other work too, times are longer.\n",
     command_bench},
    {"env", "", "list the environment variables, what they do, and how they are set here\n", command_env},
    {"cache", " [show | clear | finish | prebuild [--block X[,Y[,Z]]]... FILE...]",
     "show the cache of compiled kernels: its folder, how many there are, how large it is\n"
     "  show        the same\n"
     "  clear       remove them\n"
     "  finish      optimise the kernels that programs have left to be optimised when they ended, as the process does "
     "that\n"
     "              they start then (HEDDLE_FINISH)\n"
     "  prebuild    compile the kernels of programs, libraries, objects, fat binaries and PTX files now, so that\n"
     "              programs find them: for blocks of X,Y,Z threads, else for the shape that a kernel requires, else "
     "for\n"
     "              256 threads in a row\n",
     command_cache},
    {"compile",
     " FILE.ptx|FILE.cu [--kernel NAME] [--block X[,Y[,Z]]] [--width N] [--time-passes] [--stop-after PASS] [-o FILE]",
     "compile the kernels of a PTX file or a source without running them, and show what became of them\n"
     "  --kernel        this one alone\n"
     "  --block         for blocks of X,Y,Z threads, else for the shape that a kernel requires, else for 256 threads "
     "in a row\n"
     "  --width         lanes a gang: 1, 8, 16 or 32, else HEDDLE_WIDTH, else what the policy chooses\n"
     "  --time-passes   the time of each pass, and the instructions before and after it\n"
     "  --stop-after    print the IR behind this pass and stop there (docs/jit/passes.md has their names)\n"
     "  -o              the object, or that IR, goes to this file\n",
     command_compile},
    {"run", " [--devices N] [--show] CMD [ARGUMENTS]...",
     "run a program that was built for NVIDIA's shared libraries on Heddle's\n"
     "  --devices   the number of devices that it sees (HEDDLE_DEVICES)\n"
     "  --show      it and every process that it starts say on stderr which libraries were redirected and which were "
     "not\n"
     "The device is the CPU, unless HEDDLE_DEVICE=gpu. The exit status is the program's; 127: it was not found,\n"
     "126: it cannot be run, 2: these words are wrong.\n",
     command_run},
    {"explore",
     " [--schedules N] [--launches N] [--kernel PART] [--tolerance X] [--error-exitcode N] CMD [ARGUMENTS]...",
     "run a program's kernels under several schedules, and tell which depend on one\n"
     "  --schedules        how many for a launch, 1 to 1000 (16)\n"
     "  --launches         so many of each kernel, the first ones (4)\n"
     "  --kernel           kernels whose names have this part\n"
     "  --tolerance        floating-point numbers that differ by no more than this part of them are the same (0)\n"
     "  --error-exitcode   the exit status where a kernel depends on the schedule and the program's is 0 (1)\n"
     "What is found stands on stderr (docs/explore.md). Else the exit status is the program's; 127: it was not found,\n"
     "126: it cannot be run, 2: these words are wrong.\n",
     command_explore},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct command *command_find(const char *name)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static void command_help(FILE *to, const struct command *c)
{
    fprintf(to, "Usage: heddle %s%s\n", c->name, c->arguments);
    fprintf(to, "%s", c->about);
}

static void help(FILE *to)
{
    fputs("Usage: heddle COMMAND [ARGUMENTS] | --version | --help\n", to);
    for (unsigned i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-8s %.*s\n", commands[i].name, (int)strcspn(commands[i].about, "\n"), commands[i].about);
    fputs("'heddle COMMAND --help' tells more of one.\n", to);
}

static bool asks_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return 2;
    }
    bool asked = asks_help(argv[1]);
    if (asked && argc == 2) {
        help(stdout);
        return 0;
    }
    if (!strcmp(argv[1], "--version") && argc == 2) {
        printf("heddle %s (CUDA %d.%d)\n", HEDDLE_VERSION, TOOLKIT_MAJOR, TOOLKIT_MINOR);
        return 0;
    }
    const char *name = argv[asked ? 2 : 1];
    const struct command *c = command_find(name);
    if (!c) {
        fprintf(stderr, "heddle: '%s' is no command; 'heddle --help' lists them\n", name);
        return 2;
    }
    if (asked || (argc > 2 && asks_help(argv[2]))) {
        command_help(stdout, c);
        return 0;
    }
    int status = c->run(argc - 2, argv + 2);
    if (status == USAGE)
        command_help(stderr, c);
    return status == USAGE ? 2 : status;
}
