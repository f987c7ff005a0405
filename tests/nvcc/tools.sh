#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tools beside nvcc: ptxas, fatbinary, nvlink, cuobjdump, nvdisasm, nvprune, cu++filt, bin2c; with files of our own and, where NVIDIA's toolkit is
# installed, with those that it makes.
. "$2/check.sh"
bin=$(dirname "$nvcc")
broken=$3
oracle=/usr/local/cuda/bin
theirs() { # PROGRAM ARGUMENT...: one of NVIDIA's, which may leave files behind
    program=$1
    shift
    TMPDIR=$work "$oracle/$program" "$@"
}

cat >k.cu <<'Y'
__constant__ int c[4];
__global__ void first(int *p) { __shared__ int s[32]; s[threadIdx.x] = c[1]; __syncthreads(); *p = s[31 - threadIdx.x]; }
__global__ void second(double *p) { *p *= 2; }
int main() { first<<<1, 32>>>(0); second<<<1, 1>>>(0); return 0; }
Y
printf 'extern __device__ int twice(int);\n__global__ void k(int *p) { *p = twice(*p); }\n' >r1.cu
printf '__device__ int twice(int x) { return 2 * x; }\n' >r2.cu
cat >bad.ptx <<'Y'
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<3>;
  add.s32 %r1, %r2;
  ret;
}
Y
for t in ptxas fatbinary nvlink cuobjdump nvdisasm nvprune bin2c; do
    says "$t version" 'release 13.0, V13.0.' "$bin/$t" --version
    says "$t help" 'options-file' "$bin/$t" --help
    fails "$t unknown" "$t fatal   : unknown option '--nonsense'" "$bin/$t" --nonsense x
    fails "$t no input" "$t fatal   : " "$bin/$t"
done

# ptxas
ok make_ptx "$nvcc" -ptx -arch=sm_80 k.cu
ok ptxas "$bin/ptxas" -arch=sm_80 -m64 -O3 k.ptx -o k.cubin
says ptxas_verbose 'Used [0-9]* registers, used 1 barriers, 128 bytes smem' "$bin/ptxas" -v --gpu-name=sm_80 k.ptx -o k.cubin
says ptxas_cubin 'first' "$bin/cuobjdump" -ptx k.cubin
fails ptxas_old 'above sm_75' "$bin/ptxas" -arch=sm_75 k.ptx -o old.cubin
ok ptxas_old_no_output test ! -e old.cubin
fails ptxas_bad 'ptxas bad.ptx, line 7; error   :' "$bin/ptxas" -arch=sm_80 bad.ptx -o bad.cubin
ok ptxas_bad_no_output test ! -e bad.cubin
fails ptxas_missing 'none.ptx' "$bin/ptxas" -arch=sm_80 none.ptx
fails ptxas_folder 'cannot be written' "$bin/ptxas" -arch=sm_80 k.ptx -o none/k.cubin
fails ptxas_full 'cannot be written' "$bin/ptxas" -arch=sm_80 k.ptx -o /dev/full
ok full_stays test -c /dev/full
fails ptxas_target 'is no target' "$bin/ptxas" -arch=sm_1 k.ptx
fails ptxas_refused "option '--sanitize' is not supported" "$bin/ptxas" --sanitize=memcheck k.ptx
ok ptxas_entry "$bin/ptxas" -arch=sm_80 -e _Z5firstPi k.ptx -o one.cubin
ok ptxas_entry_one test "$("$bin/cuobjdump" -ptx one.cubin | grep -c '\.entry')" = 1
says ptxas_double 'warning *: double precision' "$bin/ptxas" -arch=sm_80 -warn-double-usage k.ptx -o w.cubin
fails ptxas_werror 'treated as errors' "$bin/ptxas" -arch=sm_80 -warn-double-usage -Werror k.ptx -o e.cubin
ok ptxas_string "$bin/ptxas" -arch=sm_80 -ias "$(cat k.ptx)" -o s.cubin
ok make_dc "$nvcc" -rdc=true -ptx r1.cu -o r1.ptx
fails ptxas_open 'twice' "$bin/ptxas" r1.ptx -o r1.cubin
ok ptxas_open_c "$bin/ptxas" -c r1.ptx -o r1.cubin
if [ -x "$oracle/ptxas" ]; then
    "$oracle/ptxas" --help | sed -n 's/^--\([A-Za-z0-9_-]*\).*(-\([A-Za-z0-9_-]*\).*/--\1/p' | sort >theirs
    "$bin/ptxas" --help | sed -n 's/^  \(--[A-Za-z0-9_-]*\).*/\1/p' | sort >ours
    comm -23 theirs ours >lacking
    ok "ptxas options: $(tr '\n' ' ' <lacking)" test ! -s lacking -a -s theirs
    for t in fatbinary nvlink bin2c; do
        "$oracle/$t" --help | sed -n 's/^\(--[A-Za-z0-9_-]*\).*/\1/p' | sort >theirs
        "$bin/$t" --help | sed -n 's/^  \(--[A-Za-z0-9_-]*\).*/\1/p' | sort >ours
        comm -23 theirs ours >lacking
        ok "$t options: $(tr '\n' ' ' <lacking)" test ! -s lacking -a -s theirs
    done
