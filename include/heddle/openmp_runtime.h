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
void GOMP_critical_name_start(void **lock);
void GOMP_critical_name_end(void **lock);
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
    struct __heddle_omp_thread *t = &__heddle_omp_self;
    return t->team ? t->team->threads : 1;
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
    struct __heddle_omp_region *r = (struct __heddle_omp_region *)data;
    struct __heddle_omp_thread *t = &__heddle_omp_self, before = *t;
    int number = omp_get_thread_num(), zero = 0;
    if (number == 0)
        __atomic_store_n(&r->team.threads, (unsigned)omp_get_num_threads(), __ATOMIC_RELEASE);
    while (!__atomic_load_n(&r->team.threads, __ATOMIC_ACQUIRE))
        sched_yield();
    *t = __heddle_omp_thread();
    t->team = &r->team;
    t->number = (unsigned)number;
    void **v = r->values;
    // More arguments than a function takes are no harm in either calling convention.
#define HEDDLE_OMP_8(n) v[n], v[n + 1], v[n + 2], v[n + 3], v[n + 4], v[n + 5], v[n + 6], v[n + 7]
    typedef void (*all)(int *, int *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                        void *, void *, void *, void *, void *);
    ((all)r->run)(&number, &zero, HEDDLE_OMP_8(0), HEDDLE_OMP_8(8), HEDDLE_OMP_8(16), HEDDLE_OMP_8(24), HEDDLE_OMP_8(32),
                  HEDDLE_OMP_8(40), HEDDLE_OMP_8(48), HEDDLE_OMP_8(56));
