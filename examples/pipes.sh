#!/bin/sh
# wb between pipes: files in on standard input, tables out as CSV, results out as JSON.
# Usage: examples/pipes.sh BOOKS    BOOKS were made with wb init. Needs wb on the PATH.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
export WB_BOOKS="${1:?usage: pipes.sh BOOKS}"

# A bank's export without its pending rows, straight into drafts.
grep -v '^DEBIT,10/30/2026' "$here/bank/chase_deposit.csv" |
    wb import bank-csv - --quiet --account 1000 --offset 6999

# An entry whose lines another program worked out. A file name of `-` is standard input wherever a FILE is taken.
printf '%s\n' '[{"account":"6400","side":"debit","amount":"900.00"},{"account":"1000","side":"credit","amount":"900.00"}]' |
    wb entry draft 'Rent, October' --date 2026-10-01 --lines-json - --quiet

# Any tool, with the JSON that it takes over MCP.
echo '{"text":"rent","limit":1}' | wb call books.search_entries -

# A table as CSV, for whatever reads CSV: drafts a day.
wb entry search --status draft --csv | tail -n +2 | cut -d, -f1,2 | sort -u | cut -d, -f2 | uniq -c

# The exit code says what happened: 3 is a preview, and nothing has changed.
entry=$(wb entry search --status draft --csv | tail -n +2 | head -n 1 | cut -d, -f1)
status=0
wb entry post "$entry" >/dev/null 2>&1 || status=$?
echo "posting entry $entry without --confirm ended with $status"
