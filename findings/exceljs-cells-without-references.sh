#!/usr/bin/env bash
# exceljs 4.4.0 (npm) refuses a workbook whose rows and cells do not say where they stand. The attribute r of <row> and <c>
# is optional (ECMA-376 part 1, 18.3.1.4 and 18.3.1.73): without it a row follows the one before, and a cell too. Excel,
# LibreOffice, openpyxl and SheetJS read such a sheet. Expected: Name. Seen: "Invalid row number in model". (Gnumeric 1.12.55
# opens the same sheet empty, without a word.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund exceljs@4.4.0 xlsx@0.18.5 jszip@3.10.1 >/dev/null 2>&1
cat >try.cjs <<'JS'
const JSZip = require('jszip')
const ExcelJS = require('exceljs')
const XLSX = require('xlsx')
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const book = (row, cell) => {
  const zip = new JSZip()
  zip.file('[Content_Types].xml', `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`)
  zip.file('_rels/.rels', `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
  zip.file('xl/workbook.xml', `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`)
  zip.file('xl/_rels/workbook.xml.rels', `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`)
  zip.file('xl/worksheets/sheet1.xml', `<worksheet xmlns="${main}"><sheetData><row${row}><c${cell} t="inlineStr"><is><t>Name</t></is></c></row></sheetData></worksheet>`)
  return zip.generateAsync({ type: 'nodebuffer' })
}
const byExceljs = async (bytes) => {
  const workbook = new ExcelJS.Workbook()
  try {
    await workbook.xlsx.load(bytes)
    return workbook.worksheets[0].getCell('A1').value
  } catch (error) {
    return error.message
  }
}
const bySheetJs = (bytes) => Object.values(XLSX.read(bytes).Sheets)[0].A1?.v
const run = async () => {
  const [bare, full] = [await book('', ''), await book(' r="1"', ' r="A1"')]
  const seen = [await byExceljs(bare), await byExceljs(full), bySheetJs(bare)]
  console.log('exceljs without r:', seen[0], '| with r:', seen[1], '| SheetJS without r:', seen[2])
  process.exit(seen[0] !== 'Name' && seen[1] === 'Name' && seen[2] === 'Name' ? 0 : 1)
}
run()
JS
echo "exceljs $(node -p "require('./node_modules/exceljs/package.json').version"), xlsx $(node -p "require('./node_modules/xlsx/package.json').version")"
node try.cjs