fi

# fatbinary
ok fatbinary "$bin/fatbinary" --create=f.fatbin -64 --cmdline="-v" --image3=kind=elf,sm=80,file=k.cubin \
    "--image3=kind=ptx,sm=80,file=k.ptx" --image=profile=compute_80,file=k.ptx
ok fatbinary_entries test "$("$bin/cuobjdump" -lptx f.fatbin | grep -c 'PTX file')" = 3
ok fatbinary_packed "$bin/fatbinary" --create=p.fatbin -compress-mode=size --image3=kind=ptx,sm=80,file=k.ptx
says fatbinary_compressed '^compressed$' "$bin/cuobjdump" p.fatbin
says fatbinary_unpacked 'entry _Z5firstPi' "$bin/cuobjdump" -ptx p.fatbin
ok fatbinary_smaller test "$(wc -c <p.fatbin)" -lt "$(wc -c <k.ptx)"
ok fatbinary_source "$bin/fatbinary" --embedded-fatbin=e.c --image3=kind=ptx,sm=80,file=k.ptx
ok fatbinary_compiles "$nvcc" -c e.c -o e.o
says fatbinary_embedded 'entry _Z6secondPd' "$bin/cuobjdump" -ptx e.o
fails fatbinary_kind 'not understood' "$bin/fatbinary" --create=x --image3=kind=what,sm=80,file=k.ptx
fails fatbinary_file 'none' "$bin/fatbinary" --create=x --image3=kind=ptx,sm=80,file=none
fails fatbinary_text 'no PTX' "$bin/fatbinary" --create=x --image3=kind=ptx,sm=80,file=k.cu
fails fatbinary_nothing 'no images' "$bin/fatbinary" --create=x
ok fatbinary_no_output test ! -e x

# cuobjdump on what nvcc makes
ok make_program "$nvcc" k.cu -o k -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=compute_90
says list_ptx 'PTX file    2: k.2.sm_90.ptx' "$bin/cuobjdump" -lptx k
says head 'arch = sm_75' "$bin/cuobjdump" k
says dump 'entry _Z5firstPi' "$bin/cuobjdump" -ptx k
ok dump_two test "$("$bin/cuobjdump" -ptx k | grep -c 'entry _Z5firstPi')" = 2
ok dump_arch test "$("$bin/cuobjdump" -ptx -arch=sm_90 k | grep -c 'entry _Z5firstPi')" = 1
ok dump_function test "$("$bin/cuobjdump" -ptx -arch=sm_90 -fun _Z6secondPd k | grep -c '\.entry')" = 1
says usage 'Used [0-9]* registers' "$bin/cuobjdump" -res-usage k
mkdir out
ok extract sh -c "cd out && '$bin/cuobjdump' -xptx all ../k"
says extracted 'target sm_90' cat out/k.2.sm_90.ptx
ok extract_one sh -c "cd out && '$bin/cuobjdump' -xptx 1.sm_75 ../e.o ../k"
# Several fat binaries in a program, aligned as NVIDIA's compiler does it on AArch64: the linker leaves zeros between them.
sed 's/first/third/g; s/second/fourth/g; s/main/other/; s/c\[/d[/g' k.cu >k2.cu
ok make_aligned "$nvcc" -c k.cu k2.cu
ok align objcopy --set-section-alignment .nv_fatbin=256 k.o
ok align2 objcopy --set-section-alignment .nv_fatbin=256 k2.o
ok link_aligned "$nvcc" k.o k2.o -o aligned
ok aligned test "$("$bin/cuobjdump" -lptx aligned | grep -c 'PTX file')" = 2
says aligned_second 'entry _Z5thirdPi' "$bin/cuobjdump" -ptx aligned
ok make_dc_objects "$nvcc" -dc r1.cu r2.cu
ok archive ar rcs r.a r1.o r2.o
says object_rdc 'func.*twice' "$bin/cuobjdump" -ptx r2.o
says archive_ptx 'PTX file    2' "$bin/cuobjdump" -lptx r.a
says none 'no device code' "$bin/cuobjdump" k.cu
fails sass "option '-sass' is not supported" "$bin/cuobjdump" -sass k
head -c 300 k.cubin >cut.cubin
fails damaged 'cuobjdump' "$bin/cuobjdump" -ptx cut.cubin

