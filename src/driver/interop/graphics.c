// SPDX-License-Identifier: Apache-2.0
// Graphics resources: buffers, textures and renderbuffers of OpenGL that kernels use while they are mapped.
//
// Device memory is host memory here, so a buffer is mapped by OpenGL itself: its store, as glMapBufferRange gives it,
// is the device pointer, and nothing is copied by us. An image has no address in OpenGL; it gets a CUDA array of its
// format, which is filled from the image when it is mapped and written back when it is unmapped, unless the program
// said that it only reads or only writes.
//
// The rules of CUDA fall out of that: mapping waits for what OpenGL was told before (OpenGL's own functions do),
// unmapping waits for the work of the stream before OpenGL gets the data, and both need the OpenGL context current in
// the calling thread. Pointers and arrays of a resource may differ from one mapping to the next.
//
// The calls of CUDA 1 name a buffer by its number; the registered buffers are found in the same list.
#include "driver/texture/array.h"
#include "driver/interop/gl.h"
#include <stdlib.h>

enum { FACES = 6 };

struct format {
    unsigned internal; // OpenGL's sized format
    CUarray_format format;
    unsigned channels, transfer, type;
};
// RED 0x1903, RG 0x8227, RGBA 0x1908 and their _INTEGER forms 0x8d94, 0x8228, 0x8d99; types BYTE 0x1400 ... FLOAT
// 0x1406, HALF_FLOAT 0x140b; luminance, alpha and intensity of old contexts are one channel.
static const struct format formats[] = {
    {0x8229, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0x1903, 0x1401},  // R8
    {0x822b, CU_AD_FORMAT_UNSIGNED_INT8, 2, 0x8227, 0x1401},  // RG8
    {0x8058, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0x1908, 0x1401},  // RGBA8
    {0x1908, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0x1908, 0x1401},  // RGBA
    {0x803c, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0x1906, 0x1401},  // ALPHA8
    {0x8040, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0x1909, 0x1401},  // LUMINANCE8
    {0x822a, CU_AD_FORMAT_UNSIGNED_INT16, 1, 0x1903, 0x1403}, // R16
    {0x822c, CU_AD_FORMAT_UNSIGNED_INT16, 2, 0x8227, 0x1403}, // RG16
    {0x805b, CU_AD_FORMAT_UNSIGNED_INT16, 4, 0x1908, 0x1403}, // RGBA16
    {0x822d, CU_AD_FORMAT_HALF, 1, 0x1903, 0x140b},           // R16F
    {0x822f, CU_AD_FORMAT_HALF, 2, 0x8227, 0x140b},           // RG16F
    {0x881a, CU_AD_FORMAT_HALF, 4, 0x1908, 0x140b},           // RGBA16F
    {0x822e, CU_AD_FORMAT_FLOAT, 1, 0x1903, 0x1406},          // R32F
    {0x8230, CU_AD_FORMAT_FLOAT, 2, 0x8227, 0x1406},          // RG32F
    {0x8814, CU_AD_FORMAT_FLOAT, 4, 0x1908, 0x1406},          // RGBA32F
    {0x8231, CU_AD_FORMAT_SIGNED_INT8, 1, 0x8d94, 0x1400},    // R8I
    {0x8232, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0x8d94, 0x1401},  // R8UI
    {0x8233, CU_AD_FORMAT_SIGNED_INT16, 1, 0x8d94, 0x1402},   // R16I
    {0x8234, CU_AD_FORMAT_UNSIGNED_INT16, 1, 0x8d94, 0x1403}, // R16UI
    {0x8235, CU_AD_FORMAT_SIGNED_INT32, 1, 0x8d94, 0x1404},   // R32I
    {0x8236, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0x8d94, 0x1405}, // R32UI
    {0x8237, CU_AD_FORMAT_SIGNED_INT8, 2, 0x8228, 0x1400},    // RG8I
    {0x8238, CU_AD_FORMAT_UNSIGNED_INT8, 2, 0x8228, 0x1401},  // RG8UI
    {0x8239, CU_AD_FORMAT_SIGNED_INT16, 2, 0x8228, 0x1402},   // RG16I
    {0x823a, CU_AD_FORMAT_UNSIGNED_INT16, 2, 0x8228, 0x1403}, // RG16UI
    {0x823b, CU_AD_FORMAT_SIGNED_INT32, 2, 0x8228, 0x1404},   // RG32I
    {0x823c, CU_AD_FORMAT_UNSIGNED_INT32, 2, 0x8228, 0x1405}, // RG32UI
    {0x8d8e, CU_AD_FORMAT_SIGNED_INT8, 4, 0x8d99, 0x1400},    // RGBA8I
    {0x8d7c, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0x8d99, 0x1401},  // RGBA8UI
    {0x8d88, CU_AD_FORMAT_SIGNED_INT16, 4, 0x8d99, 0x1402},   // RGBA16I
    {0x8d76, CU_AD_FORMAT_UNSIGNED_INT16, 4, 0x8d99, 0x1403}, // RGBA16UI
    {0x8d82, CU_AD_FORMAT_SIGNED_INT32, 4, 0x8d99, 0x1404},   // RGBA32I
    {0x8d70, CU_AD_FORMAT_UNSIGNED_INT32, 4, 0x8d99, 0x1405}, // RGBA32UI
};

