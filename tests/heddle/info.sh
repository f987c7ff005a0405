# SPDX-License-Identifier: Apache-2.0
# info.sh NVCC FOLDER: what heddle info tells of programs, objects, PTX and what is none; that the first hour's mistakes are explained: an SDK that was
# moved, headers and libraries that are not here or were not named; that heddle bench measures.
. "$2/../nvcc/check.sh"
heddle=$(dirname "$nvcc")/heddle
export HEDDLE_CACHE_DIR="$work/cache"

info() { # NAME STATUS TEXT FILE...
    check=$1 status=$2 text=$3
    shift 3
    "$heddle" info "$@" >out 2>&1
    ok "$check: exit status" [ $? = "$status" ]
    ok "$check" grep -q -e "$text" out
}
cat >two.cu <<'END'
__device__ float other(float);
__global__ void one(float *p) { __shared__ float s[64]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[63 - threadIdx.x]; }
#ifdef EXTERNAL
__global__ void two(float *p) { *p = other(*p); }
#endif
int main() { one<<<1, 64>>>(nullptr); }
END
"$nvcc" two.cu -o two
"$nvcc" -rdc=true -DEXTERNAL -c two.cu -o two.o
"$nvcc" -ptx two.cu -o two.ptx
info program 0 'runs *_Z3onePf: .* 256 bytes shared' two
info 'program: its PTX' 0 'this is what runs' two
info object 0 'not yet linked _Z3twoPf' two.o
info ptx 0 'kernels that run here: 1, refused: 0' two.ptx
info source 0 'runs *_Z3onePf' two.cu
printf '.version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry good() { ret; }\n.visible .entry bad() {\n.shared .b32 a;\n%s\nret;\n}\n' \
    'tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [a], 32;' >bad.ptx
info refused 1 'REFUSED *bad:' bad.ptx
info 'refused: why' 1 "bad:7:1: not supported: .*'tcgen05.alloc" bad.ptx
info 'refused: the other runs' 1 'kernels that run here: 1, refused: 1' bad.ptx
echo junk >junk
info junk 1 'it is not valid PTX' junk
info 'no device code' 0 'no device code' "$(command -v sh)"
info 'no file' 2 'nothing cannot be read' nothing

# Programs whose SDK is gone say where they looked.
printf '#include <cuda_runtime.h>\nint main() { int n; return cudaGetDeviceCount(&n) == 0; }\n' >count.cu
"$nvcc" count.cu -o count
LC_ALL=C sed "s,$(realpath "$(dirname "$nvcc")/..")/lib64,$(realpath "$(dirname "$nvcc")/..")/lib63,g" count >count2
chmod +x count2
says 'moved SDK' '/lib63, where the program.s SDK was' env HEDDLE_DEVICE=cpu LD_LIBRARY_PATH= sh -c './count2 2>&1; true'

# Hints.
printf '#include <cusparseLt_none.h>\nint main() {}\n' >header.cu
fails 'a header that is not here' 'hint .*cusparseLt_none.h belongs to cuSPARSELt' "$nvcc" header.cu -o out
fails 'a library that is not here' 'hint .*nvshmem_none belongs to NVSHMEM' "$nvcc" two.cu -lnvshmem_none -o out
printf '#include <cublas_v2.h>\nint main() { cublasHandle_t h; return cublasCreate(&h); }\n' >named.cu
fails 'a library that was not named' 'hint .*cublasCreate_v2 link with -lcublas$' "$nvcc" named.cu -o out
printf 'extern "C" int fftw_none(); int main() { return fftw_none(); }\n' >plain.cu
fails 'the message itself stays' 'undefined' "$nvcc" plain.cu -o out

# In an emulator it takes minutes.
[ -n "$HEDDLE_TEST_BRIEF" ] || says bench 'multiply-adds of floats' "$heddle" bench
says 'bench --help' '^Usage: heddle bench' "$heddle" bench --help
says 'info --help' 'exit status is 1' "$heddle" info --help
finish
