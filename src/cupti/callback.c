// SPDX-License-Identifier: Apache-2.0
// Callbacks: one subscriber, who is called when a function of the interfaces is entered and left, when objects are made and go, and when a
// thread has waited.
#include "cupti/body.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { DOMAINS = CUPTI_CB_DOMAIN_SIZE, IDS = 1024 };
#define BIT(kind) (1u << TIMELINE_##kind)

struct CUpti_Subscriber_st {
    CUpti_CallbackFunc function;
    void *data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUpti_Subscriber_st one;
static atomic_bool subscribed;
static atomic_bool on[DOMAINS][IDS];

static const uint32_t sizes[DOMAINS] = {[CUPTI_CB_DOMAIN_DRIVER_API] = CUPTI_DRIVER_TRACE_CBID_SIZE,
                                        [CUPTI_CB_DOMAIN_RUNTIME_API] = CUPTI_RUNTIME_TRACE_CBID_SIZE,
                                        [CUPTI_CB_DOMAIN_RESOURCE] = CUPTI_CBID_RESOURCE_SIZE,
                                        [CUPTI_CB_DOMAIN_SYNCHRONIZE] = CUPTI_CBID_SYNCHRONIZE_SIZE,
                                        [CUPTI_CB_DOMAIN_NVTX] = CUPTI_CBID_NVTX_SIZE,
                                        [CUPTI_CB_DOMAIN_STATE] = CUPTI_CBID_STATE_SIZE};

static bool is_on(CUpti_CallbackDomain domain, uint32_t id)
{
    return atomic_load_explicit(&subscribed, memory_order_acquire) && id < IDS &&
           atomic_load_explicit(&on[domain][id], memory_order_relaxed);
}

static void call(CUpti_CallbackDomain domain, uint32_t id, const void *data)
{
    if (is_on(domain, id))
        one.function(one.data, domain, id, data);
}

// ---- what is told
// The kernel of a launch, which the runtime names and the driver's functions have a handle of.
static const char *symbol_of(const struct source *s, const struct timeline_call *c)
{
    const char *name = c->symbol;
    if (name || c->kind != TIMELINE_DRIVER_CALL)
        return name;
    void *handle = NULL;
    switch (c->number) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
        handle = ((void *const *)c->params)[0];
        break;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
        handle = ((void *const *)c->params)[1];
        break;
    default:
        break;
    }
    if (!handle || (s->function_name(&name, handle) && s->kernel_name(&name, handle)))
        return NULL;
    return name;
}

static void call_tell(struct timeline_sink *sink, struct timeline_call *c, CUpti_ApiCallbackSite site)
{
    bool runtime = c->kind == TIMELINE_RUNTIME_CALL;
    CUpti_CallbackDomain domain = runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
    const struct source *s = source_get();
    CUcontext context = NULL;
    if (!is_on(domain, c->number))
        return;
    s->context_get(&context);
    CUpti_CallbackData d = {.callbackSite = site,
                            .functionName = c->name,
                            .functionParams = c->params,
                            .functionReturnValue = site == CUPTI_API_EXIT ? c->result : NULL,
                            .symbolName = symbol_of(s, c),
                            .context = context,
                            .contextUid = context ? s->timeline->context_id(context) : 0,
                            .correlationData = &c->data[sink->slot],
                            .correlationId = c->correlation};
    call(domain, c->number, &d);
}

static void enter(struct timeline_sink *s, struct timeline_call *c)
{
    call_tell(s, c, CUPTI_API_ENTER);
}

static void leave(struct timeline_sink *s, struct timeline_call *c)
{
    call_tell(s, c, CUPTI_API_EXIT);
}

static void object_tell(const struct timeline_event *e, CUpti_CallbackIdResource made, CUpti_CallbackIdResource gone)
{
    CUpti_ModuleResourceData module = {
        .moduleId = e->object.id, .cubinSize = e->object.bytes, .pCubin = e->object.image};
    CUpti_ResourceData d = {.context = e->object.context};
    if (e->kind == TIMELINE_STREAM)
        d.resourceHandle.stream = e->object.handle;
    if (e->kind == TIMELINE_MODULE)
        d.resourceDescriptor = &module;
    call(CUPTI_CB_DOMAIN_RESOURCE, e->made ? made : gone, &d);
}

