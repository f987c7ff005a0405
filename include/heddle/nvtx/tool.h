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

NVTX_INLINE_STATIC int heddle_nvtx_get_table(NvtxCallbackModule module, NvtxFunctionTable *table, unsigned int *size)
{
    static const unsigned int sizes[HEDDLE_NVTX_MODULES] = {0,
                                                            NVTX_CBID_CORE_SIZE,
                                                            NVTX_CBID_CUDA_SIZE,
                                                            NVTX_CBID_OPENCL_SIZE,
                                                            NVTX_CBID_CUDART_SIZE,
                                                            NVTX_CBID_CORE2_SIZE,
                                                            NVTX_CBID_SYNC_SIZE};
    unsigned int m = (unsigned int)module, i;
    if (m == 0 || m >= HEDDLE_NVTX_MODULES)
        return 0;
    for (i = 1; i < sizes[m]; i++)
        heddle_nvtx_state_v3.tables[m][i] = &heddle_nvtx_state_v3.functions[m][i];
    if (size)
        *size = sizes[m];
    if (table)
        *table = heddle_nvtx_state_v3.tables[m];
    return 1;
}
NVTX_INLINE_STATIC void heddle_nvtx_set_version(uint32_t version)
{
    (void)version;
}
NVTX_INLINE_STATIC const void *heddle_nvtx_get_export(uint32_t id)
{
    struct heddle_nvtx_state *s = &heddle_nvtx_state_v3;
    s->callbacks.struct_size = sizeof(s->callbacks);
    s->callbacks.GetModuleFunctionTable = heddle_nvtx_get_table;
    s->version.struct_size = sizeof(s->version);
    s->version.version = NVTX_VERSION;
    s->version.SetInjectionNvtxVersion = heddle_nvtx_set_version;
    return id == NVTX_ETID_CALLBACKS     ? (const void *)&s->callbacks
           : id == NVTX_ETID_VERSIONINFO ? (const void *)&s->version
                                         : NVTX_NULLPTR;
}
NVTX_INLINE_STATIC void heddle_nvtx_load(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path && *path ? dlopen(path, RTLD_LAZY) : NVTX_NULLPTR, *symbol = NVTX_NULLPTR;
    NvtxInitializeInjectionNvtxFunc_t start = InitializeInjectionNvtx2_fnptr;
    if (library && (symbol = dlsym(library, "InitializeInjectionNvtx2")) != NVTX_NULLPTR)
        __builtin_memcpy(&start, &symbol, sizeof(start));
    if (start && start(heddle_nvtx_get_export))
        return;
    __builtin_memset(heddle_nvtx_state_v3.functions, 0, sizeof(heddle_nvtx_state_v3.functions));
    if (library)
        dlclose(library);
}
NVTX_INLINE_STATIC NvtxFunctionPointer heddle_nvtx_find(int module, int function)
{
    int nobody = 0;
    while (__atomic_load_n(&heddle_nvtx_state_v3.found, __ATOMIC_ACQUIRE) != 2) {
        nobody = 0;
        if (__atomic_compare_exchange_n(&heddle_nvtx_state_v3.found, &nobody, 1, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_ACQUIRE)) {
            heddle_nvtx_load();
            __atomic_store_n(&heddle_nvtx_state_v3.found, 2, __ATOMIC_RELEASE);
        } else {
            sched_yield();
        }
    }
    return heddle_nvtx_state_v3.functions[module][function];
}
#if defined(__cplusplus)
}
#endif

#define HEDDLE_NVTX_VOID(module, name, parameters, arguments)                                                          \
    NVTX_DECLSPEC void NVTX_API nvtx##name parameters                                                                  \
    {                                                                                                                  \
        NvtxFunctionPointer f = heddle_nvtx_find(NVTX_CB_MODULE_##module, NVTX_CBID_##module##_##name);                \
        if (f)                                                                                                         \
            ((void(NVTX_API *) parameters)f) arguments;                                                                \
    }
#define HEDDLE_NVTX_VALUE(type, otherwise, module, name, parameters, arguments)                                        \
    NVTX_DECLSPEC type NVTX_API nvtx##name parameters                                                                  \
    {                                                                                                                  \
        NvtxFunctionPointer f = heddle_nvtx_find(NVTX_CB_MODULE_##module, NVTX_CBID_##module##_##name);                \
        return f ? ((type(NVTX_API *) parameters)f)arguments : (otherwise);                                            \
    }
#else
#define HEDDLE_NVTX_VOID(module, name, parameters, arguments) NVTX_DECLSPEC void NVTX_API nvtx##name parameters;
#define HEDDLE_NVTX_VALUE(type, otherwise, module, name, parameters, arguments)                                        \
    NVTX_DECLSPEC type NVTX_API nvtx##name parameters;
#endif
// One function for each kind of letters.
#define HEDDLE_NVTX_NAMES(module, name, type, what)                                                                    \
    HEDDLE_NVTX_VOID(module, name##A, (type what, const char *name_), (what, name_))                                   \
    HEDDLE_NVTX_VOID(module, name##W, (type what, const wchar_t *name_), (what, name_))
#endif
