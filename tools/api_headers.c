// SPDX-License-Identifier: Apache-2.0
// Writes the headers that follow from the tables of the interfaces, src/driver/api.def, src/runtime/api.def and those of the libraries:
// prototypes, the version that a plain name stands for, types of functions by version. Usage: api_headers FOLDER
//
// Parameters are written with two underscores before their names, so that no macro of a program meets them.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A function, or from HEADER on the header of those that follow. The variant is the second name's ending. Narrow: of before version 3.2,
// and hidden from programs.
struct row {
    const char *header, *result, *name, *suffix, *params, *variant;
    int since;
    bool narrow, old; // old: of the runtime, RT_OLD
};

static const struct row driver_rows[] = {
#define RESULT                                    "CUresult CUDAAPI"
#define ROW(name, suffix, since, params, variant) {NULL, RESULT, #name, #suffix, #params, variant, since, false, false},
#define HEADER(name)                              {.header = #name},
#define API(name, suffix, since, body, params, args)         ROW(name, suffix, since, params, NULL)
#define API_PTSZ(name, suffix, since, body, params, args)    ROW(name, suffix, since, params, "ptsz")
#define API_PTDS(name, suffix, since, body, params, args)    ROW(name, suffix, since, params, "ptds")
#define API_PTSZ_EX(name, suffix, since, body, params, args) ROW(name, suffix, since, params, "ptsz")
#define NARROW(name, suffix, since, body, params, args)                                                                \
    {NULL, RESULT, #name, #suffix, #params, NULL, since, true, false},
#define REFUSED(name, suffix, since, params, reason)      ROW(name, suffix, since, params, NULL)
#define REFUSED_PTSZ(name, suffix, since, params, reason) ROW(name, suffix, since, params, "ptsz")
#include "driver/api.def"
};

// Names that do not stand for the newest row of that name.
static const struct stand {
    const char *name, *target;
} stands[] = {
#define STANDS(name, target) {#name, #target},
#include "driver/api.def"
};

static const struct row runtime_rows[] = {
#define HEADER(name)                           {.header = #name},
#define RT(result, name, params, args, status) {NULL, #result, #name, "", #params, NULL, 0, false, false},
#define RT_OLD(result, name, params)           {NULL, #result, #name, "", #params, NULL, 0, false, true},
#define RT_PTSZ(name, params, args)            {NULL, NULL, #name, "", #params, "ptsz", 0, false, false},
#define RT_PTDS(name, params, args, call)      {NULL, NULL, #name, "", #params, "ptds", 0, false, false},
#include "runtime/api.def"
};

// Libraries. Their rows are made by macros, so that the text is taken of what these become.
#undef ROW
#define TEXT_(...) #__VA_ARGS__
#define TEXT(...)  TEXT_(__VA_ARGS__)
#define ROW(result, name, params, args, call, status)                                                                  \
    {NULL, TEXT(result), TEXT(name), "", TEXT(params), NULL, 0, false, false},
static const struct row cublas_rows[] = {
#include "cublas/each.h"
};
#define ALWAYS ROW
static const struct row nvml_rows[] = {
    {NULL, "const char *", "nvmlErrorString", "", "(nvmlReturn_t result)", NULL, 0, false, false},
#include "nvml/api.def"
};
static const struct row cublas_legacy_rows[] = {
#include "cublas/legacy/each.h"
};
static const struct row cublas_xt_rows[] = {
#include "cublas/xt/each.h"
};
static const struct row cublaslt_rows[] = {
#include "cublaslt/each.h"
};
static const struct row cusparse_rows[] = {
#include "cusparse/each.h"
};
static const struct row cusolver_common_rows[] = {
#include "cusolver/api/each_common.h"
};
static const struct row cusolver_dn_rows[] = {
#include "cusolver/api/each_dn.h"
};
static const struct row cusolver_rf_rows[] = {
#include "cusolver/api/each_rf.h"
};
static const struct row cusolver_sp_rows[] = {
#include "cusolver/api/each_sp.h"
};
static const struct row cusolver_sp_low_rows[] = {
#include "cusolver/api/each_sp_low.h"
};

#define TWIN(result, name, params, of) ROW(result, name, params, , , FULL)
static const struct row nccl_rows[] = {
#include "nccl/api.def"
};

static const struct row nvjpeg_rows[] = {
#include "nvjpeg/api.def"
};

static const struct row cufft_rows[] = {
#include "cufft/api.def"
};
static const struct row cufft_xt_rows[] = {
#include "cufft/xt.def"
};
#define VOID(name, params, args, call) ROW(void, name, params, args, call, FULL)
static const struct row cufft_w_rows[] = {
#include "cufft/w/each.h"
};

#define HEADER(name) {.header = #name},
static const struct row cupti_rows[] = {
#include "cupti/api.def"
};

// What tools of CUPTI know the functions by: numbers, and the names of parameters.
struct number {
    const char *name, *version;
    unsigned number;
    bool former;
};
static const struct number driver_numbers[] = {
#define CBID(name, number) {#name, "", number, false},
#include "driver/cbid.def"
#undef CBID
};
static const struct number runtime_numbers[] = {
#define CBID(name, version, number)   {#name, "_" #version, number, false},
#define FORMER(name, version, number) {#name, "_" #version, number, true},
#include "runtime/cbid.def"
#undef CBID
};
static const struct params {
    const char *name, *params; // "(dptr, bytesize)"
} driver_params[] = {
#define PARAMS(name, ...) {#name, "(" #__VA_ARGS__ ")"},
#include "driver/params.def"
};

struct table {
    const struct row *rows;
    size_t n;
};
#define TABLE(rows) {rows, sizeof(rows) / sizeof *(rows)}
static const struct table driver = TABLE(driver_rows), runtime = TABLE(runtime_rows), cupti = TABLE(cupti_rows);
static const struct library {
    const char *name;
    struct table table;
} libraries[] = {
    {"cublas", TABLE(cublas_rows)},
    {"cublas_legacy", TABLE(cublas_legacy_rows)},
    {"cublas_xt", TABLE(cublas_xt_rows)},
    {"cublaslt", TABLE(cublaslt_rows)},
    {"cufft", TABLE(cufft_rows)},
    {"cufft_xt", TABLE(cufft_xt_rows)},
    {"cufft_w", TABLE(cufft_w_rows)},
    {"cusparse", TABLE(cusparse_rows)},
    {"nvml", TABLE(nvml_rows)},
    {"nccl", TABLE(nccl_rows)},
    {"nvjpeg", TABLE(nvjpeg_rows)},
    {"cusolver_common", TABLE(cusolver_common_rows)},
    {"cusolver_dn", TABLE(cusolver_dn_rows)},
    {"cusolver_rf", TABLE(cusolver_rf_rows)},
    {"cusolver_sp", TABLE(cusolver_sp_rows)},
    {"cusolver_sp_low", TABLE(cusolver_sp_low_rows)},
};

// The next row of a header, or of any where that is NULL, after r; NULL: there is none. The first call has NULL for r.
static const struct row *row_next(const struct table *t, const char *header, const struct row *r)
{
    const char *now = r ? header : "";
    for (size_t i = r ? (size_t)(r - t->rows) + 1 : 0; i < t->n; i++) {
        if (t->rows[i].header)
            now = t->rows[i].header;
        else if (!header || !strcmp(now, header))
            return &t->rows[i];
    }
    return NULL;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// One parameter: its name is the last word, or that before a default value.
static void param_print(FILE *out, const char *text, size_t len)
{
    const char *value = strstr(text, " __dv(");
    size_t end = value && value < text + len ? (size_t)(value - text) : len;
    while (end > 2 && !strncmp(text + end - 2, "[]", 2))
        end -= 2;
    size_t start = end;
    while (start && is_word(text[start - 1]))
        start--;
    fprintf(out, "%.*s%s%.*s", (int)start, text, start ? "__" : "", (int)(len - start), text + start);
}

// (parameters), as the preprocessor has made a text of them.
static void params_print(FILE *out, const char *text)
{
    unsigned depth = 0;
    const char *start = text + 1;
    fputc('(', out);
    for (const char *p = text; *p; p++) {
        depth += *p == '(';
        depth -= *p == ')';
        if (!(depth == 1 && *p == ',') && depth)
            continue;
        param_print(out, start, (size_t)(p - start));
        fputs(depth ? "," : ")", out);
        start = p + 1;
    }
}

static void prototype_print(FILE *out, const struct row *r, const char *ending)
{
    fprintf(out, "%s%s%s%s%s%s", r->result, r->result[strlen(r->result) - 1] == '*' ? "" : " ", r->name, r->suffix,
            *ending ? "_" : "", ending);
    params_print(out, r->params);
    fputs(";\n", out);
}

static void narrow_print(FILE *out, const struct row *r, const char *text)
{
    fputs(r->narrow ? text : "", out);
}
static const char narrow_if[] = "#ifdef __CUDA_API_VERSION_INTERNAL\n", narrow_end[] = "#endif\n";

static void driver_prototypes(FILE *out, const char *header)
{
    for (const struct row *r = row_next(&driver, header, NULL); r; r = row_next(&driver, header, r)) {
        narrow_print(out, r, narrow_if);
        prototype_print(out, r, "");
        if (r->variant)
            prototype_print(out, r, r->variant);
        narrow_print(out, r, narrow_end);
    }
}

// Whether the plain name stands for this row: for the newest one, where nothing else is said.
static bool is_plain(const struct row *r)
{
    char full[128];
    snprintf(full, sizeof full, "%s%s", r->name, r->suffix);
    for (size_t i = 0; i < sizeof stands / sizeof *stands; i++)
        if (!strcmp(stands[i].name, r->name))
            return !strcmp(stands[i].target, full);
    const struct row *next = r + 1;
    return next == driver.rows + driver.n || !next->name || strcmp(next->name, r->name) != 0;
}

static void macro_print(FILE *out, const char *name, const char *suffix, const struct row *r)
{
    char upper[8] = "";
    for (size_t i = 0; r->variant && r->variant[i]; i++)
        upper[i] = (char)toupper((unsigned char)r->variant[i]);
    fprintf(out, *upper ? "#define %s%s __CUDA_API_%s(%s%s)\n" : "#define %s%s %.0s%s%s\n", name, suffix, upper,
            r->name, r->suffix);
}

// What a plain name stands for; then, for one default stream a thread, what other names stand for.
static void driver_versions(FILE *out, const char *header)
{
    fputs("#ifndef __CUDA_API_VERSION_INTERNAL\n", out);
    for (size_t i = 0; i < sizeof stands / sizeof *stands; i++)
        for (const struct row *r = row_next(&driver, header, NULL); r; r = row_next(&driver, header, r))
            if (!strcmp(r->name, stands[i].target) && !*r->suffix && strcmp(r->name, stands[i].name) != 0)
                macro_print(out, stands[i].name, "", r);
    for (const struct row *r = row_next(&driver, header, NULL); r; r = row_next(&driver, header, r))
        if (*r->suffix && is_plain(r))
            macro_print(out, r->name, "", r);
    fputs("#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM\n", out);
    bool passed = false; // the row of this name that the plain name stands for
    for (const struct row *r = row_next(&driver, header, NULL); r; r = row_next(&driver, header, r)) {
        passed = passed && !strcmp(r[-1].name ? r[-1].name : "", r->name);
        if (r->variant && (passed || (is_plain(r) && !*r->suffix)))
            macro_print(out, r->name, r->suffix, r);
        passed = passed || is_plain(r);
    }
    fputs("#endif\n#endif\n", out);
}

// PFN_cuMemAlloc_v3020 is the type of what cuGetProcAddress gives for cuMemAlloc at version 3.2 and later. Second names came with
// version 7.0.
static void driver_types(FILE *out, const char *header)
{
    for (const struct row *r = row_next(&driver, header, NULL); r; r = row_next(&driver, header, r)) {
        narrow_print(out, r, narrow_if);
        for (int second = 0; second <= !!r->variant; second++) {
            fprintf(out, "typedef CUresult(CUDAAPI *PFN_%s_v%d", r->name, second && r->since < 7000 ? 7000 : r->since);
            fprintf(out, second ? "_%s)" : "%.0s)", second ? r->variant : "");
            params_print(out, r->params);
            fputs(";\n", out);
        }
        narrow_print(out, r, narrow_end);
    }
}

// What libcudart may call (src/runtime/context/driver.h).
static void driver_calls(FILE *out, const char *header)
{
    const struct row *first = NULL;
    for (const struct row *r = row_next(&driver, header, NULL); r; r = row_next(&driver, header, r)) {
        if (!first || strcmp(first->name, r->name) != 0)
            first = r;
        if (is_plain(r))
            fprintf(out, "CALL%s(%s)\n",
                    first != r && !*first->suffix && !strcmp(first->params, r->params) ? "_ANY" : "", r->name);
    }
}

static bool ends(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);
    return n > k && !strcmp(name + n - k, ending);
}

static bool is_variant(const struct row *r)
{
    return r->variant || ends(r->name, "_ptsz") || ends(r->name, "_ptds");
}

static void runtime_prototypes(FILE *out, const char *header)
{
    for (const struct row *r = row_next(&runtime, header, NULL); r; r = row_next(&runtime, header, r))
        if (!is_variant(r))
            prototype_print(out, r, "");
}

static void runtime_variants(FILE *out, const char *header)
{
    for (const struct row *r = row_next(&runtime, header, NULL); r; r = row_next(&runtime, header, r)) {
        size_t n = strlen(r->name) - (r->variant ? 0 : strlen("_ptsz"));
        if (is_variant(r))
            fprintf(out, "#define %.*s __CUDART_API_%s(%.*s)\n", (int)n, r->name,
                    ends(r->variant ? r->variant : r->name, "tsz") ? "PTSZ" : "PTDS", (int)n, r->name);
    }
}

static const struct table *library_table(const char *name)
{
    size_t i = 0;
    while (strcmp(libraries[i].name, name) != 0)
        i++;
    return &libraries[i].table;
}

static void library_prototypes(FILE *out, const char *library)
{
    const struct table *t = library_table(library);
    for (size_t i = 0; i < t->n; i++) {
        const char *params = t->rows[i].params;
        bool half = strstr(params, "__half ") || strstr(params, "__nv_bfloat16 "); // types that C has not
        fputs(half ? "#if defined(__cplusplus)\n" : "", out);
        prototype_print(out, &t->rows[i], "");
        fputs(half ? "#endif\n" : "", out);
    }
}

static void cupti_prototypes(FILE *out, const char *header)
{
    for (const struct row *r = row_next(&cupti, header, NULL); r; r = row_next(&cupti, header, r))
        prototype_print(out, r, "");
}

// What libcudart's functions are called inside of it: the exported ones tell tools of the call (src/runtime/told.c).
static void runtime_renamed(FILE *out, const char *header)
{
    for (const struct row *r = row_next(&runtime, header, NULL); r; r = row_next(&runtime, header, r))
        if (!r->old)
            fprintf(out, "#define %s%s%s rt_call_%s%s%s\n", r->name, r->variant ? "_" : "",
                    r->variant ? r->variant : "", r->name, r->variant ? "_" : "", r->variant ? r->variant : "");
}

static void numbers_print(FILE *out, const char *what, const struct number *numbers, size_t n)
{
    fprintf(out, "typedef enum {\n    CUPTI_%s_TRACE_CBID_INVALID = 0,\n", what);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    CUPTI_%s_TRACE_CBID_%s%s = %u,\n", what, numbers[i].name, numbers[i].version,
                numbers[i].number);
    fprintf(out, "    CUPTI_%s_TRACE_CBID_SIZE = %u,\n    CUPTI_%s_TRACE_CBID_FORCE_INT = 0x7fffffff\n", what,
            numbers[n - 1].number + 1, what);
}

