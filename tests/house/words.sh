# SPDX-License-Identifier: Apache-2.0
# words.sh SOURCE: src/jit says it in the field's words (docs/glossary.md). What has one there is not called by its old name again: an
# address, a location or a position is no "place", an iteration of a loop no "turn" (a warp has its turn in the schedule).
. "$(dirname "$0")/files.sh"
# Where the everyday word is meant.
everyday="in place of|in (its|their|[a-z]+'s) place|taken its place|last place|(change|trade) places"
old='(^|[^A-Za-z])_?(place|places|PLACE|PLACES|Place|Places)([^A-Za-z]|$)|(each|every|same|one|two|three|last) turns?([^a-z]|$)|turn by turn|on the next turn|turns of'
old="$old|IS_TURN|OP_TURN|heddle\\.turn|(^|[^a-z])later_|LATER_|later\\.h|(^|[^a-z])collects([^a-z]|$)"

# words: lines of its input that have an old word
words() { sed -E "s/$everyday//g" | grep -nE "$old"; }
for text in 'at this place of the code' 'a[PLACES]' 'place_of(x)' 'on every turn' 'int place;' 'later_add(x)' 'heddle.turn.fetch' 'plan->collects'; do
    echo "$text" | words >/dev/null || {
        echo "\"$text\" is not found"
        exit 1
    }
done
for text in 'a in place of b' 'what has taken its place' 'a warp has its turn' 'turns it into' 'replaces' 'sooner or later' 'in the last place'; do
    ! echo "$text" | words || {
        echo "\"$text\" is found"
        exit 1
    }
done
failed=0
for f in $(files src/jit | grep -E '\.(c|h|def)$'); do
    ! words <"$f" || {
        echo "$f: see docs/glossary.md for the word"
        failed=1
    }
done
exit $failed
