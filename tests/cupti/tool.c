// SPDX-License-Identifier: Apache-2.0
// A tool that CUDA_INJECTION64_PATH names: it prints every call.
#include <cupti.h>
#include <stdio.h>
#include <string.h>

static void called(void *data, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *what)
{
    const CUpti_CallbackData *c = what;
    const char *site = c->callbackSite == CUPTI_API_ENTER ? "enter" : "exit";
    (void)data;
    (void)id;
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API)
        printf("%s runtime %s\n", site, c->functionName);
    else
        printf("%s driver %s %s\n", site, c->functionName, c->symbolName ? c->symbolName : "-");
}

int InitializeInjection(void);
int InitializeInjection(void)
{
    CUpti_SubscriberHandle subscriber;
    return cuptiSubscribe(&subscriber, called, NULL) == CUPTI_SUCCESS &&
           cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API) == CUPTI_SUCCESS &&
           cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS;
}
