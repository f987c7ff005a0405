// SPDX-License-Identifier: Apache-2.0
// JIT options: the log buffers, and the options that change nothing here and are accepted.
#include "base/os.h"
#include "driver/driver.h"
#include <stdio.h>

CUresult jit_log_parse(struct jit_log *log, unsigned count, CUjit_option *options, void **values)
{
    *log = (struct jit_log){.began = os_time_ns()};
    if (count && (!options || !values))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        uintptr_t number = (uintptr_t)values[i];
        switch (options[i]) {
        case CU_JIT_INFO_LOG_BUFFER:
            log->info = values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER:
            log->error = values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            log->info_size = (unsigned)number;
            log->info_size_out = &values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            log->error_size = (unsigned)number;
            log->error_size_out = &values[i];
            break;
        case CU_JIT_WALL_TIME:
            log->wall_time_out = &values[i];
            break;
        case CU_JIT_GENERATE_DEBUG_INFO:
            log->debug = number != 0;
            break;
        case CU_JIT_OPTIMIZATION_LEVEL:
            if (number > 4)
                return CUDA_ERROR_INVALID_VALUE;
            break;
        case CU_JIT_GLOBAL_SYMBOL_NAMES:
        case CU_JIT_GLOBAL_SYMBOL_ADDRESSES:
        case CU_JIT_GLOBAL_SYMBOL_COUNT:
        case CU_JIT_LTO:
            if (number)
                return CUDA_ERROR_NOT_SUPPORTED;
            break;
        default:
            if ((unsigned)options[i] >= CU_JIT_NUM_OPTIONS)
                return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

static void fill(char *buffer, size_t size, void **size_out, const char *text)
{
    if (buffer && size) {
        int n = snprintf(buffer, size, "%s", text);
        if (size_out)
            *size_out = (void *)(uintptr_t)((size_t)n < size ? (size_t)n : size - 1);
    } else if (size_out) {
        *size_out = NULL;
    }
}

// The first line, which most often is the cause, goes to stderr by itself, unless the program has asked for the text; all lines do
// where warnings are asked for.
static void log_lines(const char *text, bool taken)
{
    for (enum log_level level = taken ? LOG_WARN : LOG_ERROR; *text; level = LOG_WARN) {
        size_t n = strcspn(text, "\n");
        log_write(level, "%.*s", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

void jit_log_write(struct jit_log *log, const struct diag *d)
{
    const char *text = str_text(&d->text);
    fill(log->info, log->info_size, log->info_size_out, d->errors ? "" : text);
    fill(log->error, log->error_size, log->error_size_out, d->errors ? text : "");
    if (log->wall_time_out) { // milliseconds, as a float in the value itself
        float ms = (float)((double)(os_time_ns() - log->began) * 1e-6);
        memcpy(log->wall_time_out, &ms, sizeof ms);
    }
    if (d->errors)
        log_lines(text, log->error && log->error_size);
}
