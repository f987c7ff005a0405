// SPDX-License-Identifier: Apache-2.0
// Renderbuffers of OpenGL, read and written: see gl.h. Bindings and switches of the program are as before afterwards.
#include "driver/interop/gl.h"

bool gl_renderbuffer_describe(struct gl *gl, unsigned name, struct gl_image *out)
{
    int bound = 0, samples = 0;
    *out = (struct gl_image){0};
    if (!name || !gl->IsRenderbuffer(name))
        return false;
    gl->GetIntegerv(GL_RENDERBUFFER_BINDING, &bound);
    gl->BindRenderbuffer(GL_RENDERBUFFER, name);
    gl->GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &out->width);
    gl->GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_HEIGHT, &out->height);
    gl->GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &out->internal);
    gl->GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &samples);
    gl->BindRenderbuffer(GL_RENDERBUFFER, (unsigned)bound);
    return !gl->GetError() && out->width > 0 && !samples;
}

// Framebuffers to read from and to draw into, until frames_end.
struct frames {
    unsigned name[2]; // read, draw
    int bound[2];
};

static void frames_begin(struct gl *gl, struct frames *f)
{
    gl->GetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &f->bound[0]);
    gl->GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &f->bound[1]);
    gl->GenFramebuffers(2, f->name);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, f->name[0]);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, f->name[1]);
}

static void frames_end(struct gl *gl, struct frames *f)
{
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, (unsigned)f->bound[0]);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, (unsigned)f->bound[1]);
    gl->DeleteFramebuffers(2, f->name);
}

void gl_renderbuffer_read(struct gl *gl, unsigned name, const struct gl_image *image, void *pixels)
{
    struct frames f;
    frames_begin(gl, &f);
    gl->FramebufferRenderbuffer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, name);
    gl->ReadPixels(0, 0, image->width, image->height, image->transfer, image->type, pixels);
    frames_end(gl, &f);
}

void gl_renderbuffer_write(struct gl *gl, unsigned name, const struct gl_image *image, const void *pixels)
{
    static const unsigned switches[] = {GL_SCISSOR_TEST, GL_FRAMEBUFFER_SRGB}; // a blit obeys these
    enum { SWITCHES = sizeof switches / sizeof *switches };
    struct frames f;
    bool on[SWITCHES];
    int bound = 0, w = image->width, h = image->height;
    unsigned texture = 0;
    for (int i = 0; i < SWITCHES; i++) {
        on[i] = gl->IsEnabled(switches[i]);
        gl->Disable(switches[i]);
    }
    gl->GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    gl->GenTextures(1, &texture);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->TexImage2D(GL_TEXTURE_2D, 0, image->internal, w, h, 0, image->transfer, image->type, pixels);
    frames_begin(gl, &f);
    gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    gl->FramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, name);
    gl->BlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    frames_end(gl, &f);
    gl->BindTexture(GL_TEXTURE_2D, (unsigned)bound);
    gl->DeleteTextures(1, &texture);
    for (int i = 0; i < SWITCHES; i++)
        if (on[i])
            gl->Enable(switches[i]);
}
