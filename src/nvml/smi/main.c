// SPDX-License-Identifier: Apache-2.0
// nvidia-smi: what devices there are and what they do, as a table, a list or comma-separated values.
#include "base/version.h"
#include "nvml/smi/field.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

struct request {
    const char *query, *format, *id;
    bool list, help, help_query, version;
};

static const char usage[] = "Usage: nvidia-smi [options]\n"
                            "  (none)                    a table of all devices and of the processes that use them\n"
                            "  -L, --list-gpus           one line a device\n"
                            "  -i, --id=ID               this device alone: its index, UUID or bus id\n"
                            "  --query-gpu=FIELD,...     comma-separated values; --help-query-gpu lists the fields\n"
                            "  --format=csv[,noheader][,nounits]\n"
                            "  --version                 versions of this program, of NVML, of the driver and of CUDA\n"
                            "  -h, --help                this text\n";

static int fail(const char *what, const char *text)
{
    fprintf(stderr, what, text);
    fputc('\n', stderr);
    return 2;
}

// "--name=value" or "--name value"; NULL: it is another option.
static const char *value_of(int argc, char **argv, int *i, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(argv[*i], name, n) != 0)
        return NULL;
    if (argv[*i][n] == '=')
        return argv[*i] + n + 1;
    return argv[*i][n] || *i + 1 >= argc ? NULL : argv[++*i];
}

static int command_read(struct request *q, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], *v;
        if (!strcmp(arg, "-L") || !strcmp(arg, "--list-gpus"))
            q->list = true;
        else if (!strcmp(arg, "-h") || !strcmp(arg, "--help"))
            q->help = true;
        else if (!strcmp(arg, "--help-query-gpu"))
            q->help_query = true;
        else if (!strcmp(arg, "--version"))
            q->version = true;
        else if ((v = value_of(argc, argv, &i, "--query-gpu")))
            q->query = v;
        else if ((v = value_of(argc, argv, &i, "--format")))
            q->format = v;
        else if ((v = value_of(argc, argv, &i, "-i")) || (v = value_of(argc, argv, &i, "--id")))
            q->id = v;
        else
            return fail("Invalid combination of input arguments: %s. Please run 'nvidia-smi -h' for help.", arg);
    }
    return 0;
}

static bool format_read(const char *format, bool *header, bool *units)
{
    bool csv = false;
    *header = *units = true;
    while (format && *format) {
        size_t n = strcspn(format, ",");
        if (n == 3 && !memcmp(format, "csv", n))
            csv = true;
        else if (n == 8 && !memcmp(format, "noheader", n))
            *header = false;
        else if (n == 7 && !memcmp(format, "nounits", n))
            *units = false;
        else
            return false;
        format += n + (format[n] == ',');
    }
    return csv;
}

static int query_print(const struct request *q, const nvmlDevice_t *devices, unsigned count)
{
    const struct field *fields[MOST];
    size_t n = 0;
    bool header, units;
    if (!format_read(q->format, &header, &units))
        return fail("%s", "\"--format=\" switch is missing or not understood. It must name csv.");
    for (const char *p = q->query; *p;) {
        p += strspn(p, " ");
        size_t len = strcspn(p, ","), word = strcspn(p, ", ");
        if (n == MOST || !(fields[n++] = field_find(p, word)))
            return fail("Field \"%s\" is not a valid field to query.", p);
        p += len + (p[len] == ',');
    }
    for (size_t k = 0; header && k < n; k++)
        printf("%s%s%s%s%s", k ? ", " : "", fields[k]->name, units && *fields[k]->unit ? " [" : "",
               units ? fields[k]->unit : "", units && *fields[k]->unit ? "]" : "");
    if (header)
        putchar('\n');
    for (unsigned i = 0; i < count; i++) {
        for (size_t k = 0; k < n; k++) {
            char text[FIELD_SIZE];
            field_write(fields[k], devices[i], text);
            bool unit = units && *fields[k]->unit && text[0] != '[';
            printf("%s%s%s%s", k ? ", " : "", text, unit ? " " : "", unit ? fields[k]->unit : "");
        }
        putchar('\n');
    }
    return 0;
}

static const char *value(nvmlDevice_t device, const char *name, char *text)
{
    field_write(field_find(name, strlen(name)), device, text);
    return strcmp(text, "[N/A]") != 0 ? text : "N/A";
}

static void list_print(const nvmlDevice_t *devices, unsigned count)
{
    char index[FIELD_SIZE], name[FIELD_SIZE], uuid[FIELD_SIZE];
    for (unsigned i = 0; i < count; i++)
        printf("GPU %s: %s (UUID: %s)\n", value(devices[i], "index", index), value(devices[i], "name", name),
               value(devices[i], "uuid", uuid));
}

#define LINE "+-----------------------------------------------------------------------------------------+\n"

