// SPDX-License-Identifier: Apache-2.0
// OpenMP of host code over gcc's library. clang's code calls the entry points of its own library, libomp, which is a
// package apart; gcc's comes with the compiler that links. So where libomp is not installed every object brings these
// entry points along, as weak functions over gcc's: regions and barriers are gcc's, loops are shared out here. A task
// runs where it is made, and a loop with ordered parts on one thread, both of which the standard allows.
#ifndef HEDDLE_OPENMP_RUNTIME_H
#define HEDDLE_OPENMP_RUNTIME_H
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"
#endif
extern "C" {
void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);
void GOMP_critical_name_start(void **__lock);
void GOMP_critical_name_end(void **__lock);
int omp_get_thread_num(void) noexcept;
int omp_get_num_threads(void) noexcept;
void *malloc(__SIZE_TYPE__) noexcept;
void free(void *) noexcept;
int sched_yield(void) noexcept;

#define HEDDLE_OMP        __attribute__((weak, visibility("hidden")))
#define HEDDLE_OMP_SLOTS  8
#define HEDDLE_OMP_VALUES 64 // that a region may share

struct __heddle_omp_loop {
    unsigned long long next; // iterations that are given out
    unsigned done, turn;     // threads that have left the loop, loops that have used this slot
};
struct __heddle_omp_team {
    unsigned threads;
    unsigned singles; // constructs that a thread has taken
    void *copied;     // where copyprivate copies from
    struct __heddle_omp_loop loops[HEDDLE_OMP_SLOTS];
};
// What a thread knows of the innermost region that it is in.
struct __heddle_omp_thread {
    struct __heddle_omp_team *team;    // NULL: one thread without a team
    struct __heddle_omp_thread *outer; // around a region that is not run in parallel
    unsigned number, singles, loops;
    unsigned asked; // threads of the next region
    // the loop that is being run
    struct __heddle_omp_loop alone; // its slot where there is one thread
    unsigned long long trip, chunk;
    long long first, step;
    bool guided;
};
extern HEDDLE_OMP __thread struct __heddle_omp_thread __heddle_omp_self;
HEDDLE_OMP __thread struct __heddle_omp_thread __heddle_omp_self;

static inline unsigned __heddle_omp_count()
{
    struct __heddle_omp_thread *__t = &__heddle_omp_self;
    return __t->team ? __t->team->threads : 1;
}
static inline unsigned __heddle_omp_number()
{
    return __heddle_omp_self.number;
}

