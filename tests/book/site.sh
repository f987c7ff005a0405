#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# site.sh SOURCE: every page of docs/ stands in the book's order (docs/mkdocs.yml), and every name there is a page. (./dev book builds the site, and fails where mkdocs
# finds a fault.)
cd "$1" || exit 1
failed=0
order=$(sed -n '/^nav:/,$p' docs/mkdocs.yml | sed -n 's/^ *- .*[: ] *\([^ ]*\.md\)$/\1/p; s/^ *- \([^ ]*\.md\)$/\1/p' | sort)
there=$( (cd docs && find . -name '*.md' | sed 's,^\./,,'; echo gallery.md; echo CHANGELOG.md; echo CONTRIBUTING.md; echo SECURITY.md) | sort)
[ "$(echo "$order" | wc -l)" -gt 40 ] || {
    echo "the order of docs/mkdocs.yml is not read"
    exit 1
}
for page in $there; do
    echo "$order" | grep -qx "$page" || {
        echo "docs/mkdocs.yml: $page has no place"
        failed=1
    }
done
for page in $order; do
    echo "$there" | grep -qx "$page" || {
        echo "docs/mkdocs.yml: there is no $page"
        failed=1
    }
done
exit $failed
