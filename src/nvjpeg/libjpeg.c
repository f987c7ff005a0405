// SPDX-License-Identifier: Apache-2.0
// Finds libjpeg-turbo, and turns its errors and warnings into statuses.
#include "nvjpeg/codec.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#ifdef HEDDLE_HAS_JPEG
#include "nvjpeg/libjpeg.h"
#include <jerror.h>

#if JPEG_LIB_VERSION >= 80
#define SONAME "libjpeg.so.8"
#else
#define SONAME "libjpeg.so.62"
#endif

static struct codec functions;
const struct codec *const codec = &functions;
static bool found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void)
{
    void *h = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
    found = h;
#define FIND(name) found = found && (functions.name = (__typeof__(functions.name))dlsym(h, #name));
    CODEC_FUNCTIONS(FIND)
#undef FIND
    if (!found)
        fprintf(stderr, "heddle: nvJPEG: libjpeg-turbo (" SONAME ") is not installed\n");
}

bool codec_found(void)
{
    pthread_once(&once, find);
    return found;
}

// ---- errors
static void leave(j_common_ptr c)
{
    longjmp(((struct codec_errors *)c->err)->back, 1);
}

// Warnings of a file whose pixels are still all there: bytes between markers, and versions and orders that are not as usual.
static bool is_harmless(int code)
{
    static const int codes[] = {JWRN_EXTRANEOUS_DATA, JWRN_ADOBE_XFORM, JWRN_JFIF_MAJOR, JWRN_BOGUS_PROGRESSION,
                                JWRN_TOO_MUCH_DATA};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code)
            return true;
    return false;
}

static void message(j_common_ptr c, int level)
{
    const struct codec_errors *e = (const struct codec_errors *)c->err;
    if (level < 0 && (e->strict || !is_harmless(e->base.msg_code)))
        leave(c);
}

static void be_quiet(j_common_ptr c)
{
    (void)c;
}

struct jpeg_error_mgr *codec_errors_init(struct codec_errors *e, bool strict)
{
    codec->jpeg_std_error(&e->base);
    e->base.error_exit = leave;
    e->base.emit_message = message;
    e->base.output_message = be_quiet;
    e->strict = strict;
    return &e->base;
}
#else
static void say_missing(void)
{
    fprintf(stderr, "heddle: nvJPEG: this build has no codec, for it found no libjpeg-dev\n");
}

bool codec_found(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, say_missing);
    return false;
}
#endif
