// SPDX-License-Identifier: Apache-2.0
// See field.h.
#include "nvml/smi/field.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static nvmlReturn_t show_time(nvmlDevice_t d, char *out)
{
    struct timespec t;
    struct tm tm;
    (void)d;
    clock_gettime(CLOCK_REALTIME, &t);
    size_t n = strftime(out, FIELD_SIZE, "%Y/%m/%d %H:%M:%S", localtime_r(&t.tv_sec, &tm));
    snprintf(out + n, FIELD_SIZE - n, ".%03ld", t.tv_nsec / 1000000);
    return NVML_SUCCESS;
}

static nvmlReturn_t show_driver(nvmlDevice_t d, char *out)
{
    (void)d;
    return nvmlSystemGetDriverVersion(out, FIELD_SIZE);
}

static nvmlReturn_t show_name(nvmlDevice_t d, char *out)
{
    return nvmlDeviceGetName(d, out, FIELD_SIZE);
}

static nvmlReturn_t show_uuid(nvmlDevice_t d, char *out)
{
    return nvmlDeviceGetUUID(d, out, FIELD_SIZE);
}

static nvmlReturn_t show_nothing(nvmlDevice_t d, char *out)
{
    (void)d, (void)out;
    return NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t number(nvmlReturn_t r, unsigned value, char *out)
{
    snprintf(out, FIELD_SIZE, "%u", value);
    return r;
}

static nvmlReturn_t show_count(nvmlDevice_t d, char *out)
{
    unsigned n = 0;
    (void)d;
    nvmlReturn_t r = nvmlDeviceGetCount(&n);
    return number(r, n, out);
}

static nvmlReturn_t show_index(nvmlDevice_t d, char *out)
{
    unsigned n = 0;
    nvmlReturn_t r = nvmlDeviceGetIndex(d, &n);
    return number(r, n, out);
}

static nvmlReturn_t show_bus(nvmlDevice_t d, char *out)
{
    nvmlPciInfo_t p = {0};
    nvmlReturn_t r = nvmlDeviceGetPciInfo(d, &p);
    snprintf(out, FIELD_SIZE, "%s", p.busId);
    return r;
}

static nvmlReturn_t show_capability(nvmlDevice_t d, char *out)
{
    int major = 0, minor = 0;
    nvmlReturn_t r = nvmlDeviceGetCudaComputeCapability(d, &major, &minor);
    snprintf(out, FIELD_SIZE, "%d.%d", major, minor);
    return r;
}

static nvmlReturn_t show_mode(nvmlDevice_t d, char *out)
{
    static const char *const names[] = {"Default", "Exclusive_Thread", "Prohibited", "Exclusive_Process"};
    nvmlComputeMode_t m = NVML_COMPUTEMODE_DEFAULT;
    nvmlReturn_t r = nvmlDeviceGetComputeMode(d, &m);
    snprintf(out, FIELD_SIZE, "%s", names[(unsigned)m % NVML_COMPUTEMODE_COUNT]);
    return r;
}

static nvmlReturn_t show_persistence(nvmlDevice_t d, char *out)
{
    nvmlEnableState_t s = NVML_FEATURE_DISABLED;
    nvmlReturn_t r = nvmlDeviceGetPersistenceMode(d, &s);
    snprintf(out, FIELD_SIZE, "%s", s ? "Enabled" : "Disabled");
    return r;
}

static nvmlReturn_t show_display(nvmlDevice_t d, char *out)
{
    nvmlEnableState_t s = NVML_FEATURE_DISABLED;
    nvmlReturn_t r = nvmlDeviceGetDisplayActive(d, &s);
    snprintf(out, FIELD_SIZE, "%s", s ? "Enabled" : "Disabled");
    return r;
}

static nvmlReturn_t show_state(nvmlDevice_t d, char *out)
{
    nvmlPstates_t s = NVML_PSTATE_UNKNOWN;
    nvmlReturn_t r = nvmlDeviceGetPerformanceState(d, &s);
    snprintf(out, FIELD_SIZE, "P%d", (int)s);
    return r;
}

static nvmlReturn_t memory(nvmlDevice_t d, size_t offset, char *out)
{
    nvmlMemory_t m = {0};
    unsigned long long bytes;
    nvmlReturn_t r = nvmlDeviceGetMemoryInfo(d, &m);
    memcpy(&bytes, (char *)&m + offset, sizeof bytes);
    return number(r, (unsigned)(bytes >> 20), out);
}

static nvmlReturn_t show_memory_total(nvmlDevice_t d, char *out)
{
    return memory(d, offsetof(nvmlMemory_t, total), out);
}

static nvmlReturn_t show_memory_used(nvmlDevice_t d, char *out)
{
    return memory(d, offsetof(nvmlMemory_t, used), out);
}

static nvmlReturn_t show_memory_free(nvmlDevice_t d, char *out)
{
    return memory(d, offsetof(nvmlMemory_t, free), out);
}

static nvmlReturn_t show_busy(nvmlDevice_t d, char *out)
{
    nvmlUtilization_t u = {0};
    nvmlReturn_t r = nvmlDeviceGetUtilizationRates(d, &u);
    return number(r, u.gpu, out);
}

static nvmlReturn_t show_memory_busy(nvmlDevice_t d, char *out)
{
    nvmlUtilization_t u = {0};
    nvmlReturn_t r = nvmlDeviceGetUtilizationRates(d, &u);
    return number(r, u.memory, out);
}

static nvmlReturn_t show_temperature(nvmlDevice_t d, char *out)
{
    unsigned n = 0;
    nvmlReturn_t r = nvmlDeviceGetTemperature(d, NVML_TEMPERATURE_GPU, &n);
    return number(r, n, out);
}

static nvmlReturn_t show_power(nvmlDevice_t d, char *out)
{
    unsigned n = 0;
    nvmlReturn_t r = nvmlDeviceGetPowerUsage(d, &n);
    snprintf(out, FIELD_SIZE, "%u.%02u", n / 1000, n % 1000 / 10);
    return r;
}

static nvmlReturn_t show_clock(nvmlDevice_t d, char *out)
{
    unsigned n = 0;
    nvmlReturn_t r = nvmlDeviceGetClockInfo(d, NVML_CLOCK_SM, &n);
    return number(r, n, out);
}

static nvmlReturn_t show_max_clock(nvmlDevice_t d, char *out)
{
    unsigned n = 0;
    nvmlReturn_t r = nvmlDeviceGetMaxClockInfo(d, NVML_CLOCK_SM, &n);
    return number(r, n, out);
}

static const struct field fields[] = {
#define FIELD(name, other, unit, function) {name, other, unit, function},
#include "nvml/smi/query.def"
#undef FIELD
};

const struct field *field_at(size_t number)
{
    return number < sizeof fields / sizeof *fields ? &fields[number] : NULL;
}

static int is_name(const char *own, const char *name, size_t n)
{
    return n && strlen(own) == n && !memcmp(own, name, n);
}

const struct field *field_find(const char *name, size_t n)
{
    const struct field *f;
    for (size_t i = 0; (f = field_at(i)); i++)
        if (is_name(f->name, name, n) || is_name(f->other, name, n))
            return f;
    return NULL;
}

void field_write(const struct field *f, nvmlDevice_t device, char *out)
{
    if (f->show(device, out))
        strcpy(out, "[N/A]");
}
