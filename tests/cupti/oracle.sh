#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle.sh SDK CUDA HEADERS FOLDER: a program that prints the size of every structure, the offset of every field, the value of every enumerator
# and the size of parameters says the same with our headers and with NVIDIA's; names that its library exports and ours does not are
# those of src/cupti/absent.def.
set -eu
sdk=$1 cuda=$2 headers=$3 out=$4
command -v python3 > /dev/null || exit 77
mkdir -p "$out"
cd "$out"
python3 - "$headers" "$sdk/include" "$cuda/include" > layout.cpp << 'END'
import glob, re, sys
source = ''.join(open(f).read() for f in sorted(glob.glob(sys.argv[1] + '/*.h')))
print('#include <cstddef>\n#include <cstdio>\n#include <cupti.h>')
for name in 'pcsampling pmsampling profiler_host profiler_target range_profiler sass_metrics target'.split():
    print(f'#include <cupti_{name}.h>')
print('int main()\n{')
def show(name, fields):
    print(f'printf("{name} %zu\\n", sizeof({name}));')
    for f in fields:
        print(f'printf("{name}.{f} %zu\\n", offsetof({name}, {f}));')
def fields_of(body):
    out, depth = [], 0
    for line in body.split('\n'):
        m = re.match(r'\s+[\w ]+[ *]+(\w+)(?:\[\w+\])?;$', line)
        if m and not depth:
            out.append(m.group(1))
        depth += line.count('{') - line.count('}')
    return out
n = 0
for kind, body, name in re.findall(r'typedef (enum|struct|union)[^{;]*\{(.*?)^\} (\w+);', source, re.S | re.M):
    n += 1
    if kind == 'enum':
        for e in re.findall(r'^\s+(CUPTI_\w+)', body, re.M):
            print(f'printf("{e} %lld\\n", (long long){e});')
    else:
        show(name, fields_of(body))
assert n > 200
# Parameters: the size; names of some differ between a function and its second form.
names = lambda folder, header: set(re.findall(r'\} ?(\w+_params);', open(folder + '/' + header).read()))
for header in 'generated_cuda_meta.h', 'generated_cuda_runtime_api_meta.h':
    for name in sorted(names(sys.argv[2], header) & names(sys.argv[3], header)):
        show(name, [])
for header in 'cupti_driver_cbid.h', 'cupti_runtime_cbid.h':
    for e in re.findall(r'^\s+(CUPTI_\w+) =', open(sys.argv[2] + '/' + header).read(), re.M):
        print(f'printf("{e} %lld\\n", (long long){e});')
print('}')
END
g++ -w layout.cpp -I"$sdk/include" -o ours
g++ -w layout.cpp -I"$cuda/include" -o theirs
./ours > ours.txt
./theirs > theirs.txt
cmp ours.txt theirs.txt || { diff ours.txt theirs.txt | head -n 20; exit 1; }
names() { nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//' | grep -E '^(cupti|Init)' | sort -u; }
if [ -e "$cuda/lib64/libcupti.so.13" ]; then
    names "$cuda/lib64/libcupti.so.13" > their-names.txt
    names "$sdk/lib64/libcupti.so.13" > our-names.txt
    sed -n 's/^ABSENT("\([^"]*\)".*/\1/p' "$headers/../../../src/cupti/absent.def" | sort > absent.txt
    comm -23 their-names.txt our-names.txt | diff - absent.txt
    [ -z "$(comm -13 their-names.txt our-names.txt)" ]
fi
echo "$(wc -l < ours.txt) numbers agree"
