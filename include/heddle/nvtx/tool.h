// SPDX-License-Identifier: Apache-2.0
// How annotations reach a tool. A program has a table of function pointers for each module of the interface, all null.
// The first call looks for a tool: the library that NVTX_INJECTION64_PATH names, or one that is linked in and defines
// InitializeInjectionNvtx2_fnptr. Its function InitializeInjectionNvtx2 asks for the tables and fills in what it wants
// to hear of. Without a tool a call is a test and a return.
//
// The state is one for each program or shared library, however many sources include this: a weak, hidden symbol.
#ifndef HEDDLE_NVTX_TOOL_H
#define HEDDLE_NVTX_TOOL_H
#if !defined(NVTX_NO_IMPL)
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum { HEDDLE_NVTX_MODULES = 7, HEDDLE_NVTX_FUNCTIONS = 17 };
struct heddle_nvtx_state {
    int found; // 0: nobody has looked, 1: somebody does, 2: done
    NvtxFunctionPointer functions[HEDDLE_NVTX_MODULES][HEDDLE_NVTX_FUNCTIONS];
    NvtxFunctionPointer *tables[HEDDLE_NVTX_MODULES][HEDDLE_NVTX_FUNCTIONS];
    NvtxExportTableCallbacks callbacks;
    NvtxExportTableVersionInfo version;
};
__attribute__((weak, visibility("hidden"))) struct heddle_nvtx_state heddle_nvtx_state_v3;
__attribute__((weak)) NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr;

NVTX_INLINE_STATIC int heddle_nvtx_get_table(NvtxCallbackModule __module, NvtxFunctionTable *table, unsigned int *size)
{
    static const unsigned int sizes[HEDDLE_NVTX_MODULES] = {0,
                                                            NVTX_CBID_CORE_SIZE,
                                                            NVTX_CBID_CUDA_SIZE,
                                                            NVTX_CBID_OPENCL_SIZE,
                                                            NVTX_CBID_CUDART_SIZE,
                                                            NVTX_CBID_CORE2_SIZE,
                                                            NVTX_CBID_SYNC_SIZE};
    unsigned int __m = (unsigned int)__module, __i;
    if (__m == 0 || __m >= HEDDLE_NVTX_MODULES)
        return 0;
    for (__i = 1; __i < sizes[__m]; __i++)
        heddle_nvtx_state_v3.tables[__m][__i] = &heddle_nvtx_state_v3.functions[__m][__i];
    if (size)
        *size = sizes[__m];
    if (table)
        *table = heddle_nvtx_state_v3.tables[__m];
    return 1;
}
NVTX_INLINE_STATIC void heddle_nvtx_set_version(uint32_t version)
{
    (void)version;
}
NVTX_INLINE_STATIC const void *heddle_nvtx_get_export(uint32_t id)
{
    struct heddle_nvtx_state *__s = &heddle_nvtx_state_v3;
    __s->callbacks.struct_size = sizeof(__s->callbacks);
    __s->callbacks.GetModuleFunctionTable = heddle_nvtx_get_table;
    __s->version.struct_size = sizeof(__s->version);
    __s->version.version = NVTX_VERSION;
    __s->version.SetInjectionNvtxVersion = heddle_nvtx_set_version;
    return id == NVTX_ETID_CALLBACKS     ? (const void *)&__s->callbacks
           : id == NVTX_ETID_VERSIONINFO ? (const void *)&__s->version
                                         : NVTX_NULLPTR;
}
NVTX_INLINE_STATIC void heddle_nvtx_load(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path && *path ? dlopen(path, RTLD_LAZY) : NVTX_NULLPTR, *__symbol = NVTX_NULLPTR;
    NvtxInitializeInjectionNvtxFunc_t start = InitializeInjectionNvtx2_fnptr;
    if (library && (__symbol = dlsym(library, "InitializeInjectionNvtx2")) != NVTX_NULLPTR)
        __builtin_memcpy(&start, &__symbol, sizeof(start));
    if (start && start(heddle_nvtx_get_export))
        return;
    __builtin_memset(heddle_nvtx_state_v3.functions, 0, sizeof(heddle_nvtx_state_v3.functions));
    if (library)
        dlclose(library);
}
NVTX_INLINE_STATIC NvtxFunctionPointer heddle_nvtx_find(int __module, int function)
{
    int __nobody = 0;
    while (__atomic_load_n(&heddle_nvtx_state_v3.found, __ATOMIC_ACQUIRE) != 2) {
        __nobody = 0;
        if (__atomic_compare_exchange_n(&heddle_nvtx_state_v3.found, &__nobody, 1, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_ACQUIRE)) {
            heddle_nvtx_load();
            __atomic_store_n(&heddle_nvtx_state_v3.found, 2, __ATOMIC_RELEASE);
        } else {
            sched_yield();
        }
    }
    return heddle_nvtx_state_v3.functions[__module][function];
}
#if defined(__cplusplus)
}
#endif

#define HEDDLE_NVTX_VOID(__module, name, parameters, arguments)                                                        \
    NVTX_DECLSPEC void NVTX_API nvtx##name parameters                                                                  \
    {                                                                                                                  \
        NvtxFunctionPointer f = heddle_nvtx_find(NVTX_CB_MODULE_##__module, NVTX_CBID_##__module##_##name);            \
        if (f)                                                                                                         \
            ((void(NVTX_API *) parameters)f) arguments;                                                                \
    }
#define HEDDLE_NVTX_VALUE(type, otherwise, __module, name, parameters, arguments)                                      \
    NVTX_DECLSPEC type NVTX_API nvtx##name parameters                                                                  \
    {                                                                                                                  \
        NvtxFunctionPointer f = heddle_nvtx_find(NVTX_CB_MODULE_##__module, NVTX_CBID_##__module##_##name);            \
        return f ? ((type(NVTX_API *) parameters)f)arguments : (otherwise);                                            \
    }
#else
#define HEDDLE_NVTX_VOID(__module, name, parameters, arguments) NVTX_DECLSPEC void NVTX_API nvtx##name parameters;
#define HEDDLE_NVTX_VALUE(type, otherwise, __module, name, parameters, arguments)                                      \
    NVTX_DECLSPEC type NVTX_API nvtx##name parameters;
#endif
// One function for each kind of letters.
#define HEDDLE_NVTX_NAMES(__module, name, type, __what)                                                                \
    HEDDLE_NVTX_VOID(__module, name##A, (type __what, const char *name_), (__what, name_))                             \
    HEDDLE_NVTX_VOID(__module, name##W, (type __what, const wchar_t *name_), (__what, name_))
#endif