// ---- regions
struct __heddle_omp_region {
    struct __heddle_omp_team team;
    void (*run)(int *, int *, ...);
    void *values[HEDDLE_OMP_VALUES];
};
static void __heddle_omp_enter(void *data)
{
    struct __heddle_omp_region *__r = (struct __heddle_omp_region *)data;
    struct __heddle_omp_thread *__t = &__heddle_omp_self, before = *__t;
    int number = omp_get_thread_num(), __zero = 0;
    if (number == 0)
        __atomic_store_n(&__r->team.threads, (unsigned)omp_get_num_threads(), __ATOMIC_RELEASE);
    while (!__atomic_load_n(&__r->team.threads, __ATOMIC_ACQUIRE))
        sched_yield();
    *__t = __heddle_omp_thread();
    __t->team = &__r->team;
    __t->number = (unsigned)number;
    void **__v = __r->values;
    // More arguments than a function takes are no harm in either calling convention.
#define HEDDLE_OMP_8(__n)                                                                                              \
    __v[__n], __v[__n + 1], __v[__n + 2], __v[__n + 3], __v[__n + 4], __v[__n + 5], __v[__n + 6], __v[__n + 7]
    typedef void (*all)(int *, int *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *);
    ((all)__r->run)(&number, &__zero, HEDDLE_OMP_8(0), HEDDLE_OMP_8(8), HEDDLE_OMP_8(16), HEDDLE_OMP_8(24),
                    HEDDLE_OMP_8(32), HEDDLE_OMP_8(40), HEDDLE_OMP_8(48), HEDDLE_OMP_8(56));
#undef HEDDLE_OMP_8
    *__t = before;
}
HEDDLE_OMP void __kmpc_fork_call(void *, int count, void (*run)(int *, int *, ...), ...)
{
    struct __heddle_omp_region __r = {};
    unsigned asked = __heddle_omp_self.asked;
    __builtin_va_list list;
    __r.run = run;
    if (count > HEDDLE_OMP_VALUES)
        __builtin_trap();
    __builtin_va_start(list, run);
    for (int __i = 0; __i < count; __i++)
        __r.values[__i] = __builtin_va_arg(list, void *);
    __builtin_va_end(list);
    __heddle_omp_self.asked = 0;
    GOMP_parallel(__heddle_omp_enter, &__r, asked, 0);
}
HEDDLE_OMP int __kmpc_global_thread_num(void *)
{
    return omp_get_thread_num();
}
HEDDLE_OMP void __kmpc_push_num_threads(void *, int, int __n)
{
    __heddle_omp_self.asked = __n > 0 ? (unsigned)__n : 0;
}
HEDDLE_OMP void __kmpc_push_proc_bind(void *, int, int) {}
// A region of one thread, whose loops must leave those around it alone. (Inside another region gcc's omp_get_num_threads
// and omp_get_thread_num know nothing of it, and tell of that one.)
HEDDLE_OMP void __kmpc_serialized_parallel(void *, int)
{
    struct __heddle_omp_thread *__t = &__heddle_omp_self;
    struct __heddle_omp_thread *outer = (struct __heddle_omp_thread *)malloc(sizeof *outer);
    if (!outer)
        __builtin_trap();
    *outer = *__t;
    outer->asked = 0;
    *__t = __heddle_omp_thread();
    __t->outer = outer;
}
HEDDLE_OMP void __kmpc_end_serialized_parallel(void *, int)
{
    struct __heddle_omp_thread *outer = __heddle_omp_self.outer;
    __heddle_omp_self = *outer;
    free(outer);
}

