#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cli.sh SDK SOURCES FOLDER: options of ncu: what is chosen, pages, files, exit statuses, errors in the command line.
sdk=$1 sources=$2 folder=$3
tool=$sdk/bin/ncu
mkdir -p "$folder"
export HEDDLE_CACHE_DIR=$folder/cache HEDDLE_THREADS=2
mkdir -p -m 700 "$HEDDLE_CACHE_DIR"
passed=0 failed=0
is() { # WHAT STATUS TEXT COMMAND...: the status, and the text in what it prints; of a text that begins with !, that it is not there
    local what=$1 status=$2 text=$3 out good
    shift 3
    out=$("$@" 2>&1 </dev/null)
    local got=$?
    case $text in
    !*) [[ $out != *"${text:1}"* ]] && good=1 ;;
    *) [[ $out == *"$text"* ]] && good=1 ;;
    esac
    if [ $got != "$status" ] || [ -z "$good" ]; then
        echo "$what: status $got, $status expected; '$text' expected in:"
        echo "$out" | head -n 40
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

is help 0 "--launch-skip" "$tool" --help
is version 0 "ncu of Heddle" "$tool" --version
is sections 0 "SourceCounters" "$tool" --list-sections
is query 0 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum" "$tool" --query-metrics
is none 1 "No program is given" "$tool"
is unknown 1 "'--nothing' is no option" "$tool" --nothing true
is value 1 "--page does not take 'paper'" "$tool" --page paper true
is metric 1 "Failed to find metric no__such" "$tool" --metrics no__such.sum true
is section 1 "Failed to find section 'Nothing'" "$tool" --section Nothing true
is refused 1 "--nvtx is not supported" "$tool" --nvtx true
is absent 127 "not found" "$tool" "$folder/absent"
is no_kernels 0 "No kernels were profiled" "$tool" true
is status 3 "No kernels were profiled" "$tool" bash -c 'exit 3'

cat >"$folder/cli.cu" <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void first(float *p)
{
    p[threadIdx.x] += 1;
}
template <class T> __global__ void second(T *p)
{
    p[threadIdx.x] *= 2;
}
int main(int argc, char **argv)
{
    float *p;
    cudaMalloc(&p, 4096);
    first<<<1, 32>>>(p);
    second<float><<<1, 64>>>(p);
    first<<<2, 32>>>(p);
    cudaDeviceSynchronize();
    printf("the program's own\n");
    return argc > 1 ? atoi(argv[1]) : 0;
}
END
"$sdk/bin/nvcc" -std=c++17 -lineinfo -arch=sm_90 "$folder/cli.cu" -o "$folder/cli" || exit 1
program=$folder/cli
is own_output 0 "the program's own" "$tool" "$program"
is own_status 5 "the program's own" "$tool" "$program" 5
is progress 0 '==PROF== Profiling "second" - 1: 0%....50%....100% - 1 pass' "$tool" "$program"
is connected 0 "==PROF== Connected to process" "$tool" "$program"
is quiet 0 "!==PROF==" "$tool" --quiet "$program"
is title 0 "void second<float>(float*) (1, 1, 1)x(64, 1, 1), Context 1, Stream 7, Device 0, CC 9.0" "$tool" "$program"
is by_name 0 "!second" "$tool" -k first "$program"
is by_expression 0 "!first" "$tool" -k "regex:^sec" "$program"
is skip 0 "!second" "$tool" -s 2 "$program"
is count 0 "!second" "$tool" -c 1 "$program"
is one_section 0 "!Launch Statistics" "$tool" --section Occupancy "$program"
is own_metrics 0 "Section: Command line profiler metrics" "$tool" --metrics smsp__warps_launched.sum "$program"
is basic 0 "!Instruction Statistics" "$tool" --set basic "$program"
is csv 0 '"Command line profiler metrics","smsp__warps_launched.sum","warp","2"' "$tool" --csv --metrics smsp__warps_launched "$program"
is raw 0 '"smsp__warps_launched.sum"' "$tool" --csv --page raw "$program"
is function_names 0 '"second"' "$tool" --csv --print-kernel-base function "$program"
is summary 0 "first(float*), Invocations: 2" "$tool" --print-summary per-kernel "$program"
is source 0 "p[threadIdx.x] *= 2;" "$tool" --page source "$program"
is source_ptx 0 "ld.global" "$tool" --page source --print-source ptx "$program"
is children 0 '"second"' "$tool" bash -c "$program; true"
is no_children 0 "No kernels were profiled" "$tool" --target-processes application-only bash -c "$program; true"