static const struct {
    unsigned target, binding; // what glGetIntegerv calls the texture bound there
} targets[] = {{GL_TEXTURE_1D, 0x8068},        {GL_TEXTURE_2D, 0x8069},       {GL_TEXTURE_3D, 0x806a},
               {GL_TEXTURE_RECTANGLE, 0x84f6}, {GL_TEXTURE_CUBE_MAP, 0x8514}, {GL_TEXTURE_2D_ARRAY, 0x8c1d}};

struct resource {
    struct node node;
    struct context *context;
    bool image, by_number; // by_number: of the calls of CUDA 1
    unsigned name;         // OpenGL's number
    unsigned target, flags, map_flags;
    bool mapped;
    // a buffer
    void *pointer;
    size_t size;
    // an image
    const struct format *format;
    CUmipmappedArray array;
    unsigned levels;
};

static struct node resources = {&resources, &resources};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// NULL: not a registered resource.
static struct resource *resource_get(CUgraphicsResource handle)
{
    struct resource *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct node *n = resources.next; n != &resources && !found; n = n->next)
        if ((CUgraphicsResource)list_at(n, offsetof(struct resource, node)) == handle)
            found = list_at(n, offsetof(struct resource, node));
    pthread_mutex_unlock(&lock);
    return found;
}

static struct resource *buffer_get(unsigned name)
{
    struct resource *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct node *n = resources.next; n != &resources && !found; n = n->next) {
        struct resource *r = list_at(n, offsetof(struct resource, node));
        if (r->by_number && r->name == name)
            found = r;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static struct resource *resource_add(struct resource r)
{
    struct resource *made = xcalloc(1, sizeof *made);
    *made = r;
    pthread_mutex_lock(&lock);
    list_add(&resources, &made->node);
    pthread_mutex_unlock(&lock);
    return made;
}

// ---- registration
static CUresult enter(struct context **context, struct gl *gl)
{
    CUresult r = context_enter(context);
    return r ? r : gl_load(gl) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
}

static CUresult buffer_register(unsigned name, unsigned flags, bool by_number, struct resource **out)
{
    struct context *c;
    struct gl gl;
    CUresult r = enter(&c, &gl);
    if (r)
        return r;
    if (flags > CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD || !name || !gl.IsBuffer(name))
        return CUDA_ERROR_INVALID_VALUE;
    *out = resource_add((struct resource){.context = c, .name = name, .flags = flags, .by_number = by_number});
    return CUDA_SUCCESS;
}

CUresult graphics_register_buffer(CUgraphicsResource *resource, unsigned name, unsigned flags)
{
    struct resource *made;
    if (!resource)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = buffer_register(name, flags, false, &made);
    if (!r)
        *resource = (CUgraphicsResource)made;
    return r;
}

static int target_index(unsigned target)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targets[i].target == target)
            return (int)i;
    return -1;
}

static unsigned array_flags(const struct resource *image)
{
    return (image->flags & CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST ? CUDA_ARRAY3D_SURFACE_LDST : 0) |
           (image->flags & CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER ? CUDA_ARRAY3D_TEXTURE_GATHER : 0);
}

