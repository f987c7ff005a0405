// SPDX-License-Identifier: Apache-2.0
// See alive.h.
#include "front/alive.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct alive *list;

void alive_add(struct alive *a)
{
    pthread_mutex_init(&a->lock, NULL);
    pthread_mutex_lock(&list_lock);
    a->next = list;
    list = a;
    pthread_mutex_unlock(&list_lock);
}

void *alive_enter(const void *handle)
{
    pthread_mutex_lock(&list_lock);
    struct alive *a = list;
    while (a && a != handle)
        a = a->next;
    pthread_mutex_unlock(&list_lock);
    if (a)
        pthread_mutex_lock(&a->lock);
    return a;
}

void alive_leave(struct alive *a)
{
    pthread_mutex_unlock(&a->lock);
}

void alive_remove(struct alive *a)
{
    pthread_mutex_lock(&list_lock);
    struct alive **at = &list;
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    pthread_mutex_unlock(&list_lock);
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_destroy(&a->lock);
}
