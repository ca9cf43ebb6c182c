import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCALES } from '#shared/locale.ts'
import type { Paper, Papers } from '#ports/papers/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf } from '#kit/paper.ts'
import { PDF_READERS, whyNoPoppler, wordsOf } from '#kit/pdf-readers.ts'
import { newReport } from '../examples/progress-reports.ts'
import { create, newGroup, newPupil, newStaff } from '../examples/sessions.ts'

/** What is printed last. */
let printed: Paper
let app: TestApp
let institute: TestInstitute
const paths = new Map<string, string>()

/** Every letter, and what is drawn together: lam and alef, the letters with a hamza, those of Persian names. */
const NAMES = ['آلاء', 'أبو الليل']
const LINES = [
  'دورة لغة إنجليزية للأطفال: مستوى ٣ (Algebra)',
  'صف الظهر، قاعة خضراء، ثلاثة شهور، محمّد',
  'ڤيلا پاريس چاي گزر، هيئة مسؤولة، شيء ضئيل، إلى الملجأ، لآلئ',
  'שיעור פסנתר פרטי, כיתה ז׳',
  'Piano lesson no. 12',
]

beforeAll(async () => {
  app = await startApp({
    papers: (real: Papers) => ({
      ...real,
      print: (paper, logo) => {
        printed = paper
        return real.print(paper, logo)
      },
    }),
  })
  institute = await makeInstitute(app)
  const { owner, branchId } = institute
  await owner.patch('/settings', {
    papers: { taxNumber: '514123456', address: 'شارع الجلاء ١٢\nרחוב הרצל 7, חיפה' },
    invoiceFooter: 'هاتف 04-123-4567 · בנק 12-345',
  })
  await owner.patch(`/branches/${branchId}`, { phone: '+97248500000' })
  const teacherStaffId = await newStaff(institute, { firstName: 'غادة', lastName: 'ظاهر' })
  const groupId = await newGroup(institute, { name: 'الصف الأول א', room: 'قاعة ٢', teacherStaffId })
  const studentId = await newPupil(institute, groupId, { firstName: NAMES[0], lastName: NAMES[1] })
  const guardianId = await create(institute, '/guardians', {
    firstName: 'יעקב',
    lastName: 'בן־ציון',
    phone: '+972541234567',
  })
  const link = { guardianId, relationship: 'father', isPrimary: true, isPayer: true }
  await owner.post(`/students/${studentId}/guardians`, link)
  const invoiceId = await create(institute, '/invoices', {
    studentId,
    dueDate: '2026-03-20',
    notes: 'خصم الإخوة',
    lines: LINES.map((description, at) => ({
      description,
      unitAmountMinor: 125_050 + at,
      ...(at === 1 && { discountMinor: 3000, taxRatePercent: 17.5 }),
    })),
  })
  await owner.post(`/invoices/${invoiceId}/issue`)
  const payment = {
    currency: 'ILS',
    method: 'cheque',
    reference: 'شيك 4471',
    allocations: [{ invoiceId, amountMinor: 100_000 }],
  }
  const receiptId = await create(institute, '/payments', payment)
  const reportId = await newReport(institute, { studentId, groupId, comment: 'تقدم ملحوظ في القراءة، אחלה, well done' })
  const enrollments = await owner.get(`/enrollments?studentId=${studentId}`)
  const session = await create(institute, `/groups/${groupId}/sessions`, {
    scheduledStart: new Date(Date.parse(app.clock.now()) + 60_000).toISOString(),
    scheduledEnd: '2026-03-02T10:00:00Z',
  })
  app.clock.advance(120)
  await owner.put(`/sessions/${session}/attendance`, { entries: [{ studentId, status: 'late', minutesLate: 5 }] })
  const all = {
    invoice: `/invoices/${invoiceId}/pdf?copy=true`,
    receipt: `/receipts/${receiptId}/pdf?size=a4`,
    strip: `/receipts/${receiptId}/pdf?size=80mm`,
    statement: `/students/${studentId}/statement/pdf?from=2026-01-01`,
    report: `/progress-reports/${reportId}/pdf?`,
    roster: `/groups/${groupId}/roster/pdf?`,
    certificate: `/enrollments/${enrollments.body.data[0].id}/certificate/pdf?`,
  }
  for (const [name, path] of Object.entries(all)) paths.set(name, path)
})
afterAll(() => app.close())

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** All that a paper says, but for the numbers of its pages. */
const textOf = ({ title, number, mark, note, letterhead: { name, lines }, blocks, footer }: Paper): string => {
  const shown = blocks.map(({ kind: _kind, ...block }) =>
    'columns' in block ? { ...block, columns: block.columns.map(({ head }) => head) } : block,
  )
  return stringsIn([title, number, mark, note, name, lines, shown, footer]).join('\n')
}

/** A vowel mark is drawn in one glyph with its letter, and every program reads the two in the other order. */
const unmarked = (word: string): string => word.replaceAll(/[\u064b-\u0652]/g, '')

/** In a line with Arabic or Hebrew, Chrome puts the letters of a code behind its digits, in whichever file. */
const isCode = (word: string): boolean => /[A-Za-z].*\d|\d.*[A-Za-z]/.test(word)

describe.each(LOCALES.map((locale) => ({ locale })))('in $locale', ({ locale }) => {
  test.each(['invoice', 'receipt', 'strip', 'statement', 'report', 'roster', 'certificate'])(
    'the %s is read back to the word',
    async (name) => {
      const { status, bytes } = await pdf(app, institute.owner, `${paths.get(name)}&locale=${locale}`)
      expect(status).toBe(200)
      const said = wordsOf(textOf(printed)).map(unmarked)
      expect(said.length).toBeGreaterThan(10)
      for (const [reader, read] of Object.entries(PDF_READERS)) {
        const found = new Set((await read(bytes)).flatMap(wordsOf).map(unmarked))
        const lost = said.filter((word) => !found.has(word) && !(reader === 'Chrome' && isCode(word)))
        expect(lost, `${reader} finds all of:\n${[...found].join(' ')}`).toEqual([])
        // It stands alone in its line.
        expect(found, reader).toContain(wordsOf(printed.number)[0])
      }
    },
  )
})

test('a name is read back as a whole by poppler too', async ({ skip }) => {
  const without = whyNoPoppler()
  skip(without !== undefined, without)
  const { bytes } = await pdf(app, institute.owner, `${paths.get('invoice')}&locale=ar`)
  expect((await PDF_READERS.poppler?.(bytes))?.join('')).toContain(NAMES.join(' '))
})
