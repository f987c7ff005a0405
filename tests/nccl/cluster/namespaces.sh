#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# namespaces.sh NVCC [COLLECTIVES]: two network namespaces, as two machines, with two ranks each; a long run of collectives, and a rank that is
# killed. Needs ip(8), and root or a namespace of users, else it is skipped (77). NCCL_NET=UCX UCX_TLS=tcp: over UCX's TCP.
set -euo pipefail
nvcc=$1 collectives=${2:-10000}
here=$(cd "$(dirname "$0")" && pwd)
export PATH="$PATH:/usr/sbin:/sbin"
skip() {
    echo "skipped: $1"
    exit 77
}
command -v ip > /dev/null || skip "there is no ip(8)"
if [ "$(id -u)" != 0 ]; then
    [ -z "${HEDDLE_TEST_INSIDE:-}" ] && unshare -Urmn mount -t tmpfs none /run 2> /dev/null || skip "no namespaces can be made"
    HEDDLE_TEST_INSIDE=1 exec unshare -Urmn sh -c 'mount -t tmpfs none /run && exec "$@"' sh "$0" "$@"
fi
ip netns add heddle-try-$$ 2> /dev/null || skip "no namespaces can be made"
ip netns del heddle-try-$$
dir=$(mktemp -d)
a=heddle-a-$$ b=heddle-b-$$
clean() {
    ip netns del "$a" 2> /dev/null || true
    ip netns del "$b" 2> /dev/null || true
    rm -rf "$dir"
}
trap clean EXIT
"$nvcc" -O2 -std=c++17 "$here/member.cu" -lnccl -o "$dir/member"
ip netns add "$a"
ip netns add "$b"
ip link add veth0 netns "$a" type veth peer name veth0 netns "$b"
ip -n "$a" addr add 10.71.0.1/24 dev veth0
ip -n "$b" addr add 10.71.0.2/24 dev veth0
for n in "$a" "$b"; do
    ip -n "$n" link set veth0 up
    ip -n "$n" link set lo up
done
for n in "$a" "$b"; do
    until ip -n "$n" link show veth0 | grep -q 'state UP'; do sleep 0.1; done
done
shm_before=$(ls /dev/shm | wc -l)
export NCCL_COMM_ID=10.71.0.1:47110 HEDDLE_CACHE_DIR="$dir/cache"
pids=()
for rank in 0 1 2 3; do
    ns=$a
    [ $rank -lt 2 ] || ns=$b
    ip netns exec "$ns" "$dir/member" $rank 4 "$collectives" > "$dir/out$rank" 2>&1 &
    pids+=($!)
done
status=0
for rank in 0 1 2 3; do
    code=0
    wait "${pids[$rank]}" || code=$?
    cat "$dir/out$rank"
    if [ $rank = 3 ]; then [ $code = 137 ] || status=1; else [ $code = 0 ] || status=1; fi
done
left=$(for n in "$a" "$b"; do ip netns pids "$n"; done | wc -l)
[ "$left" = 0 ] || { echo "processes are left"; status=1; }
[ "$(ls /dev/shm | wc -l)" = "$shm_before" ] || { echo "shared memory is left"; status=1; }
[ $status = 0 ] && echo "all right"
exit $status
