import { importLabels, importNotes, importReasons } from '../../../shared/import-words/en.ts'
import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** Lists that come in as files. */
export const imports = {
  title: 'Import a list',
  about: 'Students with their guardians, staff, enrolments or opening balances, out of Excel or another program.',
  kind: 'What is in the list?',
  kinds: {
    students: 'Students and guardians',
    staff: 'Staff',
    enrollments: 'Enrolments',
    balances: 'Opening balances',
  },
  choose: 'Choose a file',
  hint: 'A table as Excel, LibreOffice or another program saves it (xlsx, ods, csv, xls as XML or as a page). Nothing is changed yet.',
  wrongType: 'Choose a table: .xlsx, .ods, .csv, .tsv or .xls.',
  tooLarge: 'The file is larger than 20 MB. Split it.',
  reading: 'The file is read…',
  columns: 'Columns',
  columnsAbout: 'What each column of the file holds.',
  notRead: 'Not read',
  again: 'Look again',
  would: 'What would happen',
  happened: 'What happened',
  /** Of a rehearsal, which writes nothing. */
  wouldBe: { created: 'To be added', updated: 'To be changed', unchanged: 'As they are', refused: 'Refused' },
  were: { created: 'Added', updated: 'Changed', unchanged: 'As they were', refused: 'Refused' },
  onlyWhole: 'Only if no row is refused',
  run: (rows: number) => many(rows, { one: 'Import 1 row', other: `Import ${rows} rows` }),
  running: (done: string, all: string) => `${isolate(done)} of ${isolate(all)} rows`,
  nothing: 'There is nothing to import in this file.',
  faults: 'Rows to mend',
  row: (row: string) => `Row ${isolate(row)}`,
  firstOnes: 'These are the first 100. The file of refused rows has all.',
  refusedFile: 'Download rows',
  mend: 'Mend the refused rows in the file and choose it again: rows that are there already change nothing.',
  another: 'Another file',
  done: 'The list is imported.',
  failed: 'Nothing could be imported.',
  open: 'Import',
  branch: 'Branch of rows that name none',
  anyName: 'Link whoever has a guardian’s phone, even under another name',
  told: 'Good to know',
  preview: 'The first rows, as they would stand',
  becomes: { created: 'New', updated: 'Changes', unchanged: 'As it is', refused: 'Refused' },
  genders: { male: 'Male', female: 'Female', other: 'Other' },
  known: (names: string) => `Known already: ${isolate(names)}`,
  /** Of a field of a student, beside those of the guardians. */
  ofStudent: { phone: 'Student’s phone', email: 'Student’s email' },
  whose: (column: string) => `Whose is “${isolate(column)}”?`,
  student: 'Student',
  alike: 'In every row:',
  moreRows: (count: string) => `Show the first ${count} rows`,
  labels: importLabels,
  reasons: importReasons,
  notes: importNotes,
}