static void driver_numbers_print(FILE *out, const char *header)
{
    (void)header;
    numbers_print(out, "DRIVER", driver_numbers, sizeof driver_numbers / sizeof *driver_numbers);
    fputs("} CUpti_driver_api_trace_cbid;\n", out);
}

static void runtime_numbers_print(FILE *out, const char *header)
{
    (void)header;
    numbers_print(out, "RUNTIME", runtime_numbers, sizeof runtime_numbers / sizeof *runtime_numbers);
    fputs("} CUpti_runtime_api_trace_cbid;\n", out);
}

// One parameter as a field, by the name that it has there or by another one.
static void field_print(FILE *out, const char *text, size_t len, const char *name, size_t name_len)
{
    const char *value = strstr(text, " __dv(");
    size_t end = value && value < text + len ? (size_t)(value - text) : len;
    bool array = end > 2 && !strncmp(text + end - 2, "[]", 2);
    end -= array ? 2 : 0;
    size_t start = end;
    while (start && is_word(text[start - 1]))
        start--;
    fprintf(out, "    %.*s%s%.*s;\n", (int)start, text, array ? "*" : "", (int)(name ? name_len : end - start),
            name ? name : text + start);
}

// names: "(a, b)", or NULL.
static void fields_print(FILE *out, const char *params, const char *names)
{
    unsigned depth = 0;
    const char *start = params + 1;
    if (!strcmp(params, "(void)") || !strcmp(params, "()"))
        return;
    for (const char *p = params; *p; p++) {
        depth += *p == '(';
        depth -= *p == ')';
        if (!(depth == 1 && *p == ',') && depth)
            continue;
        start += *start == ' ';
        size_t n = names ? strcspn(names += 1, ",)") : 0;
        size_t skip = names ? strspn(names, " ") : 0;
        field_print(out, start, (size_t)(p - start), names ? names + skip : NULL, n - skip);
        names = names ? names + n : NULL;
        start = p + 1;
    }
}

