# SPDX-License-Identifier: Apache-2.0
# compile.sh NVCC FOLDER: `heddle compile` compiles without running, tells times and sizes pass by pass, stops behind a pass; and what
# HEDDLE_REMARKS has passes say, by kernel, block and source line.
. "$2/../nvcc/check.sh"
heddle=$(dirname "$nvcc")/heddle
export HEDDLE_CACHE_DIR="$work/cache"

cat > two.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry adds(.param .u64 p)
{
    .reg .b64 %d;
    .reg .b32 %r;
    ld.param.u64 %d, [p];
    .loc 1 7 3
    .loc 2 30 1, function_name $L_info, inlined_at 1 7 3
    atom.global.add.u32 %r, [%d], 1;
    ret;
}
.visible .entry waits(.param .u64 p) .reqntid 64, 2
{
    .reg .b64 %d;
    .reg .b32 %r<2>;
    ld.param.u64 %d, [p];
    ld.global.u32 %r0, [%d];
    bar.sync 0;
    st.global.u32 [%d], %r0;
    ret;
}
.file 1 "adds.cu"
.file 2 "header.h"
.section .debug_str
{
$L_info:
.b8 97,100,100,0
}
END

says 'both kernels' '^adds: width [0-9]*, blocks of 256x1x1, [0-9]* bytes' "$heddle" compile two.ptx
says 'the required shape' '^waits: width [0-9]*, blocks of 64x2x1' "$heddle" compile two.ptx
ok 'one of them' sh -c '[ "$("$1" compile two.ptx --kernel waits | wc -l)" = 1 ]' sh "$heddle"
says 'width and shape' '^adds: width 8, blocks of 32x2x1' "$heddle" compile two.ptx --kernel adds --width 8 --block 32,2
says 'width of the environment' '^adds: width 16' env HEDDLE_WIDTH=16 "$heddle" compile two.ptx --kernel adds
ok 'nothing is kept' [ ! -e "$work/cache" ]

# Every pass in the order of the table; before is what the one before it left.
"$heddle" compile two.ptx --kernel waits --time-passes > times
ok 'head' grep -q '^pass  *ms  *before  *after$' times
ok 'translate is the first' sh -c 'sed -n 3p times | grep -q "^translate  *[0-9.]*  *0  *[1-9][0-9]*$"'
ok 'sizes follow each other' awk 'NR > 3 && NF == 4 { bad += $3 != last } NF == 4 { last = $4 } END { exit bad || NR < 20 }' times
ok 'rows that were steps of others' sh -c 'grep -q ^resume_points times && grep -q ^shapes times && grep -q ^idle times'
ok 'vectorise makes code' awk '$1 == "vectorise" && $4 > $3 { found = 1 } END { exit !found }' times
ok 'the sum' awk 'NF == 4 && $2 ~ /[0-9]/ { s += $2 } $1 == "all" { d = s - $2; good = d < 0.05 && d > -0.05 } END { exit !good }' times
HEDDLE_PASSES=-idle "$heddle" compile two.ptx --kernel waits --time-passes > times
ok 'a pass that is left out has no row' sh -c '! grep -q ^idle times'

says 'IR behind a pass' 'define void @ptx.waits' "$heddle" compile two.ptx --kernel waits --stop-after scalar
says 'one that is not run' 'define void @ptx.waits' "$heddle" compile two.ptx --kernel waits --stop-after guards
ok 'none behind it' sh -c '! "$1" compile two.ptx --kernel waits --stop-after scalar --time-passes | grep -q ^vectorise' sh "$heddle"
ok 'IR to a file' sh -c '"$1" compile two.ptx --kernel waits --stop-after split -o ir && grep -q @waits.region.1 ir' sh "$heddle"
ok 'an object' sh -c '"$1" compile two.ptx --kernel waits -o object && [ "$(head -c 4 object | tail -c 3)" = ELF ]' sh "$heddle"

says 'remark with the line of the call' '^privatise: adds, block [^ ]*, adds.cu:7: merged' env HEDDLE_REMARKS=privatise "$heddle" compile two.ptx
says 'remark of a pass that is left out' '^idle: waits: does not run: HEDDLE_PASSES' env HEDDLE_REMARKS=all HEDDLE_PASSES=-idle "$heddle" compile two.ptx
says 'remarks by group' '^yields.order: waits: ' env HEDDLE_REMARKS=yields "$heddle" compile two.ptx
says 'a name that is none' "HEDDLE_REMARKS: 'nonsense' is no pass" env HEDDLE_REMARKS=nonsense "$heddle" compile two.ptx
ok 'none without' sh -c '[ -z "$("$1" compile two.ptx 2>&1 > out)" ]' sh "$heddle"

cat > source.cu <<'END'
extern "C" __global__ void sum(int *p)
{
    p[threadIdx.x] += 1;
}
END
says 'a source' '^sum: width [0-9]*, blocks of 256x1x1' "$heddle" compile source.cu
says 'its lines' '^align: sum, .*source.cu:3: launches test the parameter' env HEDDLE_REMARKS=align "$heddle" compile source.cu
clean 'a source'
echo '__global__ void wrong() { nonsense(); }' > wrong.cu
fails 'a wrong source' 'nonsense' "$heddle" compile wrong.cu
clean 'a wrong source'

fails 'no file' '^Usage: heddle compile' "$heddle" compile
fails 'a file that is not there' 'none.ptx cannot be read' "$heddle" compile none.ptx
fails 'no such kernel' 'no such kernel' "$heddle" compile two.ptx --kernel nonsense
fails 'no such pass' "'nonsense' is no pass" "$heddle" compile two.ptx --stop-after nonsense
fails 'no such width' "'7' is no width" "$heddle" compile two.ptx --width 7
fails 'no such shape' "'2000' is no shape" "$heddle" compile two.ptx --block 2000
fails 'no such option' '^Usage: heddle compile' "$heddle" compile two.ptx --nonsense x
fails 'one object' 'is for one kernel' "$heddle" compile two.ptx -o object
echo 'nonsense' > wrong.ptx
fails 'no PTX' 'wrong.ptx:1' "$heddle" compile wrong.ptx
finish
