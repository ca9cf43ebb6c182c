#!/usr/bin/env bash
# Intl.DateTimeFormat of Node 24.11.1 (npm package node, ICU within) writes a day with its month in Hebrew with the preposition ב
# ("1 בספטמבר 2026"), as Hebrew needs it. formatRange of the same formatter keeps it while both days are of one month
# ("1–30 בספטמבר 2026"), and drops it from both months as soon as they differ: "1 ספטמבר – 31 אוקטובר 2026", and over the end of
# a year "1 ספטמבר 2026 – 31 אוגוסט 2027". So the title of a report over a term reads unlike that of one over a month, and no option
# changes it. English and Arabic are alike in both. Expected: each day as format() writes it alone. Seen: as said.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund node@24.11.1 >/dev/null 2>&1
cat >try.cjs <<'JS'
const days = (tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const range = (tag, from, to) => days(tag).formatRange(new Date(from), new Date(to))
const seen = {
  alone: days('he-IL').format(new Date('2026-09-01')),
  ofOneMonth: range('he-IL', '2026-09-01', '2026-09-30'),
  ofTwoMonths: range('he-IL', '2026-09-01', '2026-10-31'),
  ofTwoYears: range('he-IL', '2026-09-01', '2027-08-31'),
}
console.log(JSON.stringify(seen))
const has = Object.values(seen).map((text) => text.includes('בספטמבר'))
process.exit(JSON.stringify(has) === '[true,true,false,false]' ? 0 : 1)
JS
echo "node $(node_modules/.bin/node -p 'process.versions.node'), ICU $(node_modules/.bin/node -p 'process.versions.icu')"
node_modules/.bin/node try.cjs
