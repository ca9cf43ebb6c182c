#!/usr/bin/env bash
# Intl.DateTimeFormat of Node 24.11.1 (npm package node, ICU within) does not number the months of the Hebrew calendar where
# all fields are asked for as numbers, and where it does, a number is no month. { day, month, year: 'numeric' } in
# en-u-ca-hebrew gives "14 Adar 5786", and in Hebrew { month: 'numeric' } alone gives a name, also with nu-latn; the Muslim
# calendar gives numbers in both. { month: 'numeric' } alone in English gives a number, but that of Nisan is 7 in a common year
# and 8 in a leap year, and 7 is then Adar II: Passover looked for as the 15th of month 7 is found in Adar of 5787. A program
# that looks for holidays by these fields has to compare names. Expected: numbers where numbers are asked for, as for the
# other calendars. Seen: as said.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund node@24.11.1 >/dev/null 2>&1
cat >try.cjs <<'JS'
const said = (tag, iso, fields) =>
  new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...fields })
    .formatToParts(new Date(`${iso}T12:00:00Z`))
    .find(({ type }) => type === 'month').value
const all = { day: 'numeric', month: 'numeric', year: 'numeric' }
const seen = {
  purimWithDayAndYear: said('en-u-ca-hebrew', '2026-03-03', all),
  purimInHebrew: said('he-u-ca-hebrew-nu-latn', '2026-03-03', { month: 'numeric' }),
  eidWithDayAndYear: said('en-u-ca-islamic-umalqura', '2026-03-20', all),
  passover5786: said('en-u-ca-hebrew', '2026-04-02', { month: 'numeric' }),
  passover5787: said('en-u-ca-hebrew', '2027-04-22', { month: 'numeric' }),
  purim5787: said('en-u-ca-hebrew', '2027-03-23', { month: 'numeric' }),
}
console.log(JSON.stringify(seen))
const expected = ['Adar', 'אדר', '10', '7', '8', '7']
process.exit(Object.values(seen).every((value, index) => value === expected[index]) ? 0 : 1)
JS
echo "node $(node_modules/.bin/node -p 'process.versions.node'), ICU $(node_modules/.bin/node -p 'process.versions.icu')"
node_modules/.bin/node try.cjs
