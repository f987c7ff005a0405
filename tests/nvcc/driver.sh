#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the driver does beside compiling: files that are kept, removed and named, times, several passes at once, warnings of its
# own, the host compiler, programs that it runs, precompiled headers.
. "$2/check.sh"
export HEDDLE_CACHE_DIR="$work/cache"

cat >k.cu <<'Y'
#include <cstdio>
#ifdef SHADOW
#include "shadow.h"
#endif
__device__ int helper(int x) { return x + 1; }
__global__ void first(int *p) { *p = helper(*p); }
__global__ void second(int *p) { *p = 7; }
#ifndef NO_MAIN
int main(int argc, char **argv)
{
    int *p, v = 0;
    cudaMallocManaged(&p, 4);
    *p = 41;
    first<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    v = *p;
    for (int i = 1; i < argc; i++)
        printf("[%s]", argv[i]);
    printf("answer %d\n", v);
    return v == 42 ? argc - 1 : 100;
}
#endif
Y
echo 'int helper_c(void) { return 3; }' >c.c
entries() { grep -c '\.entry' "$1"; }

# -run
says run 'answer 42' "$nvcc" -run k.cu -o k
status=0
"$nvcc" -run -run-args 'one,two three' k.cu -o k >run.log 2>&1 || status=$?
ok run_status test "$status" = 3
says run_args '\[one\]\[two\]\[three\]' cat run.log
says run_program 'answer 42' "$nvcc" -run k

# -o -
says stdout_ptx 'visible .entry' "$nvcc" -ptx k.cu -o -
says stdout_preprocessed '__attribute__((global)) void first' "$nvcc" -E k.cu -o -
fails stdout_object 'standard output' "$nvcc" -c k.cu -o -
ok dash_fatbin "$nvcc" -fatbin k.cu -o -
ok dash_fatbin_file test -s ./-
rm -f ./-

# A link is written to and stays: compilers replace it, and with root's rights /dev/stdout would be gone.
link() { # NAME ARGUMENTS...: nvcc with them
    name=$1
    shift
    rm -f link behind
    : >behind
    ln -s behind link
    ok "link $name" "$nvcc" "$@"
    ok "link $name stays" test -L link -a -s behind
}
link -E -E k.cu -o link
link -M -M k.cu -o link
link -c -c k.cu -o link
link -ptx -ptx k.cu -o link
link -dlink -dlink k.cu -o link
link emulated -deviceemu -c k.cu -o link
link rule -c k.cu -o l.o -MD -MF link
says rule_to_pipe 'l.o:.*k.cu' sh -c "'$nvcc' -c k.cu -o l.o -MD -MF /dev/stdout | tr -d '\\\\\n'"

# Files in between
ok keep "$nvcc" -keep -keep-dir kept -c k.cu -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80
ok keep_files test -s kept/k.compute_75.ptx -a -s kept/k.compute_80.ptx -a -s kept/k.fatbin
ok keep_dir_alone "$nvcc" -keep-dir unused -c k.cu
ok keep_dir_alone_unused test ! -e unused
mkdir objects
ok obj_temp env TMPDIR=/nonexistent "$nvcc" -objtemp -c k.cu -o objects/k.o
ok obj_temp_files test "$(ls -A objects)" = k.o
ok clean_objects "$nvcc" -c k.cu c.c
ok clean_targets "$nvcc" -clean -c k.cu c.c
ok clean_gone test ! -e k.o -a ! -e c.o -a -e k.cu
ok clean_program "$nvcc" -clean k.cu -o k
ok clean_program_gone test ! -e k
ok dryrun "$nvcc" -dryrun -c k.cu -o never.o
ok dryrun_nothing test ! -e never.o

# Times
ok time "$nvcc" --time times.csv -c k.cu
says time_head '^source file name , phase name , phase input files , phase output file , arch , tool, metric , unit$' cat times.csv
says time_device 'k.cu , clang (device) .* compute_75 , nvcc , [0-9.]* , ms' cat times.csv
says time_driver 'nvcc (driver)' cat times.csv
ok time_again "$nvcc" --time times.csv -c k.cu
ok time_one_head test "$(grep -c 'source file name' times.csv)" = 1
says time_stdout 'clang (host)' "$nvcc" --time=- -c k.cu
ok time_trace "$nvcc" -fdevice-time-trace=trace.json -c k.cu
says time_trace_file 'traceEvents' cat trace.json

