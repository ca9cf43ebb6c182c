#!/usr/bin/env bash
# countries-and-timezones 3.10.0 (npm) names countries for zones that are the clocks of many: EST is Panama's (then Canada,
# Cayman Islands), CET Belgium's, MST the United States'. Since tzdb 2024b these names are links to the zone of one place
# (EST to America/Panama), and the package gives the countries of that place; the United States, for which most servers set
# EST, are not among them. zone.tab of tzdb names none of these zones at all. A program that takes a default country, such as
# that of phone numbers, from a zone gets +507 on a server in New York that is set to EST. Expected: no country, or US among
# them. Seen: PA, CA, KY.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund countries-and-timezones@3.10.0 >/dev/null 2>&1
cat >try.cjs <<'JS'
const { getTimezone } = require('countries-and-timezones')
const of = (zone) => getTimezone(zone)?.countries.join(',') ?? 'none'
const seen = Object.fromEntries(['EST', 'EST5EDT', 'CET', 'MST', 'Asia/Jerusalem'].map((zone) => [zone, of(zone)]))
console.log(JSON.stringify(seen), 'EST is a link to', getTimezone('EST').aliasOf)
process.exit(seen.EST.startsWith('PA') && !seen.EST.includes('US') && seen.CET.startsWith('BE') && seen['Asia/Jerusalem'] === 'IL' ? 0 : 1)
JS
echo "countries-and-timezones $(node -p "require('./node_modules/countries-and-timezones/package.json').version")"
node try.cjs
