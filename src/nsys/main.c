// SPDX-License-Identifier: Apache-2.0
// nsys: the timeline of a program.
#include "base/version.h"
#include "nsys/nsys.h"
#include <string.h>

static const char help[] = "Usage: nsys COMMAND [options] ... | --version | --help\n"
                           "  profile  run a program and write its timeline to a report\n"
                           "  stats    print summaries of a report\n"
                           "  export   write a report as SQLite, JSON or a trace for Perfetto and Chrome\n"
                           "'nsys COMMAND --help' tells more of one.\n";

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (!strcmp(command, "profile"))
        return profile_main(argc - 2, argv + 2);
    if (!strcmp(command, "stats"))
        return stats_main(argc - 2, argv + 2);
    if (!strcmp(command, "export"))
        return export_main(argc - 2, argv + 2);
    if (!strcmp(command, "--version") || !strcmp(command, "-v")) {
        printf("Heddle nsys %s\n", HEDDLE_VERSION);
        return 0;
    }
    bool asked = !strcmp(command, "--help") || !strcmp(command, "-h") || !strcmp(command, "help");
    if (!asked && *command)
        fprintf(stderr, "nsys: there is no command %s\n", command);
    fputs(help, asked ? stdout : stderr);
    return asked ? 0 : 2;
}