# nvlink
ok nvlink "$bin/nvlink" -arch=sm_75 -m64 r1.o r2.o -o l.cubin --register-link-binaries=reg.c
says nvlink_ptx 'func.*twice' "$bin/cuobjdump" -ptx l.cubin
says nvlink_names 'DEFINE_REGISTER_FUNC(' cat reg.c
ok nvlink_archive "$bin/nvlink" -arch=sm_75 -L. r1.o -lr2 r2.o -o l2.cubin
fails nvlink_open 'defined nowhere' "$bin/nvlink" -arch=sm_75 r1.o -o open.cubin
ok nvlink_no_output test ! -e open.cubin
says nvlink_emit 'target sm_75' sh -c "'$bin/nvlink' -arch=sm_75 -emit-ptx r1.o r2.o -o - "
fails nvlink_arch '-arch is needed' "$bin/nvlink" r1.o

# bin2c
printf 'ab\n' >three
says bin2c '0x61,0x62,0x0a' "$bin/bin2c" three
says bin2c_int '0x000a6261' "$bin/bin2c" -t int -n foo -c -st -p 0 three
"$bin/bin2c" -n foo -c -l -a 8 three >b.c
ok bin2c_compiles "$nvcc" -c b.c
if [ -x "$oracle/bin2c" ]; then
    for o in '' '-t short' '-t int -n x -c -st' '-t longlong -p 0,1,2'; do
        "$bin/bin2c" $o three | tr -d ' \n' >ours
        "$oracle/bin2c" $o three | tr -d ' \n' >theirs
        ok "bin2c same: $o" cmp ours theirs
    done
fi

# cu++filt
says filt_version 'release 13.0' "$bin/cu++filt" --version
says filt_help 'strip-underscore' "$bin/cu++filt" --help
fails filt_unknown "unknown option '--nonsense'" "$bin/cu++filt" --nonsense
filt() { # EXPECTED ARGUMENT...
    wanted=$1
    shift
    ok "filt: $wanted" test "$("$bin/cu++filt" "$@")" = "$wanted"
}
filt 'first(int*)' _Z5firstPi
filt 'void sim::reduce<float, 32>(float const*, float*, int)' _ZN3sim6reduceIfLi32EEEvPKT_PS1_i
filt 'sim::reduce<float, 32>' -p _ZN3sim6reduceIfLi32EEEvPKT_PS1_i
filt 'A::operator bool' -p _ZN1AcvbEv
filt 'A::operator()' -p _ZN1AclEi
filt 'operator<<' -p _ZlsRSoRK1A
filt '(anonymous namespace)::f' -p _ZN12_GLOBAL__N_11fEi
filt 'f' -p _Z1fPFivE
filt '__Z1fv' __Z1fv
filt 'f()' -_ __Z1fv
filt 'plain
_Z
_Zx' plain _Z _Zx
ok filt_text test "$(printf 'call _Z5firstPi, (_Z6secondPd);\n' | "$bin/cu++filt")" = 'call first(int*), (second(double*));'

# nvdisasm: PTX of images, instructions of what the disk cache keeps
says disasm_image 'entry _Z5firstPi' "$bin/nvdisasm" k.cubin
mkdir -m 700 cache
sed '/^int main/d' k.cu >d.cu
echo 'int main() { int *p; cudaMalloc(&p, 128); first<<<1, 32>>>(p); return cudaDeviceSynchronize(); }' >>d.cu
ok disasm_make "$nvcc" d.cu -o d
ok disasm_run env HEDDLE_CACHE=1 HEDDLE_CACHE_DIR="$work/cache" HEDDLE_DEVICE=cpu HEDDLE_FINISH=0 ./d
cached=$(find cache -type f -exec grep -l '_Z5firstPi.entry' {} + | head -n 1)
says disasm_code '\.text\.' "$bin/nvdisasm" "$cached"
says disasm_instructions '/\*0000\*/ ' "$bin/nvdisasm" -c "$cached"
says disasm_bytes '; .*/\* [0-9a-f][0-9a-f]' "$bin/nvdisasm" -c -hex "$cached"
says disasm_base '/\*40000000\*/' "$bin/nvdisasm" -c -base 0x40000000 "$cached"
says disasm_one 'text._Z5firstPi.entry:' "$bin/nvdisasm" -c -fun _Z5firstPi.entry "$cached"
ok disasm_none test -z "$("$bin/nvdisasm" -c -fun nothing "$cached")"
fails disasm_text 'is no ELF file' "$bin/nvdisasm" k.cu
fails disasm_absent 'cannot be read' "$bin/nvdisasm" absent
fails disasm_binary "'-b' is not supported: there is no disassembler" "$bin/nvdisasm" -b SM80 k.cubin
# A file of NVIDIA's machine code: the head alone says so.
printf '\177ELF\2\1\1\063\0\0\0\0\0\0\0\0\2\0\276\0\1\0\0\0' >head
{ cat head; head -c 16 /dev/zero; printf '\100\0\0\0\0\0\0\0\120\5\120\0\100\0\070\0\0\0\100\0\1\0\0\0'; head -c 64 /dev/zero; } >theirs.cubin
fails disasm_theirs "machine code of NVIDIA's" "$bin/nvdisasm" theirs.cubin

