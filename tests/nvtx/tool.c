// SPDX-License-Identifier: Apache-2.0
// A tool that writes down every annotation: compiled against our headers or NVIDIA's, which must agree.
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <stdio.h>
#include <stdlib.h>

static int depth;
static void mark(const char *message)
{
    printf("mark %s\n", message);
}
static int push(const char *message)
{
    printf("push %s\n", message);
    return depth++;
}
static int pop(void)
{
    printf("pop\n");
    return --depth;
}
static void name_stream(cudaStream_t stream, const char *name)
{
    printf("stream %p is %s\n", (void *)stream, name);
}
static nvtxDomainHandle_t domain_create(const char *name)
{
    printf("domain %s\n", name);
    return (nvtxDomainHandle_t)(size_t)0x1000;
}
static void domain_destroy(nvtxDomainHandle_t domain)
{
    printf("domain %p ends\n", (void *)domain);
}
static nvtxStringHandle_t register_string(nvtxDomainHandle_t domain, const char *text)
{
    printf("string %s in %p\n", text, (void *)domain);
    return (nvtxStringHandle_t)(size_t)0x2000;
}
static void show(const char *what, nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
    printf("%s in %p: version %d size %d category %u color %d %08x payload %d %lld message %d", what, (void *)domain,
           a->version, a->size, a->category, a->colorType, a->color, a->payloadType, (long long)a->payload.llValue,
           a->messageType);
    if (a->messageType == NVTX_MESSAGE_TYPE_ASCII)
        printf(" %s\n", a->message.ascii);
    else
        printf(" %p\n", (const void *)a->message.registered);
}
static void domain_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
    show("mark", domain, a);
}
static int domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
    show("push", domain, a);
    return depth++;
}
static int domain_pop(nvtxDomainHandle_t domain)
{
    printf("pop in %p\n", (void *)domain);
    return --depth;
}
static nvtxRangeId_t domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
    show("start", domain, a);
    return 77;
}
static void domain_end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    printf("end %d in %p\n", (int)id, (void *)domain);
}
static void name_category(nvtxDomainHandle_t domain, uint32_t category, const char *name)
{
    printf("category %u in %p is %s\n", category, (void *)domain, name);
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)
{
    const NvtxExportTableVersionInfo *version = (const NvtxExportTableVersionInfo *)get(NVTX_ETID_VERSIONINFO);
    const NvtxExportTableCallbacks *callbacks = (const NvtxExportTableCallbacks *)get(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable core, core2, cudart, none;
    unsigned int size;
    if (!version || version->version != 3 || !callbacks || get(99) || getenv("TOOL_DECLINES"))
        return 0;
    if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &size) || size != NVTX_CBID_CORE_SIZE ||
        !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &core2, &size) || size != NVTX_CBID_CORE2_SIZE ||
        !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CUDART, &cudart, &size) || size != NVTX_CBID_CUDART_SIZE ||
        callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_SIZE, &none, &size))
        return 0;
    *core[NVTX_CBID_CORE_MarkA] = (NvtxFunctionPointer)mark;
    *core[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)push;
    *core[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)pop;
    *cudart[NVTX_CBID_CUDART_NameCudaStreamA] = (NvtxFunctionPointer)name_stream;
    *core2[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)domain_create;
    *core2[NVTX_CBID_CORE2_DomainDestroy] = (NvtxFunctionPointer)domain_destroy;
    *core2[NVTX_CBID_CORE2_DomainRegisterStringA] = (NvtxFunctionPointer)register_string;
    *core2[NVTX_CBID_CORE2_DomainMarkEx] = (NvtxFunctionPointer)domain_mark;
    *core2[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)domain_push;
    *core2[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)domain_pop;
    *core2[NVTX_CBID_CORE2_DomainRangeStartEx] = (NvtxFunctionPointer)domain_start;
    *core2[NVTX_CBID_CORE2_DomainRangeEnd] = (NvtxFunctionPointer)domain_end;
    *core2[NVTX_CBID_CORE2_DomainNameCategoryA] = (NvtxFunctionPointer)name_category;
    return 1;
}
