#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SDK FOLDER: reports of a program whose work is known to the number, of one that crashes, and what bad input gets.
set -eu
sdk=$1 out=$2 here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cd "$out"
rm -f ./*.nsys-rep ./*.json ./*.sqlite ./*.jsonl ./*.csv
nsys=$sdk/bin/nsys
export HEDDLE_DEVICE=cpu ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0" # a crash is one, with a sanitizer too
fail() { echo "$*" >&2; exit 1; }
# Without SQLite there is a clear message and no report. A folder that the loader prefers has a library that is none.
mkdir -p broken
echo none > broken/libsqlite3.so.0
LD_LIBRARY_PATH=$PWD/broken "$nsys" profile -o never true 2> message.txt && fail "no SQLite: a success"
grep -q 'reports need SQLite' message.txt
[ ! -e never.nsys-rep ]
if ! "$nsys" profile -t none -f true -o none true 2> message.txt; then
    grep -q 'reports need SQLite' message.txt
    echo "skipped: no SQLite"
    exit 77
fi
"$sdk/bin/nvcc" -std=c++17 "$here/program.cu" -o program
column() { # REPORT SUMMARY COLUMN NAME: of the row whose last column is NAME
    "$nsys" stats -q -r "$2" -f csv "$1" | awk -F, -v c="$3" -v n="$4" '{ gsub(/"/, "") } index($0, n) { print $c }'
}
same() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }

"$nsys" profile -o whole ./program 2> message.txt
grep -q 'whole.nsys-rep' message.txt
r=whole.nsys-rep
same kernels "$(column $r cuda_gpu_kern_sum 3 'add(float*')" 12
same templates "$(column $r cuda_gpu_kern_sum 3 'void fill<float>(float*')" 1
same launches "$(column $r cuda_api_sum 3 cudaLaunchKernel)" 13
same mallocs "$(column $r cuda_api_sum 3 cudaMalloc | head -n 1)" 1
same copies "$(column $r cuda_gpu_mem_time_sum 3 Host-to-Device)" 3
same megabytes "$(column $r cuda_gpu_mem_size_sum 1 Host-to-Device)" 0.003
same back "$(column $r cuda_gpu_mem_size_sum 1 Device-to-Host)" 0.004
same fills "$(column $r cuda_gpu_mem_size_sum 1 memset)" 0.002
same ranges "$(column $r nvtx_sum 3 inner)" 3
same outer "$(column $r nvtx_sum 3 outer)" 1
"$nsys" stats $r > table.txt
for title in 'CUDA API Summary (cuda_api_sum)' 'CUDA GPU Kernel Summary (cuda_gpu_kern_sum)' 'NVTX Range Summary (nvtx_sum)'; do
    grep -qF " ** $title:" table.txt
done
grep -q '^ Time (%)  Total Time (ns)  Instances  *Avg (ns)  *Med (ns)  *Min (ns)  *Max (ns)  *StdDev (ns)  Name' table.txt
# Shares of time add up to 100.
"$nsys" stats -q -r cuda_api_sum -f csv $r | awk -F, 'NR > 1 { s += $1 } END { exit !(s > 99 && s < 101) }'
[ "$("$nsys" stats -q -r cuda_gpu_trace -f csv $r | wc -l)" = 19 ]
"$nsys" stats -q -r cuda_api_sum,cuda_gpu_kern_sum -f json -o part $r
[ -s part_cuda_api_sum.json ] && [ -s part_cuda_gpu_kern_sum.json ]

# Exports: the database as people ask it, and what browsers read.
for type in sqlite json jsonlines perfetto; do
    "$nsys" export --type $type $r
done
[ -s whole.sqlite ] && [ -s whole.json ] && [ -s whole.jsonl ] && [ -s whole.perfetto.json ]
"$nsys" export --type json $r 2> message.txt && fail "export: replaced without being asked"
grep -q 'is there already' message.txt
if command -v sqlite3 > /dev/null; then
    ask() { sqlite3 whole.sqlite "$1"; }
    same join "$(ask "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL AS k JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS r USING (correlationId)
        JOIN StringIds AS s ON s.id = r.nameId WHERE s.value = 'cudaLaunchKernel_v7000' AND r.start <= k.start")" 13
    same short "$(ask "SELECT group_concat(value) FROM (SELECT DISTINCT value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = shortName ORDER BY 1)")" add,fill
    same streams "$(ask "SELECT count(DISTINCT streamId) FROM CUPTI_ACTIVITY_KIND_KERNEL")" 2
    same threads "$(ask "SELECT count(DISTINCT globalTid % 0x1000000) FROM CUPTI_ACTIVITY_KIND_RUNTIME")" 2
    same shape "$(ask "SELECT DISTINCT gridX || ',' || blockX FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE gridX > 1")" 4,64
    same pinned "$(ask "SELECT DISTINCT label FROM CUPTI_ACTIVITY_KIND_MEMCPY JOIN ENUM_CUDA_MEM_KIND AS e ON e.id = srcKind WHERE copyKind = 1")" Pinned
    same mark "$(ask "SELECT text FROM NVTX_EVENTS WHERE eventType = 34")" "a mark"
    same nested "$(ask "SELECT count(*) FROM NVTX_EVENTS AS o JOIN NVTX_EVENTS AS i ON i.start >= o.start AND i.end <= o.end WHERE o.text = 'outer' AND i.text GLOB 'inner*'")" 3
    same gpu "$(ask "SELECT count(*) FROM TARGET_INFO_GPU")" 1
    same memory "$(ask "SELECT sum(CASE memoryOperationType WHEN 0 THEN bytes ELSE -bytes END) FROM CUDA_GPU_MEMORY_USAGE_EVENTS")" 0
    [ "$(ask "SELECT count(*) FROM HEDDLE_COMPILE")" -ge 1 ] || fail "no compilation"
fi
if command -v python3 > /dev/null; then
    python3 - << 'END'
import json
trace = json.load(open('whole.perfetto.json'))['traceEvents']
kernels = [e for e in trace if e.get('cat') == 'kernel']
assert len(kernels) == 13 and all(e['ph'] == 'X' and e['dur'] >= 0 for e in kernels)
assert len([e for e in trace if e.get('cat') == 'correlation']) == 26
assert any(e['name'] == 'inner "quoted"' for e in trace)
tables = json.load(open('whole.json'))
assert len(tables['CUPTI_ACTIVITY_KIND_KERNEL']) == 13
assert all(json.loads(line)['table'] for line in open('whole.jsonl'))
assert json.load(open('part_cuda_gpu_kern_sum.json'))[0]['Instances'] in (1, 12)
END
fi

# However the program ends, there is a report, and its end is nsys's.
for how in exit:3 crash:139 kill:137; do
    set +e
    "$nsys" profile -o "end-${how%:*}" ./program "${how%:*}" 2> message.txt
    status=$?
    set -e
    same "status of ${how%:*}" $status "${how#*:}"
    same "kernels of ${how%:*}" "$(column "end-${how%:*}.nsys-rep" cuda_gpu_kern_sum 3 'add(float*')" 12
done
"$nsys" profile -c cudaProfilerApi -o range ./program range 2> message.txt
same range "$(column range.nsys-rep cuda_api_sum 3 cudaLaunchKernel)" 7
"$nsys" profile -t nvtx -o nvtx ./program 2> message.txt
same "ranges alone" "$(column nvtx.nsys-rep nvtx_sum 3 inner)" 3
"$nsys" stats -r cuda_api_sum nvtx.nsys-rep 2>&1 | grep -q 'SKIPPED: nvtx.nsys-rep does not contain data'
# Two processes, one report.
"$nsys" profile -o two sh -c './program & ./program; wait' 2> message.txt
same two "$(column two.nsys-rep cuda_gpu_kern_sum 3 'add(float*')" 24

# Bad input.
refused() { # TEXT COMMAND...
    text=$1
    shift
    if "$nsys" "$@" > message.txt 2>&1; then fail "$*: a success"; fi
    grep -q -- "$text" message.txt || { cat message.txt; fail "$*"; }
}
refused 'is there already' profile -o whole ./program
refused 'unknown option --nonsense' profile --nonsense ./program
refused "'gpu' is not a value" profile -t gpu ./program
refused 'which program' profile
refused 'No such file' profile -o missing ./no-such-program
refused 'No such file' stats no-such.nsys-rep
refused 'there is no report nonsense' stats -r nonsense whole.nsys-rep
refused 'there is no format' stats -f xml whole.nsys-rep
head -c 5000 whole.nsys-rep > cut.nsys-rep
refused 'nsys' stats cut.nsys-rep
echo 'no database' > text.nsys-rep
refused 'nsys' stats text.nsys-rep
refused 'nsys' export --type json -f true text.nsys-rep
refused "'xml' is not a value" export --type xml whole.nsys-rep
refused 'there is no command' nonsense
# A tool that is not there does no harm.
CUDA_INJECTION64_PATH=/nowhere/tool.so ./program 2> message.txt
grep -q '/nowhere/tool.so' message.txt
echo "all as it should be"
