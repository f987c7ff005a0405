# SPDX-License-Identifier: Apache-2.0
# house.sh HOUSE CC [EMULATOR]: the program finds what it is for, in a small tree made here; each fault alone makes it fail.
house=$1
cc=$2
emulator=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# tree: two rooms, low and high, of which high has two folders. Nothing is wrong in it.
tree() {
    rm -rf "$work/src" "$work/build"
    mkdir -p "$work/src/low" "$work/src/high/one" "$work/src/high/two" "$work/build"
    printf 'low\nhigh low\n' >"$work/rooms.def"
    echo 'void low(void);' >"$work/src/low/low.h"
    printf '#include "low/low.h"\nvoid low(void) {}\n' >"$work/src/low/low.c"
    for f in a b c d e; do
        printf '#include "low/low.h"\nvoid %s(void) { low(); }\n' $f >"$work/src/high/one/$f.c"
    done
    printf '#include "../../low/low.h"\nvoid a(void);\nvoid f(void) { a(); }\n' >"$work/src/high/two/f.c"
}
# calls FILE FUNCTION...: the file's function, of its name, calls these.
calls() {
    file=$work/src/$1
    shift
    {
        for f in "$@"; do echo "void $f(void);"; done
        echo "void $(basename "$file" .c)(void) {"
        for f in "$@"; do echo "$f();"; done
        echo "}"
    } >"$file"
}
build() {
    (
        cd "$work/src" || exit 1
        echo '['
        for f in $(find . -name '*.c' | sed 's,^\./,,'); do
            o=$(echo "$f" | tr / _).o
            "$cc" -I. -c "$f" -o "$work/build/$o" || exit 1
            printf '{\n  "directory": "%s/build",\n  "command": "cc -o %s -c %s",\n  "file": "%s/src/%s"\n},\n' "$work" "$o" "$f" "$work" "$f"
        done
        echo ']'
    ) >"$work/build/compile_commands.json"
}
run() { $emulator "$house" "$1" "$work" "$work/rooms.def" $([ "$1" = calls ] && echo "$work/build") >"$work/out" 2>&1; }
complain() {
    echo "house.sh: $1"
    cat "$work/out"
    failed=1
}
passes() { run "$1" || complain "$1 is refused: $2"; }
# refused WHAT TEXT: it fails, and says this
refused() {
    if run "$1"; then
        complain "$1 passes: $2"
    elif ! grep -q "$2" "$work/out"; then
        complain "$1 does not say: $2"
    fi
}

tree
build
passes includes 'nothing is wrong'
passes calls 'nothing is wrong'
grep -q '^7 files, 6 edges' "$work/out" || complain 'calls are not counted'

# Includes.
tree
echo '#include "high/one/a.h"' >>"$work/src/low/low.h"
touch "$work/src/high/one/a.h"
refused includes 'low may not use high'
tree
printf '#include "two.h"\n' >"$work/src/high/two/one.h"
printf ' #  include "one.h"\n' >"$work/src/high/two/two.h"
refused includes 'a circle of includes'
tree
for i in $(seq 26); do touch "$work/src/low/$i.txt"; done
refused includes 'src/low has 28 files'
tree
mkdir "$work/src/attic"
touch "$work/src/attic/x.c"
refused includes 'is in no room'
echo 'roof nothing' >>"$work/rooms.def"
refused includes 'there is no room nothing'
tree
rm -r "$work/src"
refused includes 'cannot be read'

# Calls.
tree
calls low/low.c a
build
refused calls 'a circle of calls across rooms'
refused calls 'low may not use high'
tree
calls low/low.c f
calls high/two/f.c
build
refused calls 'low may not use high'
tree
calls high/one/a.c f
build
refused calls 'high: 1 circles of calls across folders'
printf 'low\nhigh low across 1\n' >"$work/rooms.def"
passes calls 'one circle across folders may be'
tree
calls high/one/a.c b
calls high/one/b.c c
calls high/one/c.c d
calls high/one/d.c a e
build
passes calls 'a circle of four'
grep -q '^circle of 4 files in high, in' "$work/out" || complain 'the circle of four is not shown'
grep -q '^  high/one/[a-d]\.c -> high/one/[a-d]\.c: [a-d]$' "$work/out" || complain 'the edge that breaks it is not shown'
calls high/one/e.c a
build
refused calls 'a circle of calls has more than 4 files'
printf 'low\nhigh low circle 5\n' >"$work/rooms.def"
passes calls 'a circle of five may be'
calls high/one/e.c
build
passes calls 'the circle has shrunk'
grep -q 'its row can be lowered to circle 4 across 0' "$work/out" || complain 'a row that is too high is not told'
rm "$work/build/high_one_a.c.o"
refused calls 'is not built'
rm "$work/build/compile_commands.json"
refused calls 'cannot be read'
exit $failed
