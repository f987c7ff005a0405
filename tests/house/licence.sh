# SPDX-License-Identifier: Apache-2.0
# licence.sh SOURCE: every source file names its licence in its first line, or in the second behind a #! line. Files without
# comments, and data that programs read whole, are left out.
. "$(dirname "$0")/files.sh"
failed=0
for f in $(files | grep -v -E '\.(md|svg|png|json|tsv|txt\.in|json\.in)$|^LICENSE$|(^|/)\.[a-z-]*$|^tests/fuzz/seeds/|^tests/texture/h200\.txt$'); do
    head -n 2 "$f" | grep -q 'SPDX-License-Identifier: Apache-2\.0' || {
        echo "$f: no line with SPDX-License-Identifier: Apache-2.0"
        failed=1
    }
done
exit $failed
