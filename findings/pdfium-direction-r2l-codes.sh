#!/usr/bin/env bash
# PDFium (as in Chrome) and /ViewerPreferences /Direction /R2L: a code of Latin letters and digits comes out turned round.
#
# PDF 32000-1, table 150: Direction is the order of pages side by side and "has no direct effect on the document's contents
# or page numbering". Typst 0.14.2 writes /R2L for a document in Arabic or Hebrew.
# Expected: the line INV-2026-000301, which has no right-to-left character, is extracted as it stands.
# Seen: PDFium of @hyzyla/pdfium 2.1.13 returns "-2026-000301INV" under /R2L, and the line itself when the same file says
# /L2R. pdf.js of unpdf 1.7.0 returns it in both.
# Ends with 1 when that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund \
  @myriaddreamin/typst-ts-web-compiler@0.7.0 @hyzyla/pdfium@2.1.13 unpdf@1.7.0 @expo-google-fonts/noto-sans@0.4.2 >/dev/null

cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import initialize, { TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { extractText, getDocumentProxy } from 'unpdf'

const CODE = 'INV-2026-000301'
const wasm = 'node_modules/@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler_bg.wasm'
await initialize({ module_or_path: readFileSync(wasm) })
const builder = new TypstCompilerBuilder()
builder.set_dummy_access_model()
const font = 'node_modules/@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'
await builder.add_raw_font(new Uint8Array(readFileSync(font)))
const compiler = await builder.build()
compiler.add_source('/main.typ', `#set text(lang: "he")\n${CODE}`)
const rightToLeft = Buffer.from(compiler.compile('/main.typ', [], 'pdf', 2).result)
const leftToRight = Buffer.from(rightToLeft)
const at = leftToRight.lastIndexOf('/Direction /R2L')
if (at < 0) throw new Error('the file has no /Direction /R2L')
leftToRight.write('/Direction /L2R', at)

const library = await PDFiumLibrary.init()
const read = async (pdf) => {
  const [page] = [...(await library.loadDocument(pdf)).pages()]
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  return { PDFium: page.getText().trim(), 'pdf.js': text.trim() }
}
const seen = { R2L: await read(rightToLeft), L2R: await read(leftToRight) }
console.log(JSON.stringify(seen, null, 2))
const isAsSeen = seen.R2L.PDFium === '-2026-000301INV' && seen.L2R.PDFium === CODE
process.exit(isAsSeen && seen.R2L['pdf.js'] === CODE && seen.L2R['pdf.js'] === CODE ? 0 : 1)
JS
node read.mjs
