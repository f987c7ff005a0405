// Functions that exist and answer "not supported". Their parameters do not matter, so this file does not see cuda.h.
#include "base/log.h"

#define EXPORT __attribute__((visibility("default")))

static int refuse(const char *name)
{
    log_write(LOG_WARN, "%s is not supported", name);
    return 801; // CUDA_ERROR_NOT_SUPPORTED
}

#define API(name, suffix, since, body, params, args)
#define API_PTSZ(name, suffix, since, body, params, args)
#define API_PTDS(name, suffix, since, body, params, args)
#define API_PTSZ_EX(name, suffix, since, body, params, args)
#define MISSING(name, suffix)
#define REFUSED(name, suffix, since)                                                                                   \
    EXPORT int name##suffix(void);                                                                                     \
    EXPORT int name##suffix(void)                                                                                      \
    {                                                                                                                  \
        return refuse(#name #suffix);                                                                                  \
    }
#define REFUSED_PTSZ(name, suffix, since) REFUSED(name, suffix, since) REFUSED(name, suffix##_ptsz, since)
#define REFUSED_PTDS(name, suffix, since) REFUSED(name, suffix, since) REFUSED(name, suffix##_ptds, since)
#include "driver/api.def"