static void structure_print(FILE *out, const struct row *r, const char *version, const char *variant, const char *names)
{
    char name[160];
    snprintf(name, sizeof name, "%s%s%s%s%s", r->name, r->suffix, *variant ? "_" : "", variant, version);
    fprintf(out, "typedef struct %s_params_st {\n", name);
    fields_print(out, r->params, names);
    fprintf(out, "} %s_params;\n", name);
}

static void driver_structures(FILE *out, const char *header)
{
    for (const struct row *r = row_next(&driver, header, NULL); r; r = row_next(&driver, header, r)) {
        char full[128];
        snprintf(full, sizeof full, "%s%s", r->name, r->suffix);
        for (size_t i = 0; i < sizeof driver_params / sizeof *driver_params && !r->narrow; i++)
            if (!strcmp(driver_params[i].name, full)) {
                structure_print(out, r, "", "", driver_params[i].params);
                if (r->variant)
                    structure_print(out, r, "", r->variant, driver_params[i].params);
            }
    }
}

static void runtime_structures(FILE *out, const char *header)
{
    for (const struct row *r = row_next(&runtime, header, NULL); r; r = row_next(&runtime, header, r)) {
        char full[128];
        snprintf(full, sizeof full, "%s%s%s", r->name, r->variant ? "_" : "", r->variant ? r->variant : "");
        for (size_t i = 0;
             i < sizeof runtime_numbers / sizeof *runtime_numbers && !r->old && strcmp(r->params, "(void)") != 0; i++)
            if (!strcmp(runtime_numbers[i].name, full) && !runtime_numbers[i].former)
                structure_print(out, r, runtime_numbers[i].version, r->variant ? r->variant : "", NULL);
    }
}

