// SPDX-License-Identifier: Apache-2.0
// Numbers of the machine, from /proc and /sys.
#include "base/os.h"
#include "nvml/monitor.h"
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_NS = 100000000 }; // samples are not taken more often

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool number_read(const char *path, unsigned long long *number)
{
    char *text = os_file_read(path, NULL), *end = text;
    if (text)
        *number = strtoull(text, &end, 10);
    bool ok = end != text;
    free(text);
    return ok;
}

bool host_memory_available(unsigned long long *bytes)
{
    char *text = os_file_read("/proc/meminfo", NULL);
    const char *p = text ? strstr(text, "MemAvailable:") : NULL;
    if (p)
        *bytes = strtoull(p + strlen("MemAvailable:"), NULL, 10) << 10;
    free(text);
    return p != NULL;
}

// ---- processor time: all, and that in which a processor had work
struct times {
    unsigned long long all, busy, at;
};
static struct times last;
static unsigned percent;

static bool times_read(struct times *t)
{
    char *text = os_file_read("/proc/stat", NULL), *p = text;
    *t = (struct times){.at = os_time_ns()};
    bool ok = p && !strncmp(p, "cpu ", 4);
    for (int i = 0; ok && i < 8; i++) { // user nice system idle iowait irq softirq steal
        unsigned long long n = strtoull(i ? p : p + 4, &p, 10);
        t->all += n;
        t->busy += i == 3 || i == 4 ? 0 : n;
    }
    free(text);
    return ok;
}

void host_busy_start(void)
{
    pthread_mutex_lock(&lock);
    if (!last.all)
        times_read(&last);
    pthread_mutex_unlock(&lock);
}

// The first call waits until there is a sample.
unsigned host_busy_percent(void)
{
    static bool sampled;
    struct times now;
    pthread_mutex_lock(&lock);
    unsigned long long passed = os_time_ns() - last.at;
    if (!sampled && passed < SAMPLE_NS)
        nanosleep(&(struct timespec){.tv_nsec = (long)(SAMPLE_NS - passed)}, NULL);
    if (times_read(&now) && now.at - last.at >= SAMPLE_NS && now.all > last.all) {
        unsigned long long busy = now.busy > last.busy ? now.busy - last.busy : 0;
        percent = (unsigned)(100 * busy / (now.all - last.all));
        percent = percent > 100 ? 100 : percent;
        last = now;
        sampled = true;
    }
    unsigned result = percent;
    pthread_mutex_unlock(&lock);
    return result;
}

// ---- sensors
static bool file_is(const char *path, const char *const *words, size_t count)
{
    char *text = os_file_read(path, NULL);
    bool found = false;
    for (size_t i = 0; text && i < count && !found; i++)
        found = !strncmp(text, words[i], strlen(words[i]));
    free(text);
    return found;
}

// The first entry of a folder of sensors whose file `kind` begins with one of the words; its number is in file `value`.
static bool sensor_read(const char *folder, const char *kind, const char *value, const char *const *words, size_t count,
                        unsigned long long *number)
{
    char path[512];
    bool found = false;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && !found && (e = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%.200s/%s", folder, e->d_name, kind);
        if (e->d_name[0] == '.' || !file_is(path, words, count))
            continue;
        snprintf(path, sizeof path, "%s/%.200s/%s", folder, e->d_name, value);
        found = number_read(path, number);
    }
    if (dir)
        closedir(dir);
    return found;
}

bool host_temperature(unsigned *degrees)
{
    static const char *const zones[] = {"x86_pkg_temp", "cpu", "soc", "acpitz"}, *const chips[] = {
                                                                                     "coretemp", "k10temp", "zenpower",
                                                                                     "cpu_thermal"};
    unsigned long long milli;
    if (!sensor_read("/sys/class/thermal", "type", "temp", zones, 4, &milli) &&
        !sensor_read("/sys/class/hwmon", "name", "temp1_input", chips, 4, &milli))
        return false;
    *degrees = (unsigned)(milli / 1000);
    return true;
}

bool host_clock_mhz(unsigned *mhz)
{
    unsigned long long khz;
    if (number_read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", &khz)) {
        *mhz = (unsigned)(khz / 1000);
        return true;
    }
    char *info = os_file_read("/proc/cpuinfo", NULL);
    const char *p = info ? strstr(info, "cpu MHz") : NULL;
    p = p ? strchr(p, ':') : NULL;
    if (p)
        *mhz = (unsigned)atof(p + 1);
    free(info);
    return p != NULL;
}

bool host_energy_mj(unsigned long long *energy)
{
    static const char *const packages[] = {"package-0"};
    unsigned long long micro;
    if (!sensor_read("/sys/class/powercap", "name", "energy_uj", packages, 1, &micro))
        return false;
    *energy = micro / 1000;
    return true;
}

// Energy since the call before this one. Of the first there is none: it waits as long as a sample takes.
bool host_power_mw(unsigned *power)
{
    static unsigned long long energy, at;
    unsigned long long now;
    if (!host_energy_mj(&now))
        return false;
    pthread_mutex_lock(&lock);
    if (!at || now < energy) {
        energy = now;
        at = os_time_ns();
        nanosleep(&(struct timespec){.tv_nsec = SAMPLE_NS}, NULL);
        host_energy_mj(&now);
    }
    unsigned long long time = os_time_ns(), passed = time - at;
    *power = passed ? (unsigned)((now - energy) * 1000000000ull / passed) : 0;
    energy = now;
    at = time;
    pthread_mutex_unlock(&lock);
    return true;
}
