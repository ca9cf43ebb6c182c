#!/usr/bin/env bash
# hucre 1.0.0 (npm) reads an amount as a date when its number format is the Hebrew currency of LibreOffice and Excel:
# [$₪-40D] #,##0.00 has a D within the brackets of the currency, which name its sign and its language and are no letters of
# a date (ECMA-376 part 1, 18.8.31). Expected: 450.5. Seen: a Date in March 1901. [$$-409], whose brackets hold no letter of
# a date, is read well.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund hucre@1.0.0 >/dev/null
cat >try.mjs <<'JS'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
const cell = (numFmt) => ({ value: 450.5, style: { numFmt } })
const read = async (numFmt) => {
  const cells = new Map([['0,0', cell(numFmt)]])
  const book = await writeXlsx({ sheets: [{ name: 'A', rows: [[450.5]], cells }] })
  return (await readXlsx(book)).sheets[0].rows[0][0]
}
const shown = async (numFmt) => {
  const value = await read(numFmt)
  console.log(numFmt, '→', value instanceof Date ? value.toISOString() : value)
  return value
}
const hebrew = await shown('[$₪-40D] #,##0.00')
const dollars = await shown('[$$-409] #,##0.00')
process.exit(hebrew instanceof Date && dollars === 450.5 ? 0 : 1)
JS
echo "hucre $(node -p "require('./node_modules/hucre/package.json').version")"
node try.mjs