static const struct format *format_find(unsigned internal)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].internal == internal)
            return &formats[i];
    log_write(LOG_WARN, "images of OpenGL's internal format 0x%x cannot be registered", internal);
    return NULL;
}

static CUresult renderbuffer_describe(struct gl *gl, struct resource *image)
{
    struct gl_image info;
    if (!gl_renderbuffer_describe(gl, image->name, &info))
        return CUDA_ERROR_INVALID_VALUE;
    image->format = format_find((unsigned)info.internal);
    if (!image->format)
        return CUDA_ERROR_INVALID_VALUE;
    image->levels = 1;
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = (size_t)info.width,
                                 .Height = (size_t)info.height,
                                 .Format = image->format->format,
                                 .NumChannels = image->format->channels,
                                 .Flags = array_flags(image)};
    return mipmap_create(&image->array, &d, 1);
}

// The texture is bound while this runs; what was bound before is put back by the caller.
static CUresult image_describe(struct gl *gl, struct resource *image)
{
    unsigned face = image->target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : image->target;
    int width = 0, height = 0, depth = 0, internal = 0;
    gl->GetTexLevelParameteriv(face, 0, GL_TEXTURE_WIDTH, &width);
    gl->GetTexLevelParameteriv(face, 0, GL_TEXTURE_HEIGHT, &height);
    gl->GetTexLevelParameteriv(face, 0, GL_TEXTURE_DEPTH, &depth);
    gl->GetTexLevelParameteriv(face, 0, GL_TEXTURE_INTERNAL_FORMAT, &internal);
    if (gl->GetError() || width <= 0)
        return CUDA_ERROR_INVALID_VALUE; // no such texture of that kind, or nothing in it yet
    image->format = format_find((unsigned)internal);
    if (!image->format)
        return CUDA_ERROR_INVALID_VALUE;
    for (image->levels = 1; image->levels < ARRAY_LEVELS; image->levels++) {
        int w = 0;
        gl->GetTexLevelParameteriv(face, (int)image->levels, GL_TEXTURE_WIDTH, &w);
        if (gl->GetError() || w <= 0)
            break;
    }
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = (size_t)width,
                                 .Height = image->target == GL_TEXTURE_1D ? 0 : (size_t)height,
                                 .Format = image->format->format,
                                 .NumChannels = image->format->channels};
    if (image->target == GL_TEXTURE_3D || image->target == GL_TEXTURE_2D_ARRAY)
        d.Depth = (size_t)depth;
    if (image->target == GL_TEXTURE_CUBE_MAP)
        d.Depth = FACES;
    d.Flags = (image->target == GL_TEXTURE_2D_ARRAY ? CUDA_ARRAY3D_LAYERED : 0) |
              (image->target == GL_TEXTURE_CUBE_MAP ? CUDA_ARRAY3D_CUBEMAP : 0) | array_flags(image);
    return mipmap_create(&image->array, &d, image->levels);
}

CUresult graphics_register_image(CUgraphicsResource *resource, unsigned name, unsigned target, unsigned flags)
{
    struct context *c;
    struct gl gl;
    const unsigned known = CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY | CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD |
                           CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST | CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER;
    if (!resource || flags & ~known)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = enter(&c, &gl);
    if (r)
        return r;
    struct resource image = {.context = c, .image = true, .name = name, .target = target, .flags = flags};
    int t = target_index(target), bound = 0;
    if (target == GL_RENDERBUFFER) {
        r = renderbuffer_describe(&gl, &image);
    } else {
        if (t < 0 || !name || !gl.IsTexture(name))
            return CUDA_ERROR_INVALID_VALUE;
        gl.GetIntegerv(targets[t].binding, &bound);
        gl.BindTexture(target, name);
        r = gl.GetError() ? CUDA_ERROR_INVALID_VALUE : image_describe(&gl, &image);
        gl.BindTexture(target, (unsigned)bound);
    }
    if (!r)
        *resource = (CUgraphicsResource)resource_add(image);
    return r;
}

// ---- mapping
static bool reads(const struct resource *r)
{
    return !((r->flags | r->map_flags) & CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD);
}

static bool writes(const struct resource *r)
{
    return !((r->flags | r->map_flags) & CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY);
}