# nvprune: targets of objects, archives and fat binaries; what is left still works
ok prune_object "$nvcc" -c k.cu -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=compute_90 -o p.o
ok pruned "$bin/nvprune" -arch sm_80 p.o -o p80.o
ok prune_left test "$("$bin/cuobjdump" -lptx p80.o)" = 'PTX file    1: p80.1.sm_80.ptx'
ok prune_smaller test "$(wc -c <p80.o)" -lt "$(wc -c <p.o)"
ok prune_links "$nvcc" p80.o -o p80
ok prune_archive sh -c "ar rcs p.a p.o && '$bin/nvprune' -gencode arch=compute_75,code=[sm_75,compute_90] p.a -o q.a"
ok prune_archive_left test "$("$bin/cuobjdump" -lptx q.a | grep -c 'PTX file')" = 2
ok prune_archive_links "$nvcc" q.a -o q
ok prune_fatbin "$bin/nvprune" -code sm_90 f.fatbin -o g.fatbin
ok prune_fatbin_left test "$("$bin/cuobjdump" -lptx g.fatbin | grep -c 'PTX file')" -lt 3
says prune_nothing 'has no device code left' "$bin/nvprune" -arch sm_50 p.o -o p50.o
fails prune_program 'programs and shared libraries are not pruned' "$bin/nvprune" -arch sm_80 p80 -o no
fails prune_target 'no target' "$bin/nvprune" p.o -o no
fails prune_output 'no output file' "$bin/nvprune" -arch sm_80 p.o
fails prune_wrong "'sm_x' is no target" "$bin/nvprune" -arch sm_x p.o -o no

# Broken files: a message and an error, or something less than was asked for; no tool falls over them.
ok broken "$broken" p.o q.a g.fatbin k.cubin theirs.cubin "$cached" -- "$bin/cuobjdump -ptx -elf -symbols -res-usage" \
    "$bin/cuobjdump -lptx -lelf" "$bin/nvdisasm -hex" "$bin/nvprune -arch sm_80 -o $work/broken.out"

# Files that NVIDIA's compiler makes
if [ -x "$oracle/nvcc" ]; then
    ok their_program theirs nvcc -cudart shared k.cu -o t -gencode arch=compute_80,code=[sm_80,compute_80]
    says their_elf 'ELF file    1: t.1.sm_80.cubin' "$bin/cuobjdump" -lelf t
    says their_ptx 'entry _Z5firstPi' "$bin/cuobjdump" -ptx t
    says their_head 'compressed' "$bin/cuobjdump" t
    ok their_extract sh -c "cd out && '$bin/cuobjdump' -xelf all ../t"
    says their_cubin 'machine=190' "$bin/cuobjdump" -elf out/t.1.sm_80.cubin out/t.2.sm_80.cubin
    says their_sections '.text._Z5firstPi' "$bin/cuobjdump" -elf out/t.1.sm_80.cubin out/t.2.sm_80.cubin
    says their_symbols 'STT_FUNC .*_Z6secondPd' "$bin/cuobjdump" -symbols out/t.1.sm_80.cubin out/t.2.sm_80.cubin
    ok their_fatbin theirs nvcc -fatbin -arch=sm_80 k.cu -o t.fatbin
    says their_fatbin_ptx 'entry _Z6secondPd' "$bin/cuobjdump" -ptx t.fatbin
    ok their_cubin_in "$bin/fatbinary" --create=mixed.fatbin --image3=kind=elf,sm=80,file=out/t.1.sm_80.cubin \
        --image3=kind=ptx,sm=80,file=k.ptx
    says mixed 'ELF file    1' "$bin/cuobjdump" -lelf mixed.fatbin
    ok their_ptx_file theirs nvcc -ptx -arch=sm_80 k.cu -o t.ptx
    ok their_ptx_assembled "$bin/ptxas" -arch=sm_80 t.ptx -o t.cubin
    # And ours by theirs.
    ok ours_by_their_ptxas theirs ptxas -arch=sm_80 k.ptx -o o.cubin
fi
clean tools
finish
