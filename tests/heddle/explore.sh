# SPDX-License-Identifier: Apache-2.0
# explore.sh NVCC FOLDER: `heddle explore` tells kernels whose result depends on the schedule, and no others; the program's own results
# are what they are without it.
. "$2/../nvcc/check.sh"
heddle=$(dirname "$nvcc")/heddle
export HEDDLE_CACHE_DIR="$work/cache"
unset HEDDLE_DEVICE HEDDLE_EXPLORE HEDDLE_WIDTH HEDDLE_COMPAT HEDDLE_THREADS
"$nvcc" -std=c++17 "$2/explore.cu" -o explore || exit 1

try() { # STATUS WORDS...: `heddle explore` with them ends so; what it says stands in err and out
    want=$1
    shift
    "$heddle" explore "$@" >out 2>err
    status=$?
    [ $status = "$want" ] || sed 's/^/    /' err
    ok "explore $*: $want" [ $status = "$want" ]
}
tells() { ok "and tells '$1'" grep -q -e "$1" err; }
silent() { ok "and not '$1'" sh -c "! grep -q -e '$1' err"; }

# Those that depend on it, each with the simplest schedule that shows it.
for k in no_barrier block_order lost_update tickets one_pair address variable float_sum; do
    try 1 ./explore $k
    tells "kernel '.*$k.*depends on the schedule"
done
try 1 ./explore one_pair
tells 'number 6 before number 5'
tells 'the word at byte 4 is 0x00000000 (0) and not 0x00000001 (1)'
try 1 ./explore variable
tells "variable 'result', 8192 bytes"
export HEDDLE_THREADS=1 # on many processors the program's own run may lose an update, and then the simplest schedule differs from it
try 1 ./explore lost_update
tells 'warps and blocks by turns'
unset HEDDLE_THREADS
try 1 ./explore address
tells 'it ends by an illegal address: .*block (1,0,0)'
ok 'the program goes on as without it' grep -q '^address: 0 64 0$' out
try 1 ./explore no_barrier
silent 'blocks by turns'

# Those that do not.
try 0 ./explore barrier atomic_update prints allocates
tells '3 launches under up to 16 schedules each: none depends on the schedule; 1 launches were not explored'
ok 'what kernels print is printed once' [ "$(grep -c '^block' out)" = 2 ]
ok 'results are the program'"'"'s' grep -q '^atomic_update: 2096128' out
try 0 --tolerance 1e-3 ./explore float_sum
try 1 --schedules 60 ./explore barrier float_sum
tells "tolerance=1e-3 lets them pass"

# Its words.
try 0 --kernel barrier --schedules 3 ./explore tickets barrier
try 7 --error-exitcode 7 ./explore tickets
try 0 --schedules=2 --launches=1 ./explore barrier barrier
tells '1 launches under up to 2 schedules'
try 2 --schedules
try 2 --such ./explore
try 2 --error-exitcode 0 ./explore
try 2
try 127 ./nothing
try 0 --schedules none ./explore barrier
tells "'schedules=none' is not understood"
finish
