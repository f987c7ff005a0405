#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# programs.sh SOURCE SDK WORK: programs that pages print are what they say. In a page stand
#     <!-- program: NAME OPTIONS -->   before a block: it is the file NAME, compiled with these options (.cu) or run by heddle run (.py), and must end with 0
#     <!-- output -->                  before a block: what the program above has printed
#     <!-- commands -->                before a block: commands behind "$ ", each must end with 0
source=$1 sdk=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
export PATH="$sdk/bin:$PATH" HEDDLE_CACHE_DIR="$work/cache"
failed=0 programs=0 outputs=0
complain() {
    echo "$*"
    failed=1
}

# blocks PAGE FOLDER: there N.kind with the words of the marker, and N.text with the block
blocks() {
    awk -v dir="$2" '
    /^<!-- (program: .*|output|commands) -->$/ { kind = $0; gsub(/^<!-- | -->$/, "", kind); next }
    /^```/ && inside { inside = 0; kind = ""; close(text); next }
    /^```/ && kind { inside = 1; n++; name = sprintf("%s/%03d", dir, n); text = name ".text"; print kind > (name ".kind"); close(name ".kind"); printf "" > text; next }
    /^```/ { other = !other }
    inside { print > text }
    kind && !inside && NF && !/^```/ { print FILENAME ":" FNR ": no block behind the marker"; kind = "" }
    ' "$1"
}
for page in $(cd "$source" && grep -lE '^<!-- (program: |commands)' -r docs --include='*.md' | sort); do
    folder=$work/$(echo "$page" | tr '/' '-' | sed 's/\.md$//')
    mkdir -p "$folder"
    said=$(blocks "$source/$page" "$folder")
    [ -z "$said" ] || complain "$said"
    cd "$folder" || exit 1
    for kind in *.kind; do
        text=${kind%.kind}.text
        read -r what name options <"$kind"
        case $what in
        program:)
            programs=$((programs + 1))
            cp "$text" "$name"
            : >last
            case $name in
            *.cu)
                # shellcheck disable=SC2086
                nvcc $options "$name" -o "${name%.cu}" && "./${name%.cu}" >last || complain "$page: $name fails"
                ;;
            *.py)
                if ! command -v python3 >/dev/null; then
                    echo "left out: $name, there is no python3"
                    rm last
                else
                    heddle run python3 "$name" >last || complain "$page: $name fails"
                fi
                ;;
            *) complain "$page: what is $name?" ;;
            esac
            ;;
        output)
            outputs=$((outputs + 1))
            [ ! -e last ] || diff "$text" last || complain "$page: $name prints something else"
            ;;
        commands)
            grep -q '^\$ ' "$text" || complain "$page: no commands"
            sed -n 's/^\$ //p' "$text" >commands
            while read -r command; do
                sh -c "$command" >.said 2>&1 </dev/null || { cat .said; complain "$page: $command"; }
            done <commands
            ;;
        esac
    done
    cd "$work" || exit 1
done
echo "$programs programs, $outputs outputs"
[ $programs -ge 9 ] && [ $outputs -ge 8 ] || complain "the pages' programs are not found"
exit $failed