#undef HEDDLE_OMP_8
    *t = before;
}
HEDDLE_OMP void __kmpc_fork_call(void *, int count, void (*run)(int *, int *, ...), ...)
{
    struct __heddle_omp_region r = {};
    unsigned asked = __heddle_omp_self.asked;
    __builtin_va_list list;
    r.run = run;
    if (count > HEDDLE_OMP_VALUES)
        __builtin_trap();
    __builtin_va_start(list, run);
    for (int i = 0; i < count; i++)
        r.values[i] = __builtin_va_arg(list, void *);
    __builtin_va_end(list);
    __heddle_omp_self.asked = 0;
    GOMP_parallel(__heddle_omp_enter, &r, asked, 0);
}
HEDDLE_OMP int __kmpc_global_thread_num(void *)
{
    return omp_get_thread_num();
}
HEDDLE_OMP void __kmpc_push_num_threads(void *, int, int n)
{
    __heddle_omp_self.asked = n > 0 ? (unsigned)n : 0;
}
HEDDLE_OMP void __kmpc_push_proc_bind(void *, int, int) {}
// A region of one thread, whose loops must leave those around it alone. (Inside another region gcc's omp_get_num_threads
// and omp_get_thread_num know nothing of it, and tell of that one.)
HEDDLE_OMP void __kmpc_serialized_parallel(void *, int)
{
    struct __heddle_omp_thread *t = &__heddle_omp_self;
    struct __heddle_omp_thread *outer = (struct __heddle_omp_thread *)malloc(sizeof *outer);
    if (!outer)
        __builtin_trap();
    *outer = *t;
    outer->asked = 0;
    *t = __heddle_omp_thread();
    t->outer = outer;
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
HEDDLE_OMP int __kmpc_cancel_barrier(void *loc, int id)
{
    __kmpc_barrier(loc, id);
    return 0;
}
HEDDLE_OMP void __kmpc_flush(void *)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HEDDLE_OMP void __kmpc_critical(void *, int, void *lock)
{
    GOMP_critical_name_start((void **)lock);
}
HEDDLE_OMP void __kmpc_critical_with_hint(void *, int, void *lock, unsigned)
{
    GOMP_critical_name_start((void **)lock);
}
HEDDLE_OMP void __kmpc_end_critical(void *, int, void *lock)
{
    GOMP_critical_name_end((void **)lock);
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
    struct __heddle_omp_thread *t = &__heddle_omp_self;
    if (__heddle_omp_count() == 1)
        return 1;
    unsigned mine = t->singles++;
    return __atomic_compare_exchange_n(&t->team->singles, &mine, mine + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
HEDDLE_OMP void __kmpc_end_single(void *, int) {}
HEDDLE_OMP void __kmpc_copyprivate(void *loc, int id, __SIZE_TYPE__, void *data, void (*copy)(void *, void *), int did)
{
    struct __heddle_omp_team *team = __heddle_omp_self.team;
    if (__heddle_omp_count() == 1)
        return;
    if (did)
        __atomic_store_n(&team->copied, data, __ATOMIC_RELEASE);
    __kmpc_barrier(loc, id);
    if (!did)
        copy(data, __atomic_load_n(&team->copied, __ATOMIC_ACQUIRE));
    __kmpc_barrier(loc, id);
}
// Each thread adds its own under a lock.
HEDDLE_OMP int __kmpc_reduce_nowait(void *, int, int, __SIZE_TYPE__, void *, void (*)(void *, void *), void *lock)
{
    GOMP_critical_name_start((void **)lock);
    return 1;
}
HEDDLE_OMP void __kmpc_end_reduce_nowait(void *, int, void *lock)
{
    GOMP_critical_name_end((void **)lock);
}
HEDDLE_OMP int __kmpc_reduce(void *, int, int, __SIZE_TYPE__, void *, void (*)(void *, void *), void *lock)
{
    GOMP_critical_name_start((void **)lock);
    return 1;
}
HEDDLE_OMP void __kmpc_end_reduce(void *loc, int id, void *lock)
{
    GOMP_critical_name_end((void **)lock);
    __kmpc_barrier(loc, id);
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
#define HEDDLE_OMP_LOOP(name, T, S)                                                                                     \
    HEDDLE_OMP void __kmpc_for_static_init_##name(void *, int, int schedule, int *last, T *lower, T *upper, S *stride,   \
                                                  S step, S chunk)                                                      \
    {                                                                                                                   \
        unsigned long long n = __heddle_omp_count(), id = __heddle_omp_number(), trip;                                  \
        int kind = __heddle_omp_schedule(schedule);                                                                     \
        bool distribute = kind == 91 || kind == 92; /* of teams, of which there is one */                               \
        if (step > 0 ? *upper < *lower : *lower < *upper) {                                                             \
            *last = 0;                                                                                                  \
            return;                                                                                                     \
        }                                                                                                               \
        trip = step > 0 ? (unsigned long long)(*upper - *lower) / (unsigned long long)step + 1                          \
                        : (unsigned long long)(*lower - *upper) / (0 - (unsigned long long)step) + 1;                   \
        if (distribute) {                                                                                               \
            n = 1;                                                                                                      \
            id = 0;                                                                                                     \
        }                                                                                                               \
        if (kind == HEDDLE_OMP_CHUNKED || kind == 91) {                                                                 \
            unsigned long long c = chunk > 0 ? (unsigned long long)chunk : 1;                                           \
            *stride = (S)(c * n * (unsigned long long)step);                                                            \
            *lower = (T)(*lower + (T)(id * c * (unsigned long long)step));                                              \
            *upper = (T)(*lower + (T)((c - 1) * (unsigned long long)step));                                             \
            *last = id == (trip - 1) / c % n;                                                                           \
            return;                                                                                                     \
        }                                                                                                               \
        unsigned long long each = trip / n, more = trip % n, begin = id * each + (id < more ? id : more);               \
        unsigned long long mine = each + (id < more);                                                                   \
        *stride = (S)trip;                                                                                              \
        *last = mine && begin + mine == trip;                                                                           \
        *lower = (T)(*lower + (T)(begin * (unsigned long long)step));                                                   \
        *upper = (T)(*lower + (T)(mine * (unsigned long long)step) - (T)step);                                          \
    }                                                                                                                   \
    HEDDLE_OMP void __kmpc_dispatch_init_##name(void *, int, int schedule, T lower, T upper, S step, S chunk)            \
    {                                                                                                                   \
        struct __heddle_omp_thread *t = &__heddle_omp_self;                                                             \
        int kind = __heddle_omp_schedule(schedule);                                                                     \
        t->first = (long long)lower;                                                                                    \
        t->step = step;                                                                                                 \
        t->trip = 0;                                                                                                    \
        if (step > 0 ? lower <= upper : upper <= lower)                                                                 \
            t->trip = step > 0 ? (unsigned long long)(upper - lower) / (unsigned long long)step + 1                     \
                               : (unsigned long long)(lower - upper) / (0 - (unsigned long long)step) + 1;              \
        t->chunk = chunk > 0 ? (unsigned long long)chunk : 1;                                                           \
        t->guided = kind == HEDDLE_OMP_GUIDED;                                                                          \
        if (kind == HEDDLE_OMP_STATIC || kind == 37 || kind == 38)                                                      \
            t->chunk = t->trip / __heddle_omp_count() + 1;                                                              \
        if (kind > HEDDLE_OMP_ORDERED)                                                                                  \
            t->chunk = t->trip ? t->trip : 1;                                                                           \
        __heddle_omp_loop_enter(t);                                                                                     \
    }                                                                                                                   \
    HEDDLE_OMP int __kmpc_dispatch_next_##name(void *, int, int *last, T *lower, T *upper, S *stride)                    \
    {                                                                                                                   \
        struct __heddle_omp_thread *t = &__heddle_omp_self;                                                             \
        unsigned long long begin, n;                                                                                    \
        if (!__heddle_omp_loop_take(t, &begin, &n))                                                                     \
            return 0;                                                                                                   \
        *lower = (T)(t->first + (long long)(begin * (unsigned long long)t->step));                                      \
        *upper = (T)(t->first + (long long)((begin + n - 1) * (unsigned long long)t->step));                            \
        *stride = (S)t->step;                                                                                           \
        *last = begin + n == t->trip;                                                                                   \
        return 1;                                                                                                       \
    }                                                                                                                   \
    HEDDLE_OMP void __kmpc_dispatch_fini_##name(void *, int) {}

static inline struct __heddle_omp_loop *__heddle_omp_slot(struct __heddle_omp_thread *t)
{
    return __heddle_omp_count() == 1 ? &t->alone : &t->team->loops[t->loops % HEDDLE_OMP_SLOTS];
}
// A slot is free when all threads have left the loop that had it before.
static inline void __heddle_omp_loop_enter(struct __heddle_omp_thread *t)
{
    struct __heddle_omp_loop *l = __heddle_omp_slot(t);
    if (__heddle_omp_count() == 1)
        *l = __heddle_omp_loop();
    else
        while (__atomic_load_n(&l->turn, __ATOMIC_ACQUIRE) != t->loops / HEDDLE_OMP_SLOTS)
            sched_yield();
}
static inline bool __heddle_omp_loop_take(struct __heddle_omp_thread *t, unsigned long long *begin, unsigned long long *n)
{
    struct __heddle_omp_loop *l = __heddle_omp_slot(t);
    unsigned count = __heddle_omp_count();
    unsigned long long at = __atomic_load_n(&l->next, __ATOMIC_RELAXED);
    while (at < t->trip) {
        unsigned long long size = t->chunk, left = t->trip - at;
        if (t->guided && left / (2 * count) > size)
            size = left / (2 * count);
        size = size < left ? size : left;
        if (!__atomic_compare_exchange_n(&l->next, &at, at + size, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        *begin = at;
        *n = size;
        return true;
    }
    if (count > 1 && __atomic_add_fetch(&l->done, 1, __ATOMIC_ACQ_REL) == count) {
        l->next = 0;
        l->done = 0;
        __atomic_add_fetch(&l->turn, 1, __ATOMIC_RELEASE);
    }
    t->loops += count > 1;
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
HEDDLE_OMP struct __heddle_omp_task *__kmpc_omp_task_alloc(void *, int, int flags, __SIZE_TYPE__ size, __SIZE_TYPE__ shared,
                                                           int (*run)(int, struct __heddle_omp_task *))
{
    __SIZE_TYPE__ room = (size + 15) / 16 * 16;
    struct __heddle_omp_task *t = (struct __heddle_omp_task *)malloc(16 + room + shared);
    if (!t)
        __builtin_trap();
    *(int *)t = flags;
    t = (struct __heddle_omp_task *)((char *)t + 16);
    t->shared = shared ? (char *)t + room : 0;
    t->run = run;
    t->part = 0;
    return t;
}
HEDDLE_OMP void __kmpc_omp_task_begin_if0(void *, int, struct __heddle_omp_task *) {}
HEDDLE_OMP void __kmpc_omp_task_complete_if0(void *, int id, struct __heddle_omp_task *t)
{
    enum { DESTROYS = 8 };
    if (*(int *)((char *)t - 16) & DESTROYS)
        t->destroy(id, t);
    free((char *)t - 16);
}
HEDDLE_OMP int __kmpc_omp_task(void *loc, int id, struct __heddle_omp_task *t)
{
    t->run(id, t);
    __kmpc_omp_task_complete_if0(loc, id, t);
    return 0;
}
HEDDLE_OMP int __kmpc_omp_task_with_deps(void *loc, int id, struct __heddle_omp_task *t, int, void *, int, void *)
{
    return __kmpc_omp_task(loc, id, t);
}
HEDDLE_OMP void __kmpc_taskloop(void *loc, int id, struct __heddle_omp_task *t, int, unsigned long long *,
                                unsigned long long *, long long, int, int, unsigned long long, void *)
{
    __kmpc_omp_task(loc, id, t);
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
