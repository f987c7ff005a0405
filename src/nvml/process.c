// SPDX-License-Identifier: Apache-2.0
// Processes that use a device: those in whose memory the driver is. Processes of other users cannot be looked into.
#include "base/os.h"
#include "nvml/monitor.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned process_list(const char *driver, unsigned *pids, unsigned room)
{
    char path[64];
    unsigned count = 0;
    DIR *dir = opendir("/proc");
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (!isdigit((unsigned char)e->d_name[0]))
            continue;
        snprintf(path, sizeof path, "/proc/%.20s/maps", e->d_name);
        char *maps = os_file_read(path, NULL);
        if (maps && strstr(maps, driver) && count < room)
            pids[count++] = (unsigned)strtoul(e->d_name, NULL, 10);
        free(maps);
    }
    if (dir)
        closedir(dir);
    return count;
}

bool process_name(unsigned pid, char *name, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
    char *text = os_file_read(path, NULL);
    bool found = text && *text;
    if (found)
        snprintf(name, size, "%s", text);
    free(text);
    return found;
}
