# SPDX-License-Identifier: Apache-2.0
# oracle.sh: NVIDIA's ptxas takes each test of this folder for the version and target that it names, or refuses it where the test says that
# it is no PTX. Skipped where there is none.
ptxas=${CUDA_HOME:-/usr/local/cuda}/bin/ptxas
[ -x "$ptxas" ] || {
    echo "NVIDIA's ptxas is not here"
    exit 77
}
cd "$(dirname "$0")" || exit 1
failed=0 count=0
for f in *.ptx; do
    target=$(sed -n 's/^\.target sm_\([0-9a-z]*\).*/\1/p' "$f" | head -1)
    "$ptxas" -arch="sm_$target" --version >/dev/null 2>&1 || target= # older than all that it makes code for: its default
    said=$("$ptxas" ${target:+-arch=sm_$target} -c "$f" -o /dev/null 2>&1)
    taken=$?
    case $said in
    *"requires ABI"*) # functions with several results have none
        said=$("$ptxas" ${target:+-arch=sm_$target} "$f" -o /dev/null 2>&1)
        taken=$?
        ;;
    esac
    wrong=$(grep -c '^// fails: INVALID_PTX' "$f")
    count=$((count + 1))
    [ $((taken != 0)) = "$wrong" ] || {
        echo "$f: $said"
        failed=1
    }
done
echo "$count files"
exit $failed