static CUresult buffer_map(struct gl *gl, struct resource *r)
{
    int64_t size = 0;
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, r->name);
    gl->GetBufferParameteri64v(GL_COPY_WRITE_BUFFER, GL_BUFFER_SIZE, &size);
    unsigned access = writes(r) && !reads(r) ? GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT
                      : writes(r)            ? GL_MAP_READ_BIT | GL_MAP_WRITE_BIT
                                             : GL_MAP_READ_BIT;
    void *p = size > 0 ? gl->MapBufferRange(GL_COPY_WRITE_BUFFER, 0, (ptrdiff_t)size, access) : NULL;
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    if (gl->GetError() || !p)
        return CUDA_ERROR_MAP_FAILED;
    r->pointer = p;
    r->size = (size_t)size;
    memory_register(p, r->size, r->context->device, r->context, CU_MEMHOSTREGISTER_DEVICEMAP); // copies ask what it is
    return CUDA_SUCCESS;
}

static CUresult buffer_unmap(struct gl *gl, struct resource *r)
{
    memory_unregister(r->pointer);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, r->name);
    bool ok = gl->UnmapBuffer(GL_COPY_WRITE_BUFFER) && !gl->GetError();
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_UNMAP_FAILED;
}

// Which part of the program's pixel storage matters for a transfer of whole images between OpenGL and an array.
static const struct {
    unsigned pack, unpack;
} storage[] = {
    {0x0d00, 0x0cf0}, {0x0d01, 0x0cf1}, {0x0d02, 0x0cf2}, {0x0d03, 0x0cf3}, {0x0d04, 0x0cf4},
    {0x0d05, 0x0cf5}, {0x806b, 0x806d}, {0x806c, 0x806e}}; // swap, lsb, row, rows, pixels, align, images, height
enum { STORAGE_ROW = 2, STORAGE_ALIGN = 5, STORAGE_HEIGHT = 7, STORAGES = 8 };

static void level_transfer(struct gl *gl, const struct resource *r, int level, const struct array_level *l,
                           bool to_array)
{
    const struct format *f = r->format;
    unsigned texel = mipmap_get(r->array)->array.format.size;
    unsigned row = to_array ? storage[STORAGE_ROW].pack : storage[STORAGE_ROW].unpack;
    unsigned height = to_array ? storage[STORAGE_HEIGHT].pack : storage[STORAGE_HEIGHT].unpack;
    gl->PixelStorei(row, (int)(l->row_pitch / texel));
    gl->PixelStorei(height, (int)(l->slice_pitch / l->row_pitch));
    int w = (int)l->width, h = (int)l->height, d = (int)l->depth;
    if (r->target == GL_RENDERBUFFER) {
        struct gl_image image = {w, h, (int)f->internal, f->transfer, f->type};
        if (to_array)
            gl_renderbuffer_read(gl, r->name, &image, l->base);
        else
            gl_renderbuffer_write(gl, r->name, &image, l->base);
        return;
    }
    bool cube = r->target == GL_TEXTURE_CUBE_MAP;
    for (int face = 0; face < (cube ? FACES : 1); face++) {
        unsigned target = cube ? (unsigned)(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face) : r->target;
        unsigned char *base = l->base + (size_t)face * l->slice_pitch;
        if (to_array)
            gl->GetTexImage(target, level, f->transfer, f->type, base);
        else if (r->target == GL_TEXTURE_1D)
            gl->TexSubImage1D(target, level, 0, w, f->transfer, f->type, base);
        else if (r->target == GL_TEXTURE_3D || r->target == GL_TEXTURE_2D_ARRAY)
            gl->TexSubImage3D(target, level, 0, 0, 0, w, h, d, f->transfer, f->type, base);
        else
            gl->TexSubImage2D(target, level, 0, 0, w, h, f->transfer, f->type, base);
    }
}