static void processes_print(const nvmlDevice_t *devices, unsigned count)
{
    nvmlProcessInfo_t infos[MOST];
    unsigned shown = 0;
    printf("\n" LINE "| %-87s |\n| %5s  %10s   %-67s |\n" LINE, "Processes:", "GPU", "PID", "Process name");
    for (unsigned i = 0; i < count; i++) {
        unsigned n = MOST, index = i;
        nvmlDeviceGetIndex(devices[i], &index);
        if (nvmlDeviceGetComputeRunningProcesses(devices[i], &n, infos))
            continue;
        for (unsigned k = 0; k < n; k++, shown++) {
            char name[FIELD_SIZE];
            if (nvmlSystemGetProcessName(infos[k].pid, name, sizeof name))
                strcpy(name, "-");
            printf("| %5u  %10u   %-67.67s |\n", index, infos[k].pid, name);
        }
    }
    if (!shown)
        printf("| %-87s |\n", " No running processes found");
    printf(LINE);
}

static void versions(char *driver, char *cuda, size_t size)
{
    int number = 0;
    nvmlSystemGetDriverVersion(driver, (unsigned)size);
    nvmlSystemGetCudaDriverVersion(&number);
    snprintf(cuda, size, "%d.%d", NVML_CUDA_DRIVER_VERSION_MAJOR(number), NVML_CUDA_DRIVER_VERSION_MINOR(number));
}

static void version_print(void)
{
    char driver[FIELD_SIZE] = "", nvml[FIELD_SIZE] = "", cuda[FIELD_SIZE];
    versions(driver, cuda, sizeof driver);
    nvmlSystemGetNVMLVersion(nvml, sizeof nvml);
    printf("NVIDIA-SMI version  : Heddle %s\nNVML version        : %s\n", HEDDLE_VERSION, nvml);
    printf("DRIVER version      : %s\nCUDA Version        : %s\n", driver, cuda);
}

static void table_print(const nvmlDevice_t *devices, unsigned count)
{
    char a[FIELD_SIZE], b[FIELD_SIZE], c[FIELD_SIZE], d[FIELD_SIZE];
    versions(a, b, sizeof a);
    printf(LINE "| NVIDIA-SMI of Heddle        Driver Version: %-20.20s CUDA Version: %-8.8s |\n" LINE, a, b);
    printf("| %-3s  %-40s | %-18s | %-18s |\n", "GPU", "Name", "Bus-Id", "Compute M.");
    printf("|      %-8s %-8s %-22s | %-18s | %-18s |\n" LINE, "Temp", "Perf", "Power", "Memory-Usage", "GPU-Util");
    for (unsigned i = 0; i < count; i++) {
        printf("| %3.3s  %-40.40s | %-18.18s | %-18.18s |\n", value(devices[i], "index", a),
               value(devices[i], "name", b), value(devices[i], "pci.bus_id", c), value(devices[i], "compute_mode", d));
        char memory[2 * FIELD_SIZE];
        snprintf(memory, sizeof memory, "%.8s/%.8sMiB", value(devices[i], "memory.used", a),
                 value(devices[i], "memory.total", b));
        printf("|      %-8.8s %-8.8s %-22.22s | %-18.18s |", value(devices[i], "temperature.gpu", a),
               value(devices[i], "pstate", b), value(devices[i], "power.draw", c), memory);
        printf(" %16.16s%% |\n" LINE, value(devices[i], "utilization.gpu", d));
    }
    processes_print(devices, count);
}

static nvmlReturn_t devices_find(const char *id, nvmlDevice_t *devices, unsigned *count)
{
    char *end;
    if (!id) {
        nvmlReturn_t r = nvmlDeviceGetCount(count);
        *count = *count < MOST ? *count : MOST;
        for (unsigned i = 0; i < *count && !r; i++)
            r = nvmlDeviceGetHandleByIndex(i, &devices[i]);
        return r;
    }
    *count = 1;
    unsigned long index = strtoul(id, &end, 10);
    if (*id && !*end)
        return nvmlDeviceGetHandleByIndex((unsigned)index, devices);
    return strchr(id, ':') ? nvmlDeviceGetHandleByPciBusId(id, devices) : nvmlDeviceGetHandleByUUID(id, devices);
}

static int help_print(bool fields)
{
    const struct field *f;
    if (!fields)
        fputs(usage, stdout);
    for (size_t i = 0; fields && (f = field_at(i)); i++)
        printf("\"%s\"%s%s%s\n", f->name, *f->other ? " or \"" : "", f->other, *f->other ? "\"" : "");
    return 0;
}

int main(int argc, char **argv)
{
    struct request q = {0};
    nvmlDevice_t devices[MOST];
    unsigned count = 0;
    int status = command_read(&q, argc, argv);
    if (status || q.help || q.help_query)
        return status ? status : help_print(q.help_query);
    nvmlReturn_t r = nvmlInit();
    if (r) {
        fprintf(stderr, "Failed to initialize NVML: %s\n", nvmlErrorString(r));
        return 255;
    }
    r = q.version ? NVML_SUCCESS : devices_find(q.id, devices, &count);
    if (r)
        status = 3 * fail("No devices were found: %s", nvmlErrorString(r)); // 6, as NVIDIA has it
    else if (q.version)
        version_print();
    else if (q.query)
        status = query_print(&q, devices, count);
    else if (q.list)
        list_print(devices, count);
    else
        table_print(devices, count);
    nvmlShutdown();
    return status || (!fflush(stdout) && !ferror(stdout)) ? status : 1;
}
