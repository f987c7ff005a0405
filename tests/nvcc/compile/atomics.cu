// SPDX-License-Identifier: Apache-2.0
// Atomic functions of every type and scope, fences, votes, shuffles, cache hints.
__global__ void atomics(int *i, unsigned *u, long long *l, unsigned long long *ul, float *f, double *d,
                        unsigned short *h)
{
    __shared__ int s;
    __shared__ float sf;
    atomicAdd(i, 1), atomicAdd(u, 1), atomicAdd(ul, 1), atomicAdd(f, 1), atomicAdd(d, 1), atomicAdd(&s, 1),
        atomicAdd(&sf, 1);
    atomicSub(i, 1), atomicSub(u, 1), atomicExch(i, 1), atomicExch(u, 1), atomicExch(ul, 1), atomicExch(f, 1);
    atomicMin(i, 1), atomicMin(u, 1), atomicMin(l, 1), atomicMin(ul, 1), atomicMax(i, 1), atomicMax(u, 1),
        atomicMax(l, 1), atomicMax(ul, 1);
    atomicAnd(i, 1), atomicOr(u, 1), atomicXor(ul, 1), atomicAnd(ul, 1), atomicInc(u, 5), atomicDec(u, 5);
    i[1] = atomicCAS(i, 1, 2), u[1] = atomicCAS(u, 1, 2), ul[1] = atomicCAS(ul, 1, 2), h[1] = atomicCAS(h, 1, 2);
    atomicAdd_block(i, 1), atomicAdd_system(f, 1), atomicCAS_system(ul, 1, 2), atomicMax_block(l, 1),
        atomicInc_system(u, 3);
    atomicAdd_system(d, 2.0), atomicExch_block(f, 3.0f), atomicOr_system(u, 3);
    i[2] = __nv_atomic_fetch_add(i, 3, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) +
           __nv_atomic_load_n(i, __NV_ATOMIC_ACQUIRE);
    __threadfence(), __threadfence_block(), __threadfence_system();
    i[3] = __syncthreads_count(i[0]) + __syncthreads_and(i[1]) + __syncthreads_or(i[2]);
    i[4] = __all_sync(~0u, i[0]) + __any_sync(~0u, i[1]) + __ballot_sync(~0u, i[2]) + __activemask();
    i[5] = __shfl_sync(~0u, i[0], 3) + __shfl_up_sync(~0u, i[1], 1) + __shfl_down_sync(~0u, i[2], 2) +
           __shfl_xor_sync(~0u, i[3], 4, 16);
    d[1] = __shfl_xor_sync(~0u, d[2], 1), l[1] = __shfl_down_sync(~0u, l[2], 1), f[1] = __shfl_sync(~0u, f[2], 0);
    i[6] = __match_any_sync(~0u, l[1]);
    int all;
    i[7] = __match_all_sync(~0u, f[1], &all);
#if __CUDA_ARCH__ >= 800
    i[8] = __reduce_add_sync(~0u, i[1]) + __reduce_max_sync(~0u, i[2]);
#endif
    __syncwarp();
    f[3] = __ldg(f + 1) + __ldcg(f + 2) + __ldcs(f + 3) + __ldca(f + 4) + __ldlu(f + 5);
    __stcs(f, 1.0f), __stcg(i, 2), __stwt(d, 3.0), __stwb(u, 4u);
    i[9] = __isShared(&s) + __isGlobal(i) + (int)__cvta_generic_to_shared(&s);
    __nanosleep(10);
    __prof_trigger(3);
    if (i[10])
        __trap();
    if (i[11])
        __brkpt();
}
int main()
{
    return 0;
}
