#!/usr/bin/env bash
# Noto Sans Arabic in a PDF: the words that are drawn are not the words that are found.
#
# The font (Noto Sans Arabic as of @expo-google-fonts/noto-sans-arabic 0.4.3) decomposes most letters into a skeleton and
# dots, each a glyph of its own. Typst 0.14.2 (in @myriaddreamin/typst-ts-web-compiler 0.7.0) gives the text of such a
# group to its first glyph and to /ActualText; the same skeleton serves many letters, so its own text is that of another
# letter or none.
# Expected: PDFium (Chrome) and pdf.js (Firefox) find the word فاتورة as they find it when it is set in Amiri.
# Seen: with Noto Sans Arabic neither finds it: PDFium 2.1.13 of @hyzyla/pdfium returns letters twice.
# Ends with 1 when that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund \
  @myriaddreamin/typst-ts-web-compiler@0.7.0 @hyzyla/pdfium@2.1.13 unpdf@1.7.0 \
  @expo-google-fonts/noto-sans-arabic@0.4.3 @expo-google-fonts/amiri@0.4.1 >/dev/null

cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import initialize, { TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { extractText, getDocumentProxy } from 'unpdf'

const WORD = 'فاتورة'
const wasm = 'node_modules/@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler_bg.wasm'
await initialize({ module_or_path: readFileSync(wasm) })

const read = async (font) => {
  const builder = new TypstCompilerBuilder()
  builder.set_dummy_access_model()
  await builder.add_raw_font(new Uint8Array(readFileSync(`node_modules/@expo-google-fonts/${font}`)))
  const compiler = await builder.build()
  compiler.add_source('/main.typ', `#set text(lang: "ar")\n${WORD}`)
  const pdf = new Uint8Array(compiler.compile('/main.typ', [], 'pdf', 2).result)
  const document = await (await PDFiumLibrary.init()).loadDocument(pdf)
  const [page] = [...document.pages()]
  const { text } = await extractText(await getDocumentProxy(pdf.slice()), { mergePages: true })
  return { PDFium: page.getText().trim(), 'pdf.js': text.trim() }
}

const noto = await read('noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf')
const amiri = await read('amiri/400Regular/Amiri_400Regular.ttf')
console.log('drawn:           ', WORD)
console.log('Amiri:           ', JSON.stringify(amiri))
console.log('Noto Sans Arabic:', JSON.stringify(noto))
const isFound = (texts) => Object.values(texts).map((text) => text === WORD)
process.exit(isFound(amiri).every(Boolean) && !isFound(noto).some(Boolean) ? 0 : 1)
JS
node read.mjs
