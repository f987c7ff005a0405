#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What programs carry for the drivers of GPUs: the device runtime where kernels launch kernels, pointers to managed variables in
# host code. Where NVIDIA's assembler is installed it takes the PTX.
. "$2/check.sh"
export HEDDLE_CACHE_DIR="$work/cache"
bin=$(dirname "$nvcc")
assembler=/usr/local/cuda/bin/ptxas

# ---- the device runtime
cat >launch.cu <<'X'
__global__ void child(int *p) { *p += 1; }
__global__ void parent(int *p, int *q)
{
#ifdef COPIES
    cudaMemcpyAsync(q, p, 4, cudaMemcpyDeviceToDevice, 0);
    *q = cudaGetErrorName(cudaErrorInvalidValue)[0];
#endif
    void *b = cudaGetParameterBuffer(8, 8);
    *(int **)b = p;
    cudaLaunchDevice((void *)child, b, dim3(1), dim3(1), 0, 0);
}
int main()
{
    int *p, r = 0;
    cudaMalloc(&p, 8);
    cudaMemset(p, 0, 8);
    parent<<<1, 1>>>(p, p + 1);
    cudaMemcpy(&r, p, 4, cudaMemcpyDeviceToHost);
    return r != 1;
}
X
cat >plain.cu <<'X'
__global__ void kernel(int *p) { *p += 1; }
int main() { return 0; }
X
text() # PROGRAM: the PTX that it ends with, linked or whole
{
    rm -f ./*.sm_*.ptx
    "$bin/cuobjdump" -xptx all "$1" >/dev/null
    cat "$(ls "$1".*.sm_*.ptx | tail -n 1)" >text.ptx
}
defined() { grep -c "^\.visible \.func .*$1(" text.ptx || true; }
assembled()
{
    [ ! -x "$assembler" ] || "$assembler" -arch=sm_90 text.ptx -o text.cubin
}
for mode in true false; do
    ok "rdc=$mode" "$nvcc" -rdc=$mode launch.cu -o launch
    ok "rdc=$mode runs" env HEDDLE_DEVICE=cpu ./launch
    text launch
    ok "rdc=$mode: launches" [ "$(defined __cudaCDP2LaunchDevice)" != 0 ]
    ok "rdc=$mode: no copies" [ "$(defined __cudaCDP2MemcpyAsync)" = 0 ]
    ok "rdc=$mode: no texts of errors" [ "$(defined __cudaCDP2GetErrorName)" = 0 ]
    ok "rdc=$mode: NVIDIA's assembler" assembled
done
ok "copies" "$nvcc" -rdc=true -DCOPIES launch.cu -lcudadevrt -o copies
ok "copies run" env HEDDLE_DEVICE=cpu ./copies
text copies
ok "copies are there" [ "$(defined __cudaCDP2MemcpyAsync)" != 0 -a "$(defined __cudaCDP2GetErrorName)" != 0 ]
ok "copies: NVIDIA's assembler" assembled
ok "none" "$nvcc" -cudadevrt none launch.cu -o none
ok "none runs on our driver" env HEDDLE_DEVICE=cpu ./none
text none
ok "none: nothing is added" [ "$(defined __cudaCDP2LaunchDevice)" = 0 ]
ok "plain" "$nvcc" -rdc=true plain.cu -lcudadevrt -o plain
text plain
ok "plain: nothing is added" sh -c '! grep -q CDP2 text.ptx'
ok "by hand" sh -c "'$nvcc' -dc launch.cu -o launch.o && '$bin/nvlink' -arch=sm_90 launch.o -o launch.cubin"

# ---- directives of newer PTX
cat >sizes.cu <<'X'
__global__ void __block_size__((64, 2, 1)) blocks(int *out) { out[threadIdx.x] = 1; }
__global__ void __cluster_dims__(2, 1, 1) clusters(int *out) { out[threadIdx.x] = 1; }
int main() { return 0; }
X
ok "sizes" "$nvcc" -arch=sm_90 sizes.cu -o sizes
text sizes
ok "sizes: NVIDIA's assembler" assembled

# ---- managed variables: a unit without device code reaches those of another
cat >one.cu <<'X'
__managed__ int shared_word = 3;
static __managed__ int table[4] = {1, 2, 3, 4};
int *entry = &table[2];
__global__ void add() { shared_word += table[2]; }
void launch() { add<<<1, 1>>>(); cudaDeviceSynchronize(); }
X
cat >two.cu <<'X'
extern __managed__ int shared_word;
extern int *entry;
void launch();
int main()
{
    *entry = 40;
    launch();
    int *volatile p = &shared_word;
    return *p != 43 || shared_word != 43;
}
X
ok "managed" sh -c "'$nvcc' -rdc=true one.cu two.cu -o managed 2>&1 | (! grep .)"
ok "managed runs" env HEDDLE_DEVICE=cpu ./managed
ok "managed objects" "$nvcc" -dc -g two.cu -o two.o
ok "through pointers" sh -c 'nm two.o | grep -q " U shared_word.managed"'
ok "managed, PIC" "$nvcc" -dc -Xcompiler -fPIC one.cu -o one.o
clean gpu
finish