# Dependencies
ok md "$nvcc" -MD -c k.cu -o objects/k.o
says md_target '^objects/k.o:' cat objects/k.d
says md_source 'k.cu' cat objects/k.d
says md_header 'cuda_runtime.h' cat objects/k.d
ok md_no_prelude sh -c '! grep -q prelude objects/k.d'
ok mmd "$nvcc" -MMD -MP -MF rule -MT target -c k.cu
ok mmd_rule test "$(head -n 1 rule)" = 'target: k.cu'
# The rule does not show where a line with the prelude's path was broken.
long=target_with_a_name_that_is_forty_letters
ok mmd_long "$nvcc" -MMD -MF rule -MT $long -c k.cu
ok mmd_long_rule test "$(cat rule)" = "$long: k.cu"
ok mmd_long_ptx "$nvcc" -MMD -MF rule -MT $long$long -ptx k.cu
ok mmd_long_ptx_rule test "$(cat rule)" = "$long$long: k.cu"
ok mmd_again "$nvcc" -MMD -MP -MF rule -MT target -c k.cu
ok mmd_make sh -c 'printf "target:\n\t@echo made\ninclude rule\n" >makefile && make -s target | grep -q made'
ok md_ptx "$nvcc" -MMD -ptx k.cu -o objects/k.ptx
says md_ptx_rule '^objects/k.ptx:' cat objects/k.d
ok m_file "$nvcc" -M -MF m.d k.cu
says m_file_rule '^k.o:' cat m.d
says m_odir '^objects/k.o:' "$nvcc" -MM -odir objects k.cu
fails md_preprocess "do not go with '-E'" "$nvcc" -MD -E k.cu

# Passes at once, targets
ok threads "$nvcc" -t 0 -c k.cu -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
ok all_major "$nvcc" -t2 -arch=all-major -c k.cu
ok suffix_a "$nvcc" -arch=sm_90a -ptx k.cu -o a.ptx
says suffix_a_target '^.target sm_90a' cat a.ptx
ok entries "$nvcc" -e _Z6secondPi -ptx k.cu -o e.ptx
ok entries_one test "$(entries e.ptx)" = 1
says entries_right 'entry _Z6secondPi' cat e.ptx
ok syntax_only "$nvcc" -fdevice-syntax-only -c k.cu -o s.o
fails syntax_only_error 'error' "$nvcc" -fdevice-syntax-only -Dhelper=1 -c k.cu -o s.o
ok quick "$nvcc" -Ofc=max -c k.cu
ok interleaved "$nvcc" -lineinfo -src-in-ptx -ptx k.cu -o i.ptx
says interleaved_line '// .*k.cu:7 __global__ void second' cat i.ptx
ok fatbin_size "$nvcc" -compress-mode=size -fatbin k.cu -o z.fatbin
ok fatbin_none "$nvcc" -compress-mode=none -fatbin k.cu -o n.fatbin
ok fatbin_smaller test "$(wc -c <z.fatbin)" -lt "$(wc -c <n.fatbin)"
says compressed_runs 'answer 42' "$nvcc" -compress-mode=size -run k.cu -o k
says compressed_runs_lz4 'answer 42' "$nvcc" -compress-mode=speed -run k.cu -o k
ok seed "$nvcc" -frandom-seed=7 -c k.cu -o s1.o
ok seed_again sh -c "mkdir -p elsewhere && cp k.cu elsewhere && '$nvcc' -frandom-seed=7 -c elsewhere/k.cu -o s2.o"
# Without the library that a sanitizer build's nvcc links: -r takes none that is shared.
ok relocatable_link env NVCC_APPEND_FLAGS= "$nvcc" -r -DNO_MAIN k.cu c.c -o joined.o
says relocatable_both 'helper_c' nm joined.o
ok archiver "$nvcc" -lib -arbin ar -DNO_MAIN k.cu c.c -o l.a
ok dlto "$nvcc" -dlto -arch=sm_80 k.cu -o k

printf 'extern __device__ int twice(int);\n__global__ void k(int *p) { *p = twice(*p); }\nint main() { }\n' >r1.cu
printf '__device__ int twice(int x) { return 2 * x; }\n' >r2.cu
says nvlink_verbose 'Used [0-9]* registers' "$nvcc" -rdc=true -Xnvlink -v r1.cu r2.cu -o r

