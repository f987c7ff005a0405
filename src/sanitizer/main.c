// SPDX-License-Identifier: Apache-2.0
// compute-sanitizer: checks of kernels as they run on the CPU, with the command line and the reports of NVIDIA's program of that name.
//
// The checks are made in the program's process: the JIT compiles kernels with calls that tell the engine of their accesses (src/jit/check),
// and the engine finds what is wrong (src/device/check). What it finds it sends here, through a socket that HEDDLE_SANITIZER names, and
// goes on when it has been printed, so that reports stand in their place among what the program prints. This program chooses what is printed,
// names functions and counts; it knows nothing of kernels. docs/sanitizer.md tells the whole of it.
#include "base/process/listen.h"
#include "base/version.h"
#include "jit/abi/check.h"
#include "sanitizer/sanitizer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static unsigned tool_bits(void)
{
    static const struct {
        const char *name;
        unsigned bits;
    } tools[] = {{"memcheck", JIT_CHECK_MEMORY},
                 {"initcheck", JIT_CHECK_INIT},
                 {"racecheck", JIT_CHECK_RACE},
                 {"synccheck", JIT_CHECK_SYNC}};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (option_is(OPTION_TOOL, tools[i].name))
            return tools[i].bits;
    return 0;
}

// What the processes are told, and which of them used CUDA.
struct session {
    unsigned tools, seen;
};

static void settings(void *data, pid_t process, bool own, const char *folder, struct str *out)
{
    struct session *s = data;
    bool wanted = own || option_is(OPTION_TARGET_PROCESSES, "all");
    (void)process, (void)folder;
    option_settings(out, wanted ? s->tools : 0);
    s->seen += wanted;
}

static void report(void *data, pid_t process, const char *text, size_t size)
{
    (void)data, (void)process;
    print_report(text, size);
}

static int run(char **argv, struct session *s)
{
    const struct listener l = {.name = "compute-sanitizer", .data = s, .settings = settings, .report = report};
    int status = listen_program(&l, argv);
    if (status < 0)
        print_line("Error: no socket for the program: %s", strerror(errno));
    return status < 0 ? LISTEN_CANNOT_RUN : status;
}

int main(int argc, char **argv)
{
    int at = option_parse(argc, argv);
    if (at < 0)
        return EXIT_FAILURE;
    if (option_given(OPTION_HELP)) {
        option_help();
        return EXIT_SUCCESS;
    }
    if (option_given(OPTION_VERSION)) {
        printf("compute-sanitizer of Heddle %s, for CUDA %d.%d\n", HEDDLE_VERSION, TOOLKIT_MAJOR, TOOLKIT_MINOR);
        return EXIT_SUCCESS;
    }
    if (option_given(OPTION_READ))
        return print_begin() && print_saved(option_value[OPTION_READ]) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (at == argc) {
        printf("========= Error: no program is given; --help tells how\n");
        return EXIT_FAILURE;
    }
    if (!print_begin())
        return EXIT_FAILURE;
    struct session session = {tool_bits(), 0};
    int status = run(argv + at, &session);
    bool failed = false;
    if (!session.seen && status != 126 && status != 127 && option_is(OPTION_REQUIRE_CUDA_INIT, "yes")) {
        print_line("Error: Target application terminated before first instrumented API call");
        failed = true;
    }
    if (status && option_is(OPTION_CHECK_EXIT_CODE, "yes"))
        print_line("Error: Target application returned an error");
    print_end();
    unsigned long wanted = option_number(OPTION_ERROR_EXITCODE);
    if (wanted && (failed || counts.errors || counts.leaks || counts.hazards || counts.warnings))
        return (int)wanted;
    return status ? status : failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