// cublasSaxpy stands for cublasSaxpy_v2, cublasSaxpy_64 for cublasSaxpy_v2_64.
static void library_names(FILE *out, const char *library)
{
    const struct table *t = library_table(library);
    for (size_t i = 0; i < t->n; i++) {
        const char *name = t->rows[i].name, *v2 = strstr(name, "_v2");
        if (v2)
            fprintf(out, "#define %.*s%s %s\n", (int)(v2 - name), name, v2 + strlen("_v2"), name);
    }
}

// Files by path, header in the table, and what they hold. Those with a first line stand alone; one without a header has what all
// declare, and no guard.
static const struct file {
    const char *path, *header, *first;
    void (*print[2])(FILE *, const char *);
} files[] = {
    {"heddle/driver/functions.h", "cuda", NULL, {driver_prototypes}},
    {"heddle/driver/versions.h", "cuda", NULL, {driver_versions}},
    {"heddle/driver/gl_functions.h", "gl", NULL, {driver_prototypes, driver_versions}},
    {"heddle/driver/profiler_functions.h", "profiler", NULL, {driver_prototypes}},
    {"heddle/driver/d3d9_functions.h", "d3d9", NULL, {driver_prototypes}},
    {"cudaTypedefs.h", "cuda", "#include \"cuda.h\"\n", {driver_types}},
    {"cudaGLTypedefs.h", "gl", "#include \"cudaGL.h\"\n", {driver_types}},
    {"cudaProfilerTypedefs.h", "profiler", "#include \"cudaProfiler.h\"\n", {driver_types}},
    {"heddle/driver/calls.def", NULL, NULL, {driver_calls}},
    {"heddle/runtime/functions.h", "cuda", NULL, {runtime_prototypes}},
    {"heddle/runtime/per_thread.h", "cuda", NULL, {runtime_variants}},
    {"heddle/runtime/gl_functions.h", "gl", NULL, {runtime_prototypes}},
    {"heddle/runtime/d3d9_functions.h", "d3d9", NULL, {runtime_prototypes}},
    {"heddle/cublas/functions.h", "cublas", NULL, {library_prototypes}},
    {"heddle/cublas/names.h", "cublas", NULL, {library_names}},
    {"heddle/cublas/legacy_functions.h", "cublas_legacy", NULL, {library_prototypes}},
    {"heddle/cublas/xt_functions.h", "cublas_xt", NULL, {library_prototypes}},
    {"heddle/cublaslt/functions.h", "cublaslt", NULL, {library_prototypes}},
    {"heddle/cufft/functions.h", "cufft", NULL, {library_prototypes}},
    {"heddle/cufft/xt_functions.h", "cufft_xt", NULL, {library_prototypes}},
    {"heddle/cufft/w_functions.h", "cufft_w", NULL, {library_prototypes}},
    {"heddle/cusparse/functions.h", "cusparse", NULL, {library_prototypes}},
    {"heddle/nccl/functions.h", "nccl", NULL, {library_prototypes}},
    {"heddle/nvjpeg/functions.h", "nvjpeg", NULL, {library_prototypes}},
    {"heddle/cusolver/common_functions.h", "cusolver_common", NULL, {library_prototypes}},
    {"heddle/cusolver/dn_functions.h", "cusolver_dn", NULL, {library_prototypes}},
    {"heddle/cusolver/rf_functions.h", "cusolver_rf", NULL, {library_prototypes}},
    {"heddle/cusolver/sp_functions.h", "cusolver_sp", NULL, {library_prototypes}},
    {"heddle/cusolver/sp_low_functions.h", "cusolver_sp_low", NULL, {library_prototypes}},
    {"heddle/nvml/functions.h", "nvml", NULL, {library_prototypes}},
    {"heddle/runtime/renamed.def", NULL, NULL, {runtime_renamed}},
    {"heddle/cupti/result_functions.h", "result", NULL, {cupti_prototypes}},
    {"heddle/cupti/version_functions.h", "version", NULL, {cupti_prototypes}},
    {"heddle/cupti/callbacks_functions.h", "callbacks", NULL, {cupti_prototypes}},
    {"heddle/cupti/activity_functions.h", "activity", NULL, {cupti_prototypes}},
    {"heddle/cupti/events_functions.h", "events", NULL, {cupti_prototypes}},
    {"heddle/cupti/metrics_functions.h", "metrics", NULL, {cupti_prototypes}},
    {"heddle/cupti/pcsampling_functions.h", "pcsampling", NULL, {cupti_prototypes}},
    {"heddle/cupti/pmsampling_functions.h", "pmsampling", NULL, {cupti_prototypes}},
    {"heddle/cupti/profiler_host_functions.h", "profiler_host", NULL, {cupti_prototypes}},
    {"heddle/cupti/profiler_target_functions.h", "profiler_target", NULL, {cupti_prototypes}},
    {"heddle/cupti/range_profiler_functions.h", "range_profiler", NULL, {cupti_prototypes}},
    {"heddle/cupti/sass_metrics_functions.h", "sass_metrics", NULL, {cupti_prototypes}},
    {"heddle/cupti/target_functions.h", "target", NULL, {cupti_prototypes}},
    {"cupti_driver_cbid.h", "cuda", "\n", {driver_numbers_print}},
    {"cupti_runtime_cbid.h", "cuda", "\n", {runtime_numbers_print}},
    {"generated_cuda_meta.h", "cuda", "#include <cuda.h>\n", {driver_structures}},
    {"generated_cuda_runtime_api_meta.h", "cuda", "#include <cuda_runtime_api.h>\n", {runtime_structures}},
};

static void guard_print(FILE *out, const char *path, const char *word)
{
    fprintf(out, "#%s HEDDLE_GENERATED_", word);
    for (; *path; path++)
        fputc(is_word(*path) ? toupper((unsigned char)*path) : '_', out);
    fputc('\n', out);
}

static bool file_write(const char *folder, const struct file *f)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, f->path);
    for (char *p = path + strlen(folder); (p = strchr(p + 1, '/'));) {
        *p = 0;
        mkdir(path, 0777);
        *p = '/';
    }
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return false;
    }
    fputs("// SPDX-License-Identifier: Apache-2.0\n// Made from a table of Heddle's by tools/api_headers.c.\n", out);
    if (f->header) {
        guard_print(out, f->path, "ifndef");
        guard_print(out, f->path, "define");
    }
    fputs(f->first ? f->first : "", out);
    for (size_t i = 0; i < 2 && f->print[i]; i++)
        f->print[i](out, f->header);
    fputs(f->header ? "#endif\n" : "", out);
    bool whole = !ferror(out);
    if (!fclose(out) && whole)
        return true;
    fprintf(stderr, "%s: cannot be written\n", path);
    return false;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: api_headers FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!file_write(argv[1], &files[i]))
            return 1;
    return 0;
}
