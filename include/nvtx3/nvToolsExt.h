// SPDX-License-Identifier: Apache-2.0
// NVTX: marks, ranges and names in a program for tools that watch it. Only headers; heddle/nvtx/tool.h tells how a tool
// is found.
#ifndef NVTX_VERSION
#define NVTX_VERSION 3
#include <stddef.h>
#include <stdint.h>

#define NVTX_API
#define NVTX_DYNAMIC_EXPORT __attribute__((visibility("default")))
#define NVTX_INLINE_STATIC  static __inline__ __attribute__((unused))
#if !defined(NVTX_DECLSPEC)
#if defined(NVTX_NO_IMPL)
#define NVTX_DECLSPEC
#elif defined(NVTX_EXPORT_API)
#define NVTX_DECLSPEC NVTX_DYNAMIC_EXPORT
#else
#define NVTX_DECLSPEC NVTX_INLINE_STATIC
#endif
#endif
#if defined(__cplusplus) && __cplusplus >= 201103L
#define NVTX_NULLPTR nullptr
#else
#define NVTX_NULLPTR NULL
#endif
#if defined(__cplusplus)
#define NVTX_STATIC_CAST(type, value)      (static_cast<type>(value))
#define NVTX_REINTERPRET_CAST(type, value) (reinterpret_cast<type>(value))
#else
#define NVTX_STATIC_CAST(type, value)      ((type)(value))
#define NVTX_REINTERPRET_CAST(type, value) ((type)(value))
#endif

