# SPDX-License-Identifier: Apache-2.0
# doctor.sh NVCC FOLDER: heddle doctor finds nothing wrong where nothing is, and what is: it says so, what to do, and the exit status is 1.
. "$2/../nvcc/check.sh"
sdk=$(dirname "$(dirname "$nvcc")")
heddle=$sdk/bin/heddle
export HEDDLE_CACHE_DIR="$work/cache" HEDDLE_DEVICE=cpu PATH="$sdk/bin:$PATH"

says() { # NAME STATUS LINE COMMAND...: the exit status, and a line on stdout that the expression describes
    check=$1 status=$2 line=$3
    shift 3
    ok "$check" sh -c 'status=$1 line=$2; shift 2; "$@" >out 2>err; [ $? = "$status" ] && grep -q -e "$line" out' sh "$status" "$line" "$@"
}
says device 0 '^ok  *device .*Heddle on' "$heddle" doctor
says kernel 0 '^ok  *kernel .*right results' "$heddle" doctor
says compiler 0 '^ok  *compiler .*version [12][0-9]' "$heddle" doctor
says program 0 '^ok  *program ' "$heddle" doctor
says 'a program that does not link' 1 '^WRONG  *program .*error' env NVCC_APPEND_FLAGS=-lnosuchlibrary "$heddle" doctor
says 'a program that does not compile' 1 '^WRONG  *program .*error.*sinf' env NVCC_APPEND_FLAGS=-Dsinf=nosuchfunction_sinf "$heddle" doctor
says 'nvcc itself refuses' 1 '^WRONG  *program .*nosuchoption' env NVCC_APPEND_FLAGS=--nosuchoption "$heddle" doctor
says nvcc 0 "^ok  *nvcc  *$sdk/bin/nvcc" "$heddle" doctor
ok 'nothing is wrong' sh -c '! "$1" doctor | grep WRONG' sh "$heddle"
says 'no device' 1 '^WRONG  *device ' env HEDDLE_DEVICES=0 "$heddle" doctor
says 'a wrong value' 1 '^WRONG  *environment .*HEDDLE_WIDTH=7 ' env HEDDLE_WIDTH=7 "$heddle" doctor
says 'a name misspelt' 0 '^note  *environment .*HEDDLE_WIDHT is no variable' env HEDDLE_WIDHT=8 "$heddle" doctor
says 'cache off' 0 '^note  *cache .*off' env HEDDLE_CACHE=0 "$heddle" doctor
says 'another nvcc first' 0 '^note  *nvcc .*comes first' env PATH="$work/other:$PATH" sh -c 'mkdir -p "$1/other"; printf "#!/bin/sh\n" > "$1/other/nvcc"; chmod +x "$1/other/nvcc"; "$2" doctor' sh "$work" "$heddle"
mkdir -p "$work/open"
chmod 777 "$work/open"
says 'a cache that others write to' 1 '^WRONG  *cache ' env HEDDLE_CACHE_DIR="$work/open" "$heddle" doctor
finish
