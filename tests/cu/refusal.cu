// One kernel of a program needs an instruction that the device may lack: it is refused when it is launched, with
// cudaErrorNotSupported and no harm to the context, and the other kernel runs. A GPU of sm_90 has the instruction.
// nvcc: -arch=sm_90
#include "check.h"

__global__ void exchange(ulonglong2 *p, ulonglong2 *old)
{
    asm volatile("{ .reg .b128 a, b; mov.b128 a, {%2, %3}; atom.global.exch.b128 b, [%4], a; mov.b128 {%0, %1}, b; }"
                 : "=l"(old->x), "=l"(old->y)
                 : "l"(3ull), "l"(4ull), "l"(p)
                 : "memory");
}

__global__ void plain(int *p)
{
    p[threadIdx.x] = threadIdx.x;
}

int main()
{
    Buffer<ulonglong2> a(std::vector<ulonglong2>{{1, 2}}), old(1);
    exchange<<<1, 1>>>(a, old);
    cudaError_t e = cudaGetLastError();
    EXPECT(e == cudaSuccess || e == cudaErrorNotSupported);
    OK(cudaDeviceSynchronize());
    if (e == cudaSuccess) {
        ulonglong2 o = old.get()[0], n = a.get()[0];
        EXPECT(o.x == 1 && o.y == 2 && n.x == 3 && n.y == 4);
    }
    Buffer<int> d(32);
    plain<<<1, 32>>>(d);
    LAUNCHED();
    EXPECT(d.get()[31] == 31);
    return DONE();
}
