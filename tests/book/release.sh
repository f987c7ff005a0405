#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# release.sh SOURCE: tools/release reads the version and the changelog, and refuses what is no release. It changes nothing here.
cd "$1" || exit 1
failed=0
want() { # TEXT STATUS WORDS...
    text=$1 status=$2
    shift 2
    said=$(tools/release "$@" 2>&1)
    [ $? = "$status" ] && echo "$said" | grep -q -e "$text" || {
        echo "tools/release $*: not '$text' with $status, but: $said"
        failed=1
    }
}
want '^### Added' 0 notes Unreleased
want 'has no section 99.0.0' 1 notes 99.0.0
want '0.0.0 is before' 1 0.0.0
want 'is no version' 1 1.2.3x
want 'release check ' 2
exit $failed
