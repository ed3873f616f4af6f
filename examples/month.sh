#!/bin/sh
# A month of books: make them, take in a chart and a bank file, post what the rules sorted with its receipts, print the statements.
# Usage: examples/month.sh DIR      DIR is made. Needs wb on the PATH.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
books=${1:?usage: month.sh DIR}

# The starter chart of a partnership, then accounts of our own.
wb init "$books" --no-input --quiet \
    --company 'Tidewater Bikes LLC' --entity partnership --owner 'Ada Reed=60%' --owner 'Ben Cole=40%'
export WB_BOOKS="$books"
wb chart import --quiet "$here/chart/web.csv"

# One draft a row. A rule books the rows that it names; the others wait on 6999.
wb import bank-csv "$here/bank/quickbooks_three.csv" --quiet --account 1000 --offset 6999 \
    --rule 'OPENING DEPOSIT=3010' --rule 'RIVERSIDE HARDWARE=6810' --rule 'CLIENT RETAINER=4000'

# The first column of the search's CSV is the entry's id; a draft has a row a line.
drafts() {
    wb entry search --status draft --csv "$@" | tail -n +2 | cut -d, -f1 | sort -un
}
drafts >"$books/drafts"
drafts --account 6999 >"$books/waiting"

# What is above the receipt policy's threshold is posted with its receipt, found here by the row's text.
receipt() {
    case $(wb entry show "$1" --json) in
    *'Opening deposit'*) echo deposit ;;
    *'Riverside Hardware'*) echo hardware ;;
    *'Client retainer'*) echo retainer ;;
    esac
}

# What no line on 6999 holds back is sorted. The key makes a repeated run of this script harmless.
grep -vxFf "$books/waiting" "$books/drafts" | while read -r entry; do
    wb receipt attach "$here/receipts/$(receipt "$entry").txt" --entry "$entry" --quiet --request-key "month-sh-receipt-$entry"
    wb entry post "$entry" --confirm --quiet --request-key "month-sh-$entry"
done
rm "$books/drafts" "$books/waiting"

echo "Posted from $here/bank/quickbooks_three.csv; these wait for a person:"
echo
wb entry search --status draft
wb report profit-and-loss --start 2026-10-01 --end 2026-10-31
wb report balance-sheet --as-of 2026-10-31
wb verify --quiet
