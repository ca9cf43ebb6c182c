import { describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '#shared/locale.ts'
import { CHANNELS } from '#modules/notifications/tables.ts'
import { formats } from '#modules/notifications/texts/formats.ts'
import { fillIn, variablesOf, type Values } from '#modules/notifications/texts/render.ts'
import { allowedVariables, defaultTemplate, defaultTemplates, TEXTS } from '#modules/notifications/texts/defaults.ts'
import { DEFAULT_KEYS, MESSAGE_KEY } from '#modules/notifications/texts/language-texts.ts'

const DEFAULTS = defaultTemplates()

/** The values of one family, as the program writes them in a language. */
const sample = (locale: Locale): Values => {
  const f = formats(locale, 'Asia/Jerusalem')
  const names = {
    ar: { recipientName: 'هالة حدّاد', studentName: 'نور حدّاد', institute: 'معهد النور', groupName: 'الجبر 1' },
    he: { recipientName: 'רחל לוי', studentName: 'דנה לוי', institute: 'מכון אור', groupName: 'אלגברה 1' },
    en: { recipientName: 'Ruth Levi', studentName: 'Dana Levi', institute: 'Light Institute', groupName: 'Algebra 1' },
  }
  const values = {
    ...names[locale],
    status: TEXTS[locale].absence.absent,
    courseName: 'Mathematics',
    date: f.dayOf('2026-03-02T14:00:00.000Z'),
    time: f.time('2026-03-02T14:00:00.000Z'),
    newDate: f.dayOf('2026-03-03T14:00:00.000Z'),
    newTime: f.time('2026-03-03T14:00:00.000Z'),
    newEnd: f.time('2026-03-03T15:30:00.000Z'),
    end: f.time('2026-03-02T15:30:00.000Z'),
    receiptNumber: 'R-2026-000001',
    invoiceNumber: 'INV-2026-000001',
    lines: 'Tuition, March 2026',
    footer: 'Bank 12, branch 345, account 67890',
    total: f.amount(145_050, 'ILS'),
    paid: f.amount(45_000, 'ILS'),
    balance: f.amount(100_050, 'ILS'),
    dueDate: f.date('2026-03-20'),
    amount: f.amount(45_000, 'USD'),
    method: TEXTS[locale].methods.bank_transfer,
    chequeNumber: '000123',
    examTitle: 'Unit 1',
    periodStart: f.date('2026-02-01'),
    periodEnd: f.date('2026-02-28'),
    plan: 'basic',
    days: '7',
    count: '12',
    name: 'school.example.org',
    reason: 'Not paid',
    host: 'hooks.example.org',
    personName: 'Ruth Levi',
    byName: 'Amir Levi',
    version: '0.2.0',
    fields: 'Phone, address',
    left: 'Address',
    teacherName: 'Amal Haddad',
    substituteName: 'Noa Katz',
    lessons: 'Mathematics, 16:00',
    changes: 'Mathematics',
    until: f.date('2026-03-20'),
    places: 'Noor Haddad: Mathematics',
    closureName: 'Eid al-Fitr',
    from: f.dayOf('2026-03-20T08:00:00.000Z'),
    to: f.dayOf('2026-03-22T08:00:00.000Z'),
    correction: TEXTS[locale].absence.late,
    problem: 'More was paid than asked.',
    payOnline: 'https://institute.example.org/pay/AaIqndqTdk6j',
    groups: 'Algebra 1',
    remark: 'Say what Dana can practise',
    seeIt: `${TEXTS[locale].seeIt}\n\nhttps://institute.example.org/open?about=exam.published`,
    'data.title': 'Closed',
    'data.message': 'We are closed.',
  }
  return { ...values, link: 'https://institute.example.org' }
}

describe.each(LOCALES)('the texts in %s', (locale) => {
  const values = sample(locale)

  test('use only variables that have a value', () => {
    for (const { key, subject, body } of DEFAULTS.filter((one) => one.locale === locale)) {
      const allowed = allowedVariables(key)
      for (const name of variablesOf(`${subject} ${body}`)) {
        expect([...allowed, 'data.title', 'data.message'], key).toContain(name)
        expect(Object.keys(values), key).toContain(name)
      }
    }
  })

  test('isolate what is in the other direction', () => {
    const mark = /\p{Script=Hebrew}|\p{Script=Arabic}/v
    for (const key of DEFAULT_KEYS) {
      const named = { ...values, recipientName: 'دانا דנה' }
      const body = fillIn(defaultTemplate(key, 'email', locale)?.body ?? '', named, locale)
      if (locale === 'en') expect(body.replaceAll(/\u2068[^\u2069]*\u2069/g, '')).not.toMatch(mark)
    }
    const rtl = fillIn('{{invoiceNumber}}', values, locale)
    expect(rtl).toBe(locale === 'en' ? 'INV-2026-000001' : '\u2068INV-2026-000001\u2069')
  })
})

/** A line that is read by itself takes its direction from the first letter that stands in no isolate. */
test.each(['ar', 'he'] as const)('every line in %s runs from right to left by itself', (locale) => {
  const own = locale === 'ar' ? /\p{Script=Arabic}/v : /\p{Script=Hebrew}/v
  const lines = DEFAULTS.filter((one) => one.locale === locale && one.key !== MESSAGE_KEY).flatMap(
    ({ subject, body }) => `${subject ?? ''}\n${body}`.split('\n'),
  )
  const disordered = lines.filter((line) => {
    const [letter] = line.replaceAll(/\{\{.*?\}\}/g, '').match(/\p{L}/v) ?? []
    return letter === undefined ? variablesOf(line).length > 1 : !own.test(letter)
  })
  expect(disordered).toEqual([])
})

test('a variable without a value leaves no gap where it stands alone', () => {
  const text = 'Hello,\n\n{{lines}}\n\nAmount: {{total}}\n\n{{footer}}\n\nBye'
  expect(fillIn(text, { lines: '', total: '5', footer: '' }, 'en')).toBe('Hello,\n\nAmount: 5\n\nBye')
  expect(fillIn(text, { lines: 'a\nb', total: '', footer: 'c' }, 'en')).toBe('Hello,\n\na\nb\n\nAmount: \n\nc\n\nBye')
})

test('every event, channel and language has a text of its own id', () => {
  expect(DEFAULTS).toHaveLength(DEFAULT_KEYS.length * CHANNELS.length * LOCALES.length)
  expect(new Set(DEFAULTS.map(({ id }) => id)).size).toBe(DEFAULTS.length)
  for (const { id } of DEFAULTS) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a value is never read for variables, and a missing one is nothing', () => {
  expect(fillIn('{{a}} {{ b }} {{c}}', { a: '{{b}}', b: 'two' }, 'en')).toBe('{{b}} two ')
})
