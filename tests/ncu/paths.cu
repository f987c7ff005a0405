// SPDX-License-Identifier: Apache-2.0
// Paths of warps through PTX whose instructions are counted by hand: inst, those of warps; threads, those of active threads; on, those of
// threads whose predicate holds; branches and divergent ones. A case is a kernel of that name; cases stand as in cases.cu.
#include <cstdio>
#include <cstring>
#include <cuda.h>

static const char text[] = R"(
.version 8.0
.target sm_80
.address_size 64
.func shallow(.param .b32 x)
{
    .reg .b32 %r<3>;
    .reg .pred %p;
    ld.param.b32 %r0, [x];
    setp.ge.u32 %p, %r0, 8;
    @%p ret;
    add.u32 %r1, %r0, 1;
    ret;
}
.func deep(.param .b32 x)
{
    .reg .b32 %r<3>;
    .reg .pred %p;
    .param .b32 next;
    ld.param.b32 %r0, [x];
    setp.eq.u32 %p, %r0, 0;
    @%p ret;
    sub.u32 %r1, %r0, 1;
    st.param.b32 [next], %r1;
    call deep, (next);
    ret;
}
.visible .entry straight()
{
    .reg .b32 %r<3>;
    mov.u32 %r0, %tid.x;
    add.u32 %r1, %r0, 1;
    mul.lo.u32 %r2, %r1, %r1;
    ret;
}
.visible .entry if_then()
{
    .reg .b32 %r<3>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    setp.ge.u32 %p, %r0, 8;
    @%p bra END;
    add.u32 %r1, %r0, 1;
    add.u32 %r2, %r1, 1;
END:
    ret;
}
.visible .entry if_else()
{
    .reg .b32 %r<4>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 1;
    setp.ne.u32 %p, %r1, 0;
    @%p bra ELSE;
    add.u32 %r2, %r0, 1;
    bra END;
ELSE:
    add.u32 %r2, %r0, 2;
    add.u32 %r3, %r2, 2;
END:
    ret;
}
.visible .entry uniform_if()
{
    .reg .b32 %r<4>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    setp.ge.u32 %p, %r0, 32;
    @%p bra END;
    add.u32 %r2, %r0, 1;
END:
    ret;
}
.visible .entry loop()
{
    .reg .b32 %r<4>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 3;
    mov.u32 %r2, 0;
LOOP:
    add.u32 %r2, %r2, 1;
    setp.le.u32 %p, %r2, %r1;
    @%p bra LOOP;
    ret;
}
.visible .entry nested()
{
    .reg .b32 %r<6>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 0;
OUTER:
    xor.b32 %r2, %r0, %r1;
    and.b32 %r2, %r2, 1;
    mov.u32 %r3, 0;
INNER:
    add.u32 %r3, %r3, 1;
    setp.le.u32 %p, %r3, %r2;
    @%p bra INNER;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, 2;
    @%p bra OUTER;
    ret;
}
.visible .entry ends()
{
    .reg .b32 %r<3>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    setp.ge.u32 %p, %r0, 8;
    @%p exit;
    add.u32 %r1, %r0, 1;
    add.u32 %r2, %r1, 1;
    ret;
}
.visible .entry guarded()
{
    .reg .b32 %r<3>;
    .reg .pred %p<2>;
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %p0, %r0, 8;
    @%p0 add.u32 %r1, %r0, 1;
    @!%p0 add.u32 %r1, %r0, 2;
    setp.gt.u32 %p1, %r0, 1000;
    @%p1 add.u32 %r1, %r1, 3;
    ret;
}
.visible .entry calls()
{
    .reg .b32 %r<3>;
    .param .b32 x;
    mov.u32 %r0, %tid.x;
    st.param.b32 [x], %r0;
    call shallow, (x);
    add.u32 %r1, %r0, 1;
    ret;
}
.visible .entry recursion()
{
    .reg .b32 %r<3>;
    .param .b32 x;
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 3;
    st.param.b32 [x], %r1;
    call deep, (x);
    ret;
}
.visible .entry several()
{
    .reg .b32 %r<4>;
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 3;
list: .branchtargets A, B, C, D;
    brx.idx %r1, list;
A:
    add.u32 %r2, %r0, 1;
    bra END;
B:
    add.u32 %r2, %r0, 2;
    bra END;
C:
    add.u32 %r2, %r0, 3;
    bra END;
D:
    add.u32 %r2, %r0, 4;
    bra END;
END:
    ret;
}
.visible .entry either()
{
    .reg .b32 %r<3>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %p, %r0, 8;
    @%p bra THEN;
    setp.lt.u32 %p, %r0, 16;
    @%p bra THEN;
    add.u32 %r1, %r0, 1;
    bra END;
THEN:
    add.u32 %r1, %r0, 2;
END:
    ret;
}
.visible .entry waits()
{
    .reg .b32 %r<3>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    setp.ge.u32 %p, %r0, 40;
    @%p bra JOIN;
    add.u32 %r1, %r0, 1;
JOIN:
    bar.sync 0;
    add.u32 %r2, %r0, 1;
    bar.sync 0;
    ret;
}
.visible .entry shuffles()
{
    .reg .b32 %r<4>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, 16;
NEXT:
    shfl.sync.bfly.b32 %r2, %r0, %r1, 31, -1;
    add.u32 %r0, %r0, %r2;
    shr.u32 %r1, %r1, 1;
    setp.ne.u32 %p, %r1, 0;
    @%p bra NEXT;
    ret;
}
.visible .entry halves()
{
    .reg .b32 %r<4>;
    .reg .b16 %h<3>;
    mov.b32 %r0, 0;
    mov.b16 %h0, 0;
    add.rn.f16x2 %r1, %r0, %r0;
    mul.rn.f16x2 %r2, %r0, %r0;
    fma.rn.f16x2 %r3, %r0, %r0, %r0;
    add.rn.f16 %h1, %h0, %h0;
    ret;
}
)";

