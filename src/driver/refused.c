// Functions that exist and answer "not supported". Their parameters do not matter, so this file does not see cuda.h.
#include "base/log.h"
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static int refuse(const char *name)
{
    // Tables of functions without names, by which libraries of NVIDIA's talk to NVIDIA's driver; without them they fail and say
    // no more than that something is not supported.
    bool foreign = !strcmp(name, "cuGetExportTable");
    log_write(foreign ? LOG_ERROR : LOG_WARN, "%s is not supported%s", name,
              foreign ? ": a library of NVIDIA's asks for it, often a libcudart that is linked into the program, and will "
                        "not work here; Heddle's libcudart is to be linked in its place"
                      : "");
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