static void told(struct timeline_sink *s, const struct timeline_event *e)
{
    (void)s;
    CUpti_SynchronizeData d;
    switch (e->kind) {
    case TIMELINE_CONTEXT:
        object_tell(e, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
        break;
    case TIMELINE_STREAM:
        object_tell(e, CUPTI_CBID_RESOURCE_STREAM_CREATED, CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING);
        break;
    case TIMELINE_MODULE:
        object_tell(e, CUPTI_CBID_RESOURCE_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
        break;
    case TIMELINE_SYNC:
        d = (CUpti_SynchronizeData){.context = e->sync.context, .stream = e->sync.stream};
        if (e->sync.type == SYNC_STREAM)
            call(CUPTI_CB_DOMAIN_SYNCHRONIZE, CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED, &d);
        else if (e->sync.type == SYNC_CONTEXT)
            call(CUPTI_CB_DOMAIN_SYNCHRONIZE, CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED, &d);
        break;
    default:
        break;
    }
}

void callback_nvtx(uint32_t number, const char *name, const void *params)
{
    CUpti_NvtxData d = {.functionName = name, .functionParams = params};
    call(CUPTI_CB_DOMAIN_NVTX, number, &d);
}

// ---- what is wanted
static struct timeline_sink sink = {.event = told};

static bool any(CUpti_CallbackDomain domain)
{
    for (unsigned i = 0; i < IDS; i++)
        if (atomic_load_explicit(&on[domain][i], memory_order_relaxed))
            return true;
    return false;
}

// The lock is held.
static void listen(void)
{
    const struct source *s = source_get();
    bool calls = any(CUPTI_CB_DOMAIN_DRIVER_API) || any(CUPTI_CB_DOMAIN_RUNTIME_API);
    uint32_t kinds = (any(CUPTI_CB_DOMAIN_RESOURCE) ? BIT(CONTEXT) | BIT(STREAM) | BIT(MODULE) : 0) |
                     (any(CUPTI_CB_DOMAIN_SYNCHRONIZE) ? BIT(SYNC) : 0);
    if (!s)
        return;
    bool wanted = atomic_load(&subscribed) && (calls || kinds);
    __atomic_store_n(&sink.enter, wanted && calls ? enter : NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&sink.leave, wanted && calls ? leave : NULL, __ATOMIC_RELEASE);
    s->timeline->listen(&sink, wanted ? kinds : 0);
}

static void all_off(void)
{
    for (unsigned d = 0; d < DOMAINS; d++)
        for (unsigned i = 0; i < IDS; i++)
            atomic_store(&on[d][i], false);
}

void callback_reset(void)
{
    pthread_mutex_lock(&lock);
    all_off();
    atomic_store(&subscribed, false);
    listen();
    pthread_mutex_unlock(&lock);
}

CUptiResult subscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *data)
{
    if (!subscriber || !callback)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (!source_get())
        return CUPTI_ERROR_NOT_INITIALIZED;
    pthread_mutex_lock(&lock);
    bool taken = atomic_load(&subscribed);
    if (!taken) {
        all_off();
        one = (struct CUpti_Subscriber_st){callback, data};
        atomic_store_explicit(&subscribed, true, memory_order_release);
        *subscriber = &one;
    }
    pthread_mutex_unlock(&lock);
    return taken ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : CUPTI_SUCCESS;
}

CUptiResult subscribe_v2(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *data,
                         CUpti_SubscriberParams *params)
{
    static char name[CUPTI_SUBSCRIBER_NAME_MAX_LEN + 1];
    if (params && params->structSize < CUpti_SubscriberParams_STRUCT_SIZE)
        return CUPTI_ERROR_INVALID_PARAMETER;
    CUptiResult r = subscribe(subscriber, callback, data);
    if (r == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED && params && params->oldSubscriberName &&
        params->oldSubscriberSize) {
        params->oldSubscriberName[0] = 0;
        strncat(params->oldSubscriberName, name, params->oldSubscriberSize - 1);
    } else if (!r) {
        name[0] = 0;
        strncat(name, params && params->subscriberName ? params->subscriberName : "", sizeof name - 1);
    }
    return r;
}

static CUptiResult check(CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain)
{
    bool known = subscriber == &one && atomic_load(&subscribed);
    return known && domain > CUPTI_CB_DOMAIN_INVALID && domain < CUPTI_CB_DOMAIN_SIZE ? CUPTI_SUCCESS
                                                                                      : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult unsubscribe(CUpti_SubscriberHandle subscriber)
{
    CUptiResult r = check(subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
    if (!r)
        callback_reset();
    return r;
}

static void set(CUpti_CallbackDomain domain, uint32_t first, uint32_t end, bool value)
{
    for (uint32_t i = first; i < end && i < IDS; i++)
        atomic_store(&on[domain][i], value);
}

CUptiResult enable_callback(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                            CUpti_CallbackId cbid)
{
    CUptiResult r = check(subscriber, domain);
    if (r || !cbid || cbid >= sizes[domain])
        return CUPTI_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&lock);
    set(domain, cbid, cbid + 1, enable);
    listen();
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

CUptiResult enable_domain(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain)
{
    CUptiResult r = check(subscriber, domain);
    if (r)
        return r;
    pthread_mutex_lock(&lock);
    set(domain, 1, sizes[domain], enable);
    listen();
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

CUptiResult enable_all_domains(uint32_t enable, CUpti_SubscriberHandle subscriber)
{
    CUptiResult r = check(subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
    for (int d = CUPTI_CB_DOMAIN_DRIVER_API; d < DOMAINS && !r; d++)
        r = enable_domain(enable, subscriber, (CUpti_CallbackDomain)d);
    return r;
}

CUptiResult get_callback_state(uint32_t *enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                               CUpti_CallbackId cbid)
{
    if (!enable || check(subscriber, domain) || cbid >= sizes[domain])
        return CUPTI_ERROR_INVALID_PARAMETER;
    *enable = is_on(domain, cbid);
    return CUPTI_SUCCESS;
}

CUptiResult supported_domains(size_t *count, CUpti_DomainTable *table)
{
    static CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API,
                                             CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_SYNCHRONIZE,
                                             CUPTI_CB_DOMAIN_NVTX};
    if (!count || !table)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *count = sizeof domains / sizeof *domains;
    *table = domains;
    return CUPTI_SUCCESS;
}

CUptiResult get_callback_name(CUpti_CallbackDomain domain, uint32_t cbid, const char **name)
{
    static const char *const driver[IDS] = {
#define CBID(name, number) [number] = #name,
#include "driver/cbid.def"
#undef CBID
    };
    static const char *const runtime[IDS] = {
#define CBID(name, version, number) [number] = #name "_" #version,
#include "runtime/cbid.def"
#undef CBID
    };
    const char *found = cbid >= IDS                             ? NULL
                        : domain == CUPTI_CB_DOMAIN_DRIVER_API  ? driver[cbid]
                        : domain == CUPTI_CB_DOMAIN_RUNTIME_API ? runtime[cbid]
                                                                : NULL;
    if (!name || !found)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *name = found;
    return CUPTI_SUCCESS;
}