// ---- meetings
HEDDLE_OMP void __kmpc_barrier(void *, int)
{
    if (__heddle_omp_count() > 1)
        GOMP_barrier();
}
HEDDLE_OMP int __kmpc_cancel_barrier(void *__loc, int id)
{
    __kmpc_barrier(__loc, id);
    return 0;
}
HEDDLE_OMP void __kmpc_flush(void *)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HEDDLE_OMP void __kmpc_critical(void *, int, void *__lock)
{
    GOMP_critical_name_start((void **)__lock);
}
HEDDLE_OMP void __kmpc_critical_with_hint(void *, int, void *__lock, unsigned)
{
    GOMP_critical_name_start((void **)__lock);
}
HEDDLE_OMP void __kmpc_end_critical(void *, int, void *__lock)
{
    GOMP_critical_name_end((void **)__lock);
}
HEDDLE_OMP int __kmpc_master(void *, int)
{
    return __heddle_omp_number() == 0;
}
HEDDLE_OMP void __kmpc_end_master(void *, int) {}
HEDDLE_OMP int __kmpc_masked(void *, int, int filter)
{
    return (int)__heddle_omp_number() == filter;
}
HEDDLE_OMP void __kmpc_end_masked(void *, int) {}
HEDDLE_OMP int __kmpc_single(void *, int)
{
    struct __heddle_omp_thread *__t = &__heddle_omp_self;
    if (__heddle_omp_count() == 1)
        return 1;
    unsigned mine = __t->singles++;
    return __atomic_compare_exchange_n(&__t->team->singles, &mine, mine + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
HEDDLE_OMP void __kmpc_end_single(void *, int) {}
HEDDLE_OMP void __kmpc_copyprivate(void *__loc, int id, __SIZE_TYPE__, void *data, void (*copy)(void *, void *),
                                   int __did)
{
    struct __heddle_omp_team *team = __heddle_omp_self.team;
    if (__heddle_omp_count() == 1)
        return;
    if (__did)
        __atomic_store_n(&team->copied, data, __ATOMIC_RELEASE);
    __kmpc_barrier(__loc, id);
    if (!__did)
        copy(data, __atomic_load_n(&team->copied, __ATOMIC_ACQUIRE));
    __kmpc_barrier(__loc, id);
}
// Each thread adds its own under a lock.
HEDDLE_OMP int __kmpc_reduce_nowait(void *, int, int, __SIZE_TYPE__, void *, void (*)(void *, void *), void *__lock)
{
    GOMP_critical_name_start((void **)__lock);
    return 1;
}
HEDDLE_OMP void __kmpc_end_reduce_nowait(void *, int, void *__lock)
{
    GOMP_critical_name_end((void **)__lock);
}
HEDDLE_OMP int __kmpc_reduce(void *, int, int, __SIZE_TYPE__, void *, void (*)(void *, void *), void *__lock)
{
    GOMP_critical_name_start((void **)__lock);
    return 1;
}
HEDDLE_OMP void __kmpc_end_reduce(void *__loc, int id, void *__lock)
{
    GOMP_critical_name_end((void **)__lock);
    __kmpc_barrier(__loc, id);
}
HEDDLE_OMP void __kmpc_ordered(void *, int) {}
HEDDLE_OMP void __kmpc_end_ordered(void *, int) {}

// ---- loops
enum { HEDDLE_OMP_CHUNKED = 33, HEDDLE_OMP_STATIC = 34, HEDDLE_OMP_GUIDED = 36, HEDDLE_OMP_ORDERED = 64 };
static inline int __heddle_omp_schedule(int schedule)
{
    return schedule & ~(3 << 29);
}
HEDDLE_OMP void __kmpc_for_static_fini(void *, int) {}
#define HEDDLE_OMP_LOOP(name, __T, __S)                                                                                \
    HEDDLE_OMP void __kmpc_for_static_init_##name(void *, int, int schedule, int *last, __T *lower, __T *__upper,      \
                                                  __S *__stride, __S step, __S chunk)                                  \
    {                                                                                                                  \
        unsigned long long __n = __heddle_omp_count(), id = __heddle_omp_number(), trip;                               \
        int kind = __heddle_omp_schedule(schedule);                                                                    \
        bool distribute = kind == 91 || kind == 92; /* of teams, of which there is one */                              \
        if (step > 0 ? *__upper < *lower : *lower < *__upper) {                                                        \
            *last = 0;                                                                                                 \
            return;                                                                                                    \
        }                                                                                                              \
        trip = step > 0 ? (unsigned long long)(*__upper - *lower) / (unsigned long long)step + 1                       \
                        : (unsigned long long)(*lower - *__upper) / (0 - (unsigned long long)step) + 1;                \
        if (distribute) {                                                                                              \
            __n = 1;                                                                                                   \
            id = 0;                                                                                                    \
        }                                                                                                              \
        if (kind == HEDDLE_OMP_CHUNKED || kind == 91) {                                                                \
            unsigned long long __c = chunk > 0 ? (unsigned long long)chunk : 1;                                        \
            *__stride = (__S)(__c * __n * (unsigned long long)step);                                                   \
            *lower = (__T)(*lower + (__T)(id * __c * (unsigned long long)step));                                       \
            *__upper = (__T)(*lower + (__T)((__c - 1) * (unsigned long long)step));                                    \
            *last = id == (trip - 1) / __c % __n;                                                                      \
            return;                                                                                                    \
        }                                                                                                              \
        unsigned long long each = trip / __n, more = trip % __n, begin = id * each + (id < more ? id : more);          \
        unsigned long long mine = each + (id < more);                                                                  \
        *__stride = (__S)trip;                                                                                         \
        *last = mine && begin + mine == trip;                                                                          \
        *lower = (__T)(*lower + (__T)(begin * (unsigned long long)step));                                              \
        *__upper = (__T)(*lower + (__T)(mine * (unsigned long long)step) - (__T)step);                                 \
    }                                                                                                                  \
    HEDDLE_OMP void __kmpc_dispatch_init_##name(void *, int, int schedule, __T lower, __T __upper, __S step,           \
                                                __S chunk)                                                             \
    {                                                                                                                  \
        struct __heddle_omp_thread *__t = &__heddle_omp_self;                                                          \
        int kind = __heddle_omp_schedule(schedule);                                                                    \
        __t->first = (long long)lower;                                                                                 \
        __t->step = step;                                                                                              \
        __t->trip = 0;                                                                                                 \
        if (step > 0 ? lower <= __upper : __upper <= lower)                                                            \
            __t->trip = step > 0 ? (unsigned long long)(__upper - lower) / (unsigned long long)step + 1                \
                                 : (unsigned long long)(lower - __upper) / (0 - (unsigned long long)step) + 1;         \
        __t->chunk = chunk > 0 ? (unsigned long long)chunk : 1;                                                        \
        __t->guided = kind == HEDDLE_OMP_GUIDED;                                                                       \
        if (kind == HEDDLE_OMP_STATIC || kind == 37 || kind == 38)                                                     \
            __t->chunk = __t->trip / __heddle_omp_count() + 1;                                                         \
        if (kind > HEDDLE_OMP_ORDERED)                                                                                 \
            __t->chunk = __t->trip ? __t->trip : 1;                                                                    \
        __heddle_omp_loop_enter(__t);                                                                                  \
    }                                                                                                                  \
    HEDDLE_OMP int __kmpc_dispatch_next_##name(void *, int, int *last, __T *lower, __T *__upper, __S *__stride)        \
    {                                                                                                                  \
        struct __heddle_omp_thread *__t = &__heddle_omp_self;                                                          \
        unsigned long long begin, __n;                                                                                 \
        if (!__heddle_omp_loop_take(__t, &begin, &__n))                                                                \
            return 0;                                                                                                  \
        *lower = (__T)(__t->first + (long long)(begin * (unsigned long long)__t->step));                               \
        *__upper = (__T)(__t->first + (long long)((begin + __n - 1) * (unsigned long long)__t->step));                 \
        *__stride = (__S)__t->step;                                                                                    \
        *last = begin + __n == __t->trip;                                                                              \
        return 1;                                                                                                      \
    }                                                                                                                  \
    HEDDLE_OMP void __kmpc_dispatch_fini_##name(void *, int) {}