# Warnings of the driver's own
says warn_stream "k.cu:14: warning: the launch names no stream" "$nvcc" -Wdefault-stream-launch -c k.cu
fails error_stream "k.cu:14: error: the launch names no stream" "$nvcc" -Werror default-stream-launch -c k.cu
says warn_bounds "k.cu:6: warning: the kernel has no __launch_bounds__" "$nvcc" -Wmissing-launch-bounds -c k.cu
fails error_bounds "k.cu:7: error: the kernel has no" "$nvcc" -Werror=missing-launch-bounds -c k.cu
echo '__global__ void __launch_bounds__(32) k() {} int main() { k<<<1, 1, 0, cudaStreamPerThread>>>(); }' >fine.cu
ok no_warning sh -c "'$nvcc' -Wdefault-stream-launch -Wmissing-launch-bounds -Werror all-warnings -c fine.cu"
echo 'struct s { int a, b; s() : b(1), a(2) {} }; __attribute__((deprecated)) void old(); void f() { old(); s x; (void)x; }' >w.cu
says warn_reorder 'Wreorder' "$nvcc" -Wreorder -c w.cu
fails error_reorder 'error:.*Werror.*reorder' "$nvcc" -Werror reorder -c w.cu
fails error_deprecated 'error:.*deprecated' "$nvcc" -Werror=deprecated-declarations -c w.cu
ok no_deprecated sh -c "'$nvcc' -Wno-deprecated-declarations -Werror all-warnings -Xcompiler -Wno-reorder -c w.cu"
ok diag_suppress sh -c "'$nvcc' -diag-suppress 1444 -Xcompiler -Wno-reorder -Werror all-warnings -c w.cu"
fails diag_error 'error' "$nvcc" -diag-error=1444 -c w.cu
ok cudafe_suppress sh -c "'$nvcc' -Xcudafe --diag_suppress=1444 -Xcompiler -Wno-reorder -Werror all-warnings -c w.cu"
ok no_warnings sh -c "test -z \"\$('$nvcc' -w -c w.cu 2>&1)\""
fails ptxas_option "the assembler has no such option" "$nvcc" -Xptxas -nonsense -c k.cu
ok ptxas_options "$nvcc" -Xptxas -O3,-dlcm=ca,--warn-on-spills -c k.cu
says inline_report 'inlined into' "$nvcc" -opt-info inline -c k.cu

# The host compiler
for cc in g++ gcc g++-12 g++-13 g++-14 clang++; do
    command -v $cc >/dev/null || continue
    says "ccbin $cc" 'answer 42' "$nvcc" -ccbin $cc -run k.cu c.c -o k
done
says ccbin_folder 'answer 42' "$nvcc" -ccbin "$(dirname "$(command -v g++)")" -run k.cu -o k
says ccbin_env 'g++' env NVCC_CCBIN=g++ "$nvcc" -dryrun k.cu c.c
ok ccbin_gcc_library sh -c "'$nvcc' -v -ccbin g++ -c k.cu 2>&1 | grep -q gcc-install-dir"

# Precompiled headers: taken where nothing that they hang on is touched, made anew when a header changes.
taken() { "$nvcc" -v "$@" -c k.cu -o p.o 2>&1 | grep -c -e -include-pch; }
ok pch_taken test "$(taken)" = 2
ok pch_mask test "$(umask 002 && HEDDLE_CACHE_DIR=$work/cache_of_group taken)" = 2
ok pch_macro test "$(taken -DMY_OWN_MACRO=3)" = 2
mkdir plain shadow
echo >plain/shadow.h
ok pch_folder test "$(taken -DSHADOW -Iplain)" = 2
ok pch_name test "$(taken -DM_PI=3)" = 0
printf '#include_next <math.h>\n#define FROM_SHADOW 1\n' >shadow/math.h
ok pch_shadow test "$(taken -Ishadow)" = 0
ok pch_own_set test "$(taken -D_MY_RESERVED=1)" = 2
ok pch_other_options test "$(taken -O0 -g -std=c++20 -rdc=true)" = 2
for f in "$work"/cache/pch/*.pch; do # one that is broken is not noticed
    head -c 1000 "$f" >t && mv t "$f"
done
ok pch_broken "$nvcc" -c k.cu -o p.o
ok pch_after test "$(taken)" = 2
says no_cache 'answer 42' env HEDDLE_CACHE=0 "$nvcc" -run k.cu -o k
clean driver
finish
