#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gallery.sh SOURCE: each example has a line in examples/README.md, from 30 to 200 lines, and a way to fail; a picture that it draws is in
# docs/pictures, of at most 30 KB; and nothing is named there that is not there.
cd "$1/examples" || exit 1
failed=0
complain() {
    echo "$1"
    failed=1
}
count=0
for f in $(find . -name '*.cu' -o -name '*.c' -o -name '*.cpp' -o -name '*.py' | sed 's,^\./,,'); do
    count=$((count + 1))
    grep -qF "]($f)" README.md || complain "examples/README.md has no line for $f"
    lines=$(wc -l <"$f")
    [ "$lines" -ge 30 ] && [ "$lines" -le 200 ] || complain "$f has $lines lines"
    grep -qE 'return verdict\(|return [^;]*(wrong|\?)|return 1|else 1|WRONG' "$f" || complain "$f cannot fail"
    for picture in $(sed -n 's,^// Picture: ,,p' "$f"); do
        [ -f "../docs/pictures/$picture" ] || complain "$f: there is no docs/pictures/$picture"
        grep -qF "(../docs/pictures/$picture)" README.md || complain "examples/README.md does not show $picture"
    done
done
[ "$count" -ge 24 ] || complain "only $count examples are found"
for f in $(grep -o '](\([^)]*\))' README.md | sed 's,](,,; s,),,'); do
    [ -e "$f" ] || complain "examples/README.md: there is no $f"
done
for f in ../docs/pictures/*; do
    [ "$(wc -c <"$f")" -le 30720 ] || complain "$f is larger than 30 KB"
done
exit $failed
