// SPDX-License-Identifier: Apache-2.0
// The processor that stands behind every device: its name, clock and cache, and the numbers by which devices are told apart.
#include "base/hash.h"
#include "base/os.h"
#include "driver/context/device.h"
#include "driver/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static char cpu_name[200];

static int cpu_khz, cpu_cache;

// Programs take a multiple of the second-level cache as their working set (to flush it, say), so that a server's whole last cache of
// hundreds of MiB would make them work on gigabytes: no more is reported than the largest GPUs have.
enum { MOST_CACHE = 64 << 20 };

// The text after "key :" in /proc/cpuinfo, or NULL.
static const char *info_value(const char *info, const char *key, char *out, size_t size)
{
    const char *p = strstr(info, key), *colon = p ? strchr(p, ':') : NULL;
    if (!colon)
        return NULL;
    colon += strspn(colon, ": \t");
    snprintf(out, size, "%.*s", (int)strcspn(colon, "\n"), colon);
    return out;
}

static const char *arm_core(const char *part)
{
    static const struct {
        unsigned part;
        const char *name;
    } cores[] = {{0xd03, "Cortex-A53"}, {0xd05, "Cortex-A55"},  {0xd07, "Cortex-A57"},  {0xd08, "Cortex-A72"},
                 {0xd0b, "Cortex-A76"}, {0xd0c, "Neoverse N1"}, {0xd40, "Neoverse V1"}, {0xd41, "Cortex-A78"},
                 {0xd44, "Cortex-X1"},  {0xd49, "Neoverse N2"}, {0xd4f, "Neoverse V2"}, {0xd84, "Neoverse V3"},
                 {0xd8e, "Neoverse N3"}};
    unsigned n = (unsigned)strtoul(part, NULL, 16);
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (cores[i].part == n)
            return cores[i].name;
    return "AArch64";
}

static void find_cpu(void)
{
    char text[160], *info = os_file_read("/proc/cpuinfo", NULL);
    size_t l3 = os_cache(3).bytes, cache = l3 ? l3 : os_cache(2).bytes;
    cpu_cache = !cache ? 1 << 20 : cache < MOST_CACHE ? (int)cache : MOST_CACHE;
    cpu_khz = 2000000;
    const char *core = "CPU";
    if (info && info_value(info, "model name", text, sizeof text))
        core = text;
    else if (info && info_value(info, "CPU part", text, sizeof text))
        core = arm_core(text);
    snprintf(cpu_name, sizeof cpu_name, "Heddle on %s (%u threads)", core, pool_workers());
    if (info && info_value(info, "cpu MHz", text, sizeof text) && atof(text) > 0)
        cpu_khz = (int)(atof(text) * 1000);
    free(info);
    char *freq = os_file_read("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", NULL);
    if (freq && atoi(freq) > 0)
        cpu_khz = atoi(freq);
    free(freq);
}

int cpu_clock_khz(void)
{
    pthread_once(&once, find_cpu);
    return cpu_khz;
}

const char *cpu_title(void)
{
    pthread_once(&once, find_cpu);
    return cpu_name;
}

int device_l2_bytes(void)
{
    pthread_once(&once, find_cpu);
    return cpu_cache;
}

void device_uuid_bytes(int number, unsigned char out[16])
{
    struct hash128 h;
    char host[128] = "";
    gethostname(host, sizeof host - 1);
    hash128_init(&h);
    hash128_add_text(&h, host);
    hash128_add(&h, &number, sizeof number);
    memcpy(out, &h.lo, 8);
    memcpy(out + 8, &h.hi, 8);
}

void device_uuid_text(int number, char *out)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char b[16];
    device_uuid_bytes(number, b);
    memcpy(out, "GPU-", 4);
    out += 4;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *out++ = '-';
        *out++ = digits[b[i] >> 4];
        *out++ = digits[b[i] & 15];
    }
    *out = 0;
}