# Each launch's own stream, that of a graph's launch too.
cat >"$folder/streams.cu" <<'END'
#include <cstdio>
__global__ void k(int *p) { ++*p; }
int main()
{
    int *p;
    cudaStream_t s[2];
    cudaGraph_t g;
    cudaGraphExec_t e;
    unsigned long long id[2];
    cudaMalloc(&p, 4);
    for (int i = 0; i < 2; i++) {
        cudaStreamCreate(&s[i]);
        cudaStreamGetId(s[i], &id[i]);
    }
    k<<<2, 1, 0, s[0]>>>(p);
    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);
    k<<<3, 1, 0, s[0]>>>(p);
    cudaStreamEndCapture(s[0], &g);
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, s[1]);
    k<<<4, 1>>>(p);
    cudaDeviceSynchronize();
    printf("ids %d\n", id[0] == 8 && id[1] == 9);
    return 0;
}
END
"$sdk/bin/nvcc" "$folder/streams.cu" -o "$folder/streams" || exit 1
is streams_ids 0 "ids 1" "$tool" "$folder/streams"
is stream 0 "k(int*) (2, 1, 1)x(1, 1, 1), Context 1, Stream 8, Device 0" "$tool" "$folder/streams"
is stream_graph 0 "k(int*) (3, 1, 1)x(1, 1, 1), Context 1, Stream 9, Device 0" "$tool" "$folder/streams"
is stream_default 0 "k(int*) (4, 1, 1)x(1, 1, 1), Context 1, Stream 7, Device 0" "$tool" "$folder/streams"
is stream_csv 0 '"k(int*)","1","9","(1, 1, 1)","(3, 1, 1)"' "$tool" --csv --metrics smsp__warps_launched.sum "$folder/streams"

# A kernel of a library, between two of the program.
cat >"$folder/native.cu" <<'END'
#include <cublas_v2.h>
__global__ void fill(float *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main()
{
    const float one = 1;
    cublasHandle_t h;
    float *p;
    cudaMalloc(&p, 3 * 4096);
    cublasCreate(&h);
    fill<<<32, 96>>>(p);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 32, 32, 32, &one, p, 32, p + 1024, 32, &one, p + 2048, 32);
    fill<<<32, 96>>>(p);
    cudaError_t e = cudaDeviceSynchronize();
    cublasDestroy(h);
    return e;
}
END
"$sdk/bin/nvcc" -std=c++17 -arch=sm_90 "$folder/native.cu" -o "$folder/native" -lcublas || exit 1
native=$folder/native
is native 0 "A library's own kernel: it has no PTX" "$tool" "$native"
is native_progress 0 '==PROF== Profiling "cublas_Sgemm" - 1' "$tool" "$native"
is native_between 0 '==PROF== Profiling "fill" - 2' "$tool" "$native"
is native_value 0 '"Native Kernel","heddle__native","","1"' "$tool" --csv "$native"
is native_unknown 0 '"n/a"' "$tool" --csv --page raw "$native"
is native_chosen 0 "!fill" "$tool" -k regex:gemm "$native"
is native_skipped 0 "!cublas" "$tool" -k fill "$native"
is native_limit 0 "!cublas" "$tool" -c 1 "$native"
is native_summary 0 "n/a" "$tool" --print-summary per-kernel "$native"
is native_source 0 "A library's own kernel" "$tool" --page source "$native"
is native_html 0 "" "$tool" --html "$folder/native.html" "$native"
is native_html_has 0 "A library's own kernel" cat "$folder/native.html"
rm -f "$folder/saved.heddle-ncu"
is export 0 "==PROF== Report: $folder/saved.heddle-ncu" "$tool" -o "$folder/saved" "$program"
is export_again 1 "Use --force-overwrite" "$tool" -o "$folder/saved" "$program"
is export_force 0 "Report" "$tool" -f -o "$folder/saved" "$program"
is import 0 "void second<float>(float*) (1, 1, 1)x(64, 1, 1)" "$tool" --import "$folder/saved.heddle-ncu"
is import_other 1 "is no file that --export has written" "$tool" --import "$folder/cli.cu"
head -c 3000 "$folder/saved.heddle-ncu" >"$folder/short.heddle-ncu"
is import_short 1 "is no file that --export has written" "$tool" --import "$folder/short.heddle-ncu"
is log_file 0 "!Occupancy" "$tool" --log-file "$folder/log" "$program"
is log_has 0 "Theoretical Occupancy" cat "$folder/log"
is html 0 "" "$tool" --html "$folder/page.html" "$program"
is html_lines 0 "p[threadIdx.x] *= 2;" cat "$folder/page.html"
is html_chart 0 "<svg" cat "$folder/page.html"
is html_alone 0 "!http://" cat "$folder/page.html"
is html_whole 0 "</html>" cat "$folder/page.html"
echo "cli: $passed passed, $failed failed"
[ $failed = 0 ]
