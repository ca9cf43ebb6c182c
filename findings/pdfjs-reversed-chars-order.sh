#!/usr/bin/env bash
# pdf.js (as in Firefox) and /ReversedChars: the words of a right-to-left phrase come out in the reverse order.
#
# PDF 32000-1, 14.8.2.3.3, lets a producer write right-to-left text in the order in which it is seen, inside marked content
# ReversedChars, without a space inside. Typst 0.14.2 (in @myriaddreamin/typst-ts-web-compiler 0.7.0) does: one for each word.
# Expected: the Hebrew phrase שלום עולם טוב is extracted in its order, as PDFium of @hyzyla/pdfium 2.1.13 does.
# Seen: pdf.js of unpdf 1.7.0 ends a piece of text at each marked content, reverses the letters of each piece, and leaves the
# pieces as they lie: טוב עולם שלום. A search for the phrase finds nothing.
# Ends with 1 when that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund \
  @myriaddreamin/typst-ts-web-compiler@0.7.0 @hyzyla/pdfium@2.1.13 unpdf@1.7.0 \
  @expo-google-fonts/noto-sans-hebrew@0.4.1 >/dev/null

cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import initialize, { TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { extractText, getDocumentProxy } from 'unpdf'

const PHRASE = 'שלום עולם טוב'
const wasm = 'node_modules/@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler_bg.wasm'
await initialize({ module_or_path: readFileSync(wasm) })
const builder = new TypstCompilerBuilder()
builder.set_dummy_access_model()
const font = 'node_modules/@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'
await builder.add_raw_font(new Uint8Array(readFileSync(font)))
const compiler = await builder.build()
compiler.add_source('/main.typ', `#set text(lang: "he")\n${PHRASE}`)
const pdf = new Uint8Array(compiler.compile('/main.typ', [], 'pdf', 2).result)
const [page] = [...(await (await PDFiumLibrary.init()).loadDocument(pdf)).pages()]
const { text } = await extractText(await getDocumentProxy(pdf.slice()), { mergePages: true })
const seen = { drawn: PHRASE, PDFium: page.getText().trim(), 'pdf.js': text.trim() }
console.log(JSON.stringify(seen, null, 2))
process.exit(seen.PDFium === PHRASE && seen['pdf.js'] === PHRASE.split(' ').toReversed().join(' ') ? 0 : 1)
JS
node read.mjs
