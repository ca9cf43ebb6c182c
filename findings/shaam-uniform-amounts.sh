#!/usr/bin/env bash
# @accounter/shaam-uniform-format-generator 0.1.1 (npm) makes BKMVDATA.TXT in the uniform structure of the Israel Tax Authority.
# The instructions it ships (version 1.31, 10 May 2009) give amounts as X9(12)V99: a sign and 14 digits without a point, so that
# 1,000.50 is +00000000100050 (section 2.3, examples), and a C100 record 444 characters (section 2.5). Seen: " 1000.50", filled
# up with blanks, with a point and no sign, in C100, D120 and B100, and a C100 of 445 characters, because the date of the paper
# has 7 columns in place of 8 and fields that are cancelled still have theirs: all after column 399 stands elsewhere than a
# program that reads by columns looks. Its DocumentTypeEnum calls 340 a receipt; appendix 1 calls a receipt 400.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @accounter/shaam-uniform-format-generator@0.1.1 >/dev/null 2>&1
cat >try.mjs <<'JS'
import { DocumentTypeLabelsEn, generateUniformFormatReport } from '@accounter/shaam-uniform-format-generator'
const { dataText } = generateUniformFormatReport({
  business: { businessId: '1', name: 'School', taxId: '123456782', reportingPeriod: { startDate: '2026-01-01', endDate: '2026-12-31' } },
  documents: [{ id: '1', type: '320', date: '2026-06-15', amount: 1000.5, description: 'Lessons' }],
  journalEntries: [{ id: '1', date: '2026-06-15', amount: 1000.5, accountId: '1100', description: 'Lessons' }],
  accounts: [{ id: '1100', name: 'Income', type: '4', balance: 1000 }],
  inventory: [],
})
const of = (code) => dataText.split('\r\n').find((line) => line.startsWith(code)) ?? ''
const seen = { c100: of('C100').length, d120: of('D120').slice(103, 118), b100: of('B100').slice(206, 221), type340: DocumentTypeLabelsEn['340'] }
console.log(JSON.stringify(seen))
const isSeen = seen.c100 === 445 && seen.d120.trim() === '1000.50' && seen.b100.trim() === '1000.50' && seen.type340 === 'Receipt'
process.exit(isSeen ? 0 : 1)
JS
echo "@accounter/shaam-uniform-format-generator $(node -p "require('./node_modules/@accounter/shaam-uniform-format-generator/package.json').version")"
node try.mjs