struct path {
    const char *name;
    unsigned grid, block;
};

static const path paths[] = {
    // case straight
    // inst 4
    // threads 128
    // on 128
    // branches 0
    {"straight", 1, 32},
    // Two blocks of two warps, the second with 8 threads.
    // case straight_grid
    // inst 16
    // threads 320
    {"straight", 2, 40},
    // case if_then
    // inst 6
    // threads 144
    // on 136
    // branches 1
    // divergent 1
    {"if_then", 1, 32},
    // case if_else
    // inst 9
    // threads 224
    // on 208
    // branches 2
    // divergent 1
    {"if_else", 1, 32},
    // One warp takes the branch, the other does not.
    // case uniform_if
    // inst 9
    // threads 288
    // on 256
    // branches 2
    // divergent 0
    {"uniform_if", 1, 64},
    // case loop
    // inst 16
    // threads 368
    // branches 4
    // divergent 3
    {"loop", 1, 32},
    // Each outer iteration takes two inner ones, for other threads each time.
    // case nested
    // inst 27
    // threads 768
    // branches 6
    // divergent 2
    {"nested", 1, 32},
    // case ends
    // inst 6
    // threads 120
    // on 112
    // branches 0
    {"ends", 1, 32},
    // case guarded
    // inst 7
    // threads 224
    // on 160
    {"guarded", 1, 32},
    // case calls
    // inst 10
    // threads 272
    {"calls", 1, 32},
    // case recursion
    // inst 29
    // threads 592
    {"recursion", 1, 32},
    // case several
    // inst 12
    // threads 192
    // branches 5
    // divergent 1
    {"several", 1, 32},
    // THEN is run by both groups that come to it, since the paths meet behind it.
    // case either
    // inst 10
    // threads 224
    // branches 3
    // divergent 2
    {"either", 1, 32},
    // case waits
    // inst 16
    // threads 488
    // branches 2
    // divergent 1
    // smsp__inst_executed_op_barrier.sum 4
    {"waits", 1, 64},
    // case shuffles
    // inst 28
    // threads 896
    // divergent 0
    // smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum 160
    {"shuffles", 1, 32},
    // case halves
    // smsp__sass_thread_inst_executed_op_fp16_pred_on.sum 128
    // heddle__flops_fp16.sum 288
    {"halves", 1, 32},
};

int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUresult r = cuInit(0);
    r = r ? r : cuDeviceGet(&device, 0);
    r = r ? r : cuDevicePrimaryCtxRetain(&context, device);
    r = r ? r : cuCtxSetCurrent(context);
    r = r ? r : cuModuleLoadData(&module, text);
    for (const path &p : paths) {
        CUfunction f;
        r = r ? r : cuModuleGetFunction(&f, module, p.name);
        r = r ? r : cuLaunchKernel(f, p.grid, 1, 1, p.block, 1, 1, 0, 0, 0, 0);
    }
    r = r ? r : cuCtxSynchronize();
    if (r)
        printf("error %d\n", (int)r);
    return r != 0;
}
