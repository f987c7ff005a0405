// SPDX-License-Identifier: Apache-2.0
// See gl.h. The program has brought EGL or GLX and made a context current; their own look-up gives the functions.
#include "driver/interop/gl.h"
#include "base/log.h"
#include <dlfcn.h>

typedef void (*function)(void);
typedef function (*look_up)(const char *name);

// A symbol of the process or of a library that it has loaded for itself.
static void *symbol(const char *library, const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found) {
        void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
        if (handle) {
            found = dlsym(handle, name);
            dlclose(handle); // the program still holds it
        }
    }
    return found;
}

static look_up current_look_up(void)
{
    static const struct {
        const char *library, *current, *look_up;
    } ways[] = {{"libEGL.so.1", "eglGetCurrentContext", "eglGetProcAddress"},
                {"libGLX.so.0", "glXGetCurrentContext", "glXGetProcAddressARB"},
                {"libGL.so.1", "glXGetCurrentContext", "glXGetProcAddressARB"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        void *(*current)(void);
        *(void **)&current = symbol(ways[i].library, ways[i].current);
        if (current && current()) {
            look_up f;
            *(void **)&f = symbol(ways[i].library, ways[i].look_up);
            if (f)
                return f;
        }
    }
    return NULL;
}

bool gl_load(struct gl *gl)
{
    look_up find = current_look_up();
    if (!find) {
        log_write(LOG_WARN, "no OpenGL context is current in this thread");
        return false;
    }
#define GL(result, name, params)                                                                                       \
    *(function *)&gl->name = find("gl" #name);                                                                         \
    if (!gl->name) {                                                                                                   \
        log_write(LOG_WARN, "the OpenGL context lacks gl" #name);                                                      \
        return false;                                                                                                  \
    }
    GL_FUNCTIONS(GL)
#undef GL
    while (gl->GetError()) // what the program left is not ours
        ;
    return true;
}