// All levels, with the program's bindings and pixel storage as they were afterwards.
static bool image_transfer(struct gl *gl, const struct resource *r, bool to_array)
{
    const struct array *a = &mipmap_get(r->array)->array;
    int bound = 0, buffer = 0, saved[STORAGES];
    unsigned buffer_target = to_array ? GL_PIXEL_PACK_BUFFER : GL_PIXEL_UNPACK_BUFFER;
    bool texture = r->target != GL_RENDERBUFFER;
    if (texture)
        gl->GetIntegerv(targets[target_index(r->target)].binding, &bound);
    gl->GetIntegerv(to_array ? GL_PIXEL_PACK_BUFFER_BINDING : GL_PIXEL_UNPACK_BUFFER_BINDING, &buffer);
    for (int i = 0; i < STORAGES; i++) {
        unsigned name = to_array ? storage[i].pack : storage[i].unpack;
        gl->GetIntegerv(name, &saved[i]);
        gl->PixelStorei(name, i == STORAGE_ALIGN);
    }
    gl->BindBuffer(buffer_target, 0);
    if (texture)
        gl->BindTexture(r->target, r->name);
    for (unsigned i = 0; i < r->levels; i++)
        level_transfer(gl, r, (int)i, &a->level[i], to_array);
    if (texture)
        gl->BindTexture(r->target, (unsigned)bound);
    gl->BindBuffer(buffer_target, (unsigned)buffer);
    for (int i = 0; i < STORAGES; i++)
        gl->PixelStorei(to_array ? storage[i].pack : storage[i].unpack, saved[i]);
    return !gl->GetError();
}

static CUresult map_one(struct gl *gl, struct resource *r)
{
    CUresult result = CUDA_SUCCESS;
    if (!r->image)
        result = buffer_map(gl, r);
    else if (reads(r) && !image_transfer(gl, r, true))
        result = CUDA_ERROR_MAP_FAILED;
    r->mapped = !result;
    return result;
}

static CUresult unmap_one(struct gl *gl, struct resource *r)
{
    CUresult result = CUDA_SUCCESS;
    if (!r->image)
        result = buffer_unmap(gl, r);
    else if (writes(r) && !image_transfer(gl, r, false))
        result = CUDA_ERROR_UNMAP_FAILED;
    r->mapped = false;
    return result;
}

static CUresult list_check(unsigned count, CUgraphicsResource *list, bool mapped)
{
    if (!count || !list)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        struct resource *r = resource_get(list[i]);
        if (!r)
            return CUDA_ERROR_INVALID_HANDLE;
        if (r->mapped != mapped)
            return mapped ? CUDA_ERROR_NOT_MAPPED : CUDA_ERROR_ALREADY_MAPPED;
    }
    return CUDA_SUCCESS;
}

CUresult graphics_map(unsigned count, CUgraphicsResource *list, CUstream stream)
{
    struct context *c;
    struct gl gl;
    CUresult r = list_check(count, list, false);
    if (!r)
        r = stream_synchronize(stream);
    if (!r)
        r = enter(&c, &gl);
    unsigned done = 0;
    while (!r && done < count && !(r = map_one(&gl, resource_get(list[done]))))
        done++;
    while (r && done) // all or none
        unmap_one(&gl, resource_get(list[--done]));
    return r;
}

CUresult graphics_unmap(unsigned count, CUgraphicsResource *list, CUstream stream)
{
    struct context *c;
    struct gl gl;
    CUresult r = list_check(count, list, true);
    if (!r)
        r = stream_synchronize(stream);
    if (!r)
        r = enter(&c, &gl);
    CUresult first = r;
    for (unsigned i = 0; !r && i < count; i++) {
        CUresult e = unmap_one(&gl, resource_get(list[i]));
        first = first ? first : e;
    }
    return first;
}

CUresult graphics_unregister(CUgraphicsResource handle)
{
    struct context *c;
    CUresult e = context_enter(&c);
    struct resource *r = e ? NULL : resource_get(handle);
    if (e || !r)
        return e ? e : CUDA_ERROR_INVALID_HANDLE;
    struct gl gl;
    if (r->mapped && gl_load(&gl))
        unmap_one(&gl, r);
    pthread_mutex_lock(&lock);
    list_remove(&r->node);
    pthread_mutex_unlock(&lock);
    if (r->image)
        mipmap_destroy(r->array);
    free(r);
    return CUDA_SUCCESS;
}

CUresult graphics_set_flags(CUgraphicsResource handle, unsigned flags)
{
    struct resource *r = resource_get(handle);
    if (!r)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags > CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD)
        return CUDA_ERROR_INVALID_VALUE;
    if (r->mapped)
        return CUDA_ERROR_ALREADY_MAPPED;
    r->map_flags = flags;
    return CUDA_SUCCESS;
}