#define NVTX_SUCCESS                              0
#define NVTX_FAIL                                 1
#define NVTX_ERR_INIT_LOAD_PROPERTY               2
#define NVTX_ERR_INIT_ACCESS_LIBRARY              3
#define NVTX_ERR_INIT_LOAD_LIBRARY                4
#define NVTX_ERR_INIT_MISSING_LIBRARY_ENTRY_POINT 5
#define NVTX_ERR_INIT_FAILED_LIBRARY_ENTRY_POINT  6
#define NVTX_ERR_NO_INJECTION_LIBRARY_AVAILABLE   7
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE             (NVTX_STATIC_CAST(uint16_t, sizeof(nvtxEventAttributes_t)))
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE          (NVTX_STATIC_CAST(uint16_t, sizeof(nvtxResourceAttributes_v0)))
#define NVTX_NO_PUSH_POP_TRACKING                 (NVTX_STATIC_CAST(int, -2))
#define NVTX_RESOURCE_CLASS_GENERIC               1
#define NVTX_RESOURCE_MAKE_TYPE(CLASS, INDEX)                                                                          \
    (((NVTX_STATIC_CAST(uint32_t, NVTX_RESOURCE_CLASS_##CLASS)) << 16) | (NVTX_STATIC_CAST(uint32_t, INDEX)))

#if defined(__cplusplus)
extern "C" {
#endif
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef enum nvtxResourceGenericType_t {
    NVTX_RESOURCE_TYPE_UNKNOWN = 0,
    NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
    NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4)
} nvtxResourceGenericType_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;
typedef struct nvtxResourceAttributes_v0 {
    uint16_t version;
    uint16_t size;
    int32_t identifierType;
    union identifier_t {
        const void *pValue;
        uint64_t ullValue;
    } identifier;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef struct nvtxResourceAttributes_v0 nvtxResourceAttributes_t;
#if defined(__cplusplus)
}
#endif

#include "../heddle/nvtx/types.h"
#include "../heddle/nvtx/tool.h"

#if defined(__cplusplus)
extern "C" {
#endif
HEDDLE_NVTX_VOID(CORE2, Initialize, (const void *reserved), (reserved))
HEDDLE_NVTX_VOID(CORE, MarkEx, (const nvtxEventAttributes_t *eventAttrib), (eventAttrib))
HEDDLE_NVTX_VOID(CORE, MarkA, (const char *message), (message))
HEDDLE_NVTX_VOID(CORE, MarkW, (const wchar_t *message), (message))
HEDDLE_NVTX_VALUE(nvtxRangeId_t, 0, CORE, RangeStartEx, (const nvtxEventAttributes_t *eventAttrib), (eventAttrib))
HEDDLE_NVTX_VALUE(nvtxRangeId_t, 0, CORE, RangeStartA, (const char *message), (message))
HEDDLE_NVTX_VALUE(nvtxRangeId_t, 0, CORE, RangeStartW, (const wchar_t *message), (message))
HEDDLE_NVTX_VOID(CORE, RangeEnd, (nvtxRangeId_t id), (id))
HEDDLE_NVTX_VALUE(int, NVTX_NO_PUSH_POP_TRACKING, CORE, RangePushEx, (const nvtxEventAttributes_t *eventAttrib),
                  (eventAttrib))
HEDDLE_NVTX_VALUE(int, NVTX_NO_PUSH_POP_TRACKING, CORE, RangePushA, (const char *message), (message))
HEDDLE_NVTX_VALUE(int, NVTX_NO_PUSH_POP_TRACKING, CORE, RangePushW, (const wchar_t *message), (message))
HEDDLE_NVTX_VALUE(int, NVTX_NO_PUSH_POP_TRACKING, CORE, RangePop, (void), ())
HEDDLE_NVTX_NAMES(CORE, NameCategory, uint32_t, category)
HEDDLE_NVTX_NAMES(CORE, NameOsThread, uint32_t, threadId)

HEDDLE_NVTX_VOID(CORE2, DomainMarkEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib),
                 (domain, eventAttrib))
HEDDLE_NVTX_VALUE(nvtxRangeId_t, 0, CORE2, DomainRangeStartEx,
                  (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib), (domain, eventAttrib))
HEDDLE_NVTX_VOID(CORE2, DomainRangeEnd, (nvtxDomainHandle_t domain, nvtxRangeId_t id), (domain, id))
HEDDLE_NVTX_VALUE(int, NVTX_NO_PUSH_POP_TRACKING, CORE2, DomainRangePushEx,
                  (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib), (domain, eventAttrib))
HEDDLE_NVTX_VALUE(int, NVTX_NO_PUSH_POP_TRACKING, CORE2, DomainRangePop, (nvtxDomainHandle_t domain), (domain))
HEDDLE_NVTX_VALUE(nvtxResourceHandle_t, NVTX_NULLPTR, CORE2, DomainResourceCreate,
                  (nvtxDomainHandle_t domain, nvtxResourceAttributes_t *__attribs), (domain, __attribs))
HEDDLE_NVTX_VOID(CORE2, DomainResourceDestroy, (nvtxResourceHandle_t resource), (resource))
HEDDLE_NVTX_VOID(CORE2, DomainNameCategoryA, (nvtxDomainHandle_t domain, uint32_t category, const char *name),
                 (domain, category, name))
HEDDLE_NVTX_VOID(CORE2, DomainNameCategoryW, (nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name),
                 (domain, category, name))
HEDDLE_NVTX_VALUE(nvtxStringHandle_t, NVTX_NULLPTR, CORE2, DomainRegisterStringA,
                  (nvtxDomainHandle_t domain, const char *string), (domain, string))
HEDDLE_NVTX_VALUE(nvtxStringHandle_t, NVTX_NULLPTR, CORE2, DomainRegisterStringW,
                  (nvtxDomainHandle_t domain, const wchar_t *string), (domain, string))
HEDDLE_NVTX_VALUE(nvtxDomainHandle_t, NVTX_NULLPTR, CORE2, DomainCreateA, (const char *name), (name))
HEDDLE_NVTX_VALUE(nvtxDomainHandle_t, NVTX_NULLPTR, CORE2, DomainCreateW, (const wchar_t *name), (name))
HEDDLE_NVTX_VOID(CORE2, DomainDestroy, (nvtxDomainHandle_t domain), (domain))
#if defined(__cplusplus)
}
#endif

#if defined(UNICODE)
#define nvtxMark                 nvtxMarkW
#define nvtxRangeStart           nvtxRangeStartW
#define nvtxRangePush            nvtxRangePushW
#define nvtxNameCategory         nvtxNameCategoryW
#define nvtxNameOsThread         nvtxNameOsThreadW
#define nvtxDomainCreate         nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory   nvtxDomainNameCategoryW
#else
#define nvtxMark                 nvtxMarkA
#define nvtxRangeStart           nvtxRangeStartA
#define nvtxRangePush            nvtxRangePushA
#define nvtxNameCategory         nvtxNameCategoryA
#define nvtxNameOsThread         nvtxNameOsThreadA
#define nvtxDomainCreate         nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory   nvtxDomainNameCategoryA
#endif
#endif
