#!/usr/bin/env bash
# No second copy of an algorithm for another instruction set: any two backend files share under 10 % of their lines.
# Without arguments, all files of the source tree that belong to one backend; else the files that are named.
#
# Lines count without the space around them. Blank lines, comments, lines of brackets alone, attributes and `use` are
# no part of it, nor are tests, nor the counter of a loop in a `const fn`, which has no `for`. The share of two files is
# the number of lines that both have (a line that both have twice counts twice), as a part of the shorter file. Of
# assembly, directives, numbered labels and `ret` are no part either.
set -euo pipefail
cd "$(dirname "$0")/../.."
# Fewer lines than this are no copy, whatever they are of a short file; of assembly twice as many, where every loop ends
# in the same steps.
limit=10 fewest=5
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
    mapfile -t files < <(git ls-files 'src/simd/*.rs' 'src/**/tuned/*' 'src/**/rvv/*' 'src/**/rvv.*' 'src/symmetric/*.rs' |
        grep -vE '^src/(simd|symmetric)/([a-z0-9]+/)?(mod|intrinsics|instructions)\.rs$|/tests(\.rs$|/)' | sort -u)
fi
[ ${#files[@]} -gt 1 ] || { echo "FAILED: shared lines: fewer than two files"; exit 1; }
awk -v limit="$limit" -v fewest="$fewest" '
    FNR == 1 { file = FILENAME; files++; name[files] = file; test = 0 }
    /^#\[cfg\(test\)\]/ { test = 1 }
    test { next }
    {
        gsub(/^[ \t]+|[ \t]+$/, "")
        if ($0 ~ /^(\/\/|#|$)/ || $0 ~ /^(unsafe )?[][(){},;]*$/ || $0 ~ /^(pub(\([a-z]+\))? )?use /) next
        if ($0 ~ /^(let mut i = 0;|while i < [0-9]+ \{|i \+= 1;)$/) next
        if (file ~ /\.s$/ && $0 ~ /^(\.|[0-9]+:$|ret$)/) next
        count[files, $0]++
        lines[files]++
        if (count[files, $0] == 1) distinct[files, ++kinds[files]] = $0
    }
    END {
        for (a = 1; a <= files; a++) for (b = a + 1; b <= files; b++) {
            shorter = lines[a] < lines[b] ? lines[a] : lines[b]
            if (shorter == 0) continue
            shared = 0
            for (i = 1; i <= kinds[a]; i++) {
                line = distinct[a, i]
                if ((b, line) in count) shared += count[a, line] < count[b, line] ? count[a, line] : count[b, line]
            }
            pairs++
            if (shared < fewest * (name[a] ~ /\.s$/ && name[b] ~ /\.s$/ ? 2 : 1)) continue
            share = 100 * shared / shorter
            if (share > most) { most = share; which = name[a] " and " name[b] }
            if (share >= limit) { findings++; printf "    %.1f %%: %s and %s (%d of %d lines)\n", share, name[a], name[b], shared, shorter }
        }
        printf "shared lines: looked at %d pairs of %d files, %d findings; most: %.1f %% (%s)\n", pairs, files, findings, most, which
        exit findings > 0 || pairs == 0
    }' "${files[@]}" || { echo "FAILED: backends share lines"; exit 1; }