// ---- what a mapped resource is
CUresult graphics_pointer(CUdeviceptr *pointer, size_t *size, CUgraphicsResource handle)
{
    struct resource *r = resource_get(handle);
    if (!r)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!r->mapped)
        return CUDA_ERROR_NOT_MAPPED;
    if (r->image)
        return CUDA_ERROR_NOT_MAPPED_AS_POINTER;
    if (pointer)
        *pointer = (CUdeviceptr)(uintptr_t)r->pointer;
    if (size)
        *size = r->size;
    return CUDA_SUCCESS;
}

static CUresult image_get(CUgraphicsResource handle, struct resource **out)
{
    *out = resource_get(handle);
    return !*out             ? CUDA_ERROR_INVALID_HANDLE
           : !(*out)->mapped ? CUDA_ERROR_NOT_MAPPED
           : !(*out)->image  ? CUDA_ERROR_NOT_MAPPED_AS_ARRAY
                             : CUDA_SUCCESS;
}

CUresult graphics_mipmap(CUmipmappedArray *array, CUgraphicsResource handle)
{
    struct resource *image;
    CUresult r = array ? image_get(handle, &image) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *array = image->array;
    return r;
}

// The index counts the layers of an array of textures, or the faces of a cube map: each is an array by itself.
CUresult graphics_array(CUarray *array, CUgraphicsResource handle, unsigned index, unsigned level)
{
    struct resource *image;
    CUarray whole = NULL;
    CUresult r = array ? image_get(handle, &image) : CUDA_ERROR_INVALID_VALUE;
    if (r)
        return r;
    bool layers = image->target == GL_TEXTURE_CUBE_MAP || image->target == GL_TEXTURE_2D_ARRAY;
    if (level >= image->levels || (index && !layers))
        return CUDA_ERROR_INVALID_VALUE;
    r = mipmap_level(&whole, image->array, level);
    if (!r && layers)
        return array_slice(array, array_get(whole), index);
    if (!r)
        *array = whole;
    return r;
}

// ---- the calls of CUDA 1, by the buffer's number
CUresult gl_init(void)
{
    return driver_ready() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult gl_devices(unsigned *count, CUdevice *devices, unsigned limit, CUGLDeviceList list)
{
    struct gl gl;
    (void)list; // every frame is drawn by the same devices
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!count || (limit && !devices))
        return CUDA_ERROR_INVALID_VALUE;
    if (!gl_load(&gl))
        return CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
    *count = (unsigned)device_count();
    for (unsigned i = 0; i < limit && i < *count; i++)
        devices[i] = (CUdevice)i;
    return CUDA_SUCCESS;
}

CUresult gl_register(unsigned name)
{
    struct resource *made;
    return buffer_get(name) ? CUDA_ERROR_ALREADY_MAPPED : buffer_register(name, 0, true, &made);
}

CUresult gl_map(CUdeviceptr *pointer, size_t *size, unsigned name, CUstream stream)
{
    CUgraphicsResource handle = (CUgraphicsResource)buffer_get(name);
    CUresult r = handle ? graphics_map(1, &handle, stream) : CUDA_ERROR_INVALID_VALUE;
    return r ? r : graphics_pointer(pointer, size, handle);
}

CUresult gl_unmap(unsigned name, CUstream stream)
{
    stream = stream ? stream : CU_STREAM_LEGACY;
    CUgraphicsResource handle = (CUgraphicsResource)buffer_get(name);
    return handle ? graphics_unmap(1, &handle, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult gl_unmap_default(unsigned name)
{
    return gl_unmap(name, CU_STREAM_LEGACY);
}

CUresult gl_unregister(unsigned name)
{
    CUgraphicsResource handle = (CUgraphicsResource)buffer_get(name);
    return handle ? graphics_unregister(handle) : CUDA_ERROR_INVALID_VALUE;
}

CUresult gl_set_flags(unsigned name, unsigned flags)
{
    CUgraphicsResource handle = (CUgraphicsResource)buffer_get(name);
    return handle ? graphics_set_flags(handle, flags) : CUDA_ERROR_INVALID_VALUE;
}