static inline struct __heddle_omp_loop *__heddle_omp_slot(struct __heddle_omp_thread *__t)
{
    return __heddle_omp_count() == 1 ? &__t->alone : &__t->team->loops[__t->loops % HEDDLE_OMP_SLOTS];
}
// A slot is free when all threads have left the loop that had it before.
static inline void __heddle_omp_loop_enter(struct __heddle_omp_thread *__t)
{
    struct __heddle_omp_loop *__l = __heddle_omp_slot(__t);
    if (__heddle_omp_count() == 1)
        *__l = __heddle_omp_loop();
    else
        while (__atomic_load_n(&__l->turn, __ATOMIC_ACQUIRE) != __t->loops / HEDDLE_OMP_SLOTS)
            sched_yield();
}
static inline bool __heddle_omp_loop_take(struct __heddle_omp_thread *__t, unsigned long long *begin,
                                          unsigned long long *__n)
{
    struct __heddle_omp_loop *__l = __heddle_omp_slot(__t);
    unsigned count = __heddle_omp_count();
    unsigned long long __at = __atomic_load_n(&__l->next, __ATOMIC_RELAXED);
    while (__at < __t->trip) {
        unsigned long long size = __t->chunk, left = __t->trip - __at;
        if (__t->guided && left / (2 * count) > size)
            size = left / (2 * count);
        size = size < left ? size : left;
        if (!__atomic_compare_exchange_n(&__l->next, &__at, __at + size, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        *begin = __at;
        *__n = size;
        return true;
    }
    if (count > 1 && __atomic_add_fetch(&__l->done, 1, __ATOMIC_ACQ_REL) == count) {
        __l->next = 0;
        __l->done = 0;
        __atomic_add_fetch(&__l->turn, 1, __ATOMIC_RELEASE);
    }
    __t->loops += count > 1;
    return false;
}
HEDDLE_OMP_LOOP(4, int, int)
HEDDLE_OMP_LOOP(4u, unsigned, int)
HEDDLE_OMP_LOOP(8, long long, long long)
HEDDLE_OMP_LOOP(8u, unsigned long long, long long)
HEDDLE_OMP void __kmpc_dispatch_deinit(void *, int) {}

// ---- tasks
struct __heddle_omp_task {
    void *shared;
    int (*run)(int, struct __heddle_omp_task *);
    int part;
    int (*destroy)(int, struct __heddle_omp_task *);
    void *more;
};
HEDDLE_OMP struct __heddle_omp_task *__kmpc_omp_task_alloc(void *, int, int flags, __SIZE_TYPE__ size,
                                                           __SIZE_TYPE__ shared,
                                                           int (*run)(int, struct __heddle_omp_task *))
{
    __SIZE_TYPE__ room = (size + 15) / 16 * 16;
    struct __heddle_omp_task *__t = (struct __heddle_omp_task *)malloc(16 + room + shared);
    if (!__t)
        __builtin_trap();
    *(int *)__t = flags;
    __t = (struct __heddle_omp_task *)((char *)__t + 16);
    __t->shared = shared ? (char *)__t + room : 0;
    __t->run = run;
    __t->part = 0;
    return __t;
}
HEDDLE_OMP void __kmpc_omp_task_begin_if0(void *, int, struct __heddle_omp_task *) {}
HEDDLE_OMP void __kmpc_omp_task_complete_if0(void *, int id, struct __heddle_omp_task *__t)
{
    enum { DESTROYS = 8 };
    if (*(int *)((char *)__t - 16) & DESTROYS)
        __t->destroy(id, __t);
    free((char *)__t - 16);
}
HEDDLE_OMP int __kmpc_omp_task(void *__loc, int id, struct __heddle_omp_task *__t)
{
    __t->run(id, __t);
    __kmpc_omp_task_complete_if0(__loc, id, __t);
    return 0;
}
HEDDLE_OMP int __kmpc_omp_task_with_deps(void *__loc, int id, struct __heddle_omp_task *__t, int, void *, int, void *)
{
    return __kmpc_omp_task(__loc, id, __t);
}
HEDDLE_OMP void __kmpc_taskloop(void *__loc, int id, struct __heddle_omp_task *__t, int, unsigned long long *,
                                unsigned long long *, long long, int, int, unsigned long long, void *)
{
    __kmpc_omp_task(__loc, id, __t);
}
HEDDLE_OMP int __kmpc_omp_taskwait(void *, int)
{
    return 0;
}
HEDDLE_OMP int __kmpc_omp_taskyield(void *, int, int)
{
    return 0;
}
HEDDLE_OMP void __kmpc_omp_wait_deps(void *, int, int, void *, int, void *) {}
HEDDLE_OMP void __kmpc_omp_taskwait_deps_51(void *, int, int, void *, int, void *, int) {}
HEDDLE_OMP void __kmpc_taskgroup(void *, int) {}
HEDDLE_OMP void __kmpc_end_taskgroup(void *, int) {}
}
#undef HEDDLE_OMP
#undef HEDDLE_OMP_LOOP
#undef HEDDLE_OMP_SLOTS
#undef HEDDLE_OMP_VALUES
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#endif
