# SPDX-License-Identifier: Apache-2.0
# cli.sh NVCC FOLDER VERSION CUDA: what the command `heddle` answers to questions about itself, and to what it does not know. Every
# place that tells Heddle's version tells the one of CMakeLists.txt.
. "$2/../nvcc/check.sh"
version=$3 cuda=$4
sdk=$(dirname "$(dirname "$nvcc")")
heddle=$sdk/bin/heddle
export HEDDLE_CACHE_DIR="$work/cache"

answers() { # NAME TEXT COMMAND...: exit code 0, TEXT on stdout, nothing on stderr
    check=$1 text=$2
    shift 2
    ok "$check" sh -c 'text=$1; shift; "$@" >out 2>err && grep -q -e "$text" out && [ ! -s err ]' sh "$text" "$@"
}
refuses() { # NAME TEXT COMMAND...: exit code 2, TEXT on stderr, nothing on stdout
    check=$1 text=$2
    shift 2
    ok "$check" sh -c 'text=$1; shift; "$@" >out 2>err; [ $? = 2 ] && grep -q -e "$text" err && [ ! -s out ]' sh "$text" "$@"
}

ok version test "$("$heddle" --version)" = "heddle $version (CUDA $cuda)"
for tool in nvcc ptxas cuobjdump; do
    ok "$tool version" test "$("$sdk/bin/$tool" --version | tail -n 1)" = "Build heddle $version"
done
answers 'version.json' "\"version\" : \"$version\"" cat "$sdk/version.json"

for word in --help -h help; do
    answers "$word" '^Usage: heddle COMMAND' "$heddle" "$word"
    answers "cache $word" '^Usage: heddle cache .*prebuild' "$heddle" cache "$word"
    answers "env $word" '^Usage: heddle env$' "$heddle" env "$word"
    answers "$word cache" '^Usage: heddle cache .*prebuild' "$heddle" "$word" cache
done
answers 'help names env' '^  env  *list the environment variables' "$heddle" --help
answers 'help names cache' '^  cache  *show the cache' "$heddle" --help
answers 'help names compile' '^  compile  *compile the kernels of a PTX file or a source' "$heddle" --help
answers 'help names run' '^  run  *run a program that was built' "$heddle" --help
answers 'run --help' '^Usage: heddle run .--devices N' "$heddle" run --help
answers 'compile --help' '^Usage: heddle compile FILE.ptx' "$heddle" compile --help
answers env '^HEDDLE_WIDTH$' env -u HEDDLE_WIDTH "$heddle" env
answers cache "$work/cache: 0 kernels" "$heddle" cache
answers show "$work/cache: 0 kernels" "$heddle" cache show
answers clear "$work/cache: 0 kernels.*, removed" "$heddle" cache clear

refuses nothing '^Usage: heddle COMMAND' "$heddle"
refuses command "'nonsense' is no command" "$heddle" nonsense
refuses option "'--nonsense' is no command" "$heddle" --nonsense
refuses help "'nonsense' is no command" "$heddle" help nonsense
refuses cache '^Usage: heddle cache' "$heddle" cache nonsense
refuses clear '^Usage: heddle cache' "$heddle" cache clear nonsense
refuses env '^Usage: heddle env' "$heddle" env nonsense
refuses prebuild 'no file is given' "$heddle" cache prebuild
finish
