import * as v from 'valibot'
import { CURRENCIES } from '#kernel/values/money.ts'
import { storedIdentity } from '#kernel/values/identity-number.ts'
import { countryOfZone, normalisePhone } from '#kernel/values/phone.ts'
import { email } from '#kernel/values/schema.ts'
import { fold } from '#shared/text.ts'
import { digitsOf, orderOfDate, parseMoney, parseTypedDate, plainDigits } from '#shared/typed.ts'
import { isDate } from '#kernel/time/zone.ts'
import { RowRefused } from './complaints.ts'
import type { FieldType } from './field.ts'

/** What the cells of one file have in common. */
export interface CellContext {
  timezone: string
  today: string
  currency: string
}

/** How the dates of one column are written; `both`: some have the day first, and some the month. */
export type DateOrder = 'day' | 'month' | 'both'

/** By the words for it, folded. */
type Choices = ReadonlyMap<string, string>

const choices = (of: Readonly<Record<string, readonly string[]>>): Choices =>
  new Map(Object.entries(of).flatMap(([value, words]) => [value, ...words].map((word) => [fold(word), value])))

const GENDERS = choices({
  male: ['m', 'boy', 'man', 'ذكر', 'ولد', 'ז', 'זכר', 'בן', 'גבר'],
  female: ['f', 'girl', 'woman', 'أنثى', 'بنت', 'נ', 'נקבה', 'בת', 'אישה'],
  other: ['x', 'u', 'unspecified', 'آخر', 'غير ذلك', 'אחר'],
})

/** Gibbon's and RosarioSIS' words for them are among these. */
const STATUSES = choices({
  lead: [
    'registered',
    'مسجَّل مبدئيًا',
    'רישום ראשוני',
    'expected',
    'pending approval',
    'applicant',
    'مهتم',
    'محتمل',
    'מתעניין',
    'מתעניינת',
  ],
  active: [
    'full',
    'enrolled',
    'current',
    'y',
    'yes',
    'نشط',
    'فعال',
    'فعّالة',
    'منتظم',
    'פעיל',
    'פעילה',
    'לומד',
    'לומדת',
  ],
  paused: ['בהפסקה', 'on hold', 'متوقف مؤقتا', 'موقوف مؤقتا', 'מושהה', 'בהקפאה'],
  graduated: ['تخرّج', 'סיום לימודים', 'alumni', 'متخرج', 'خريج', 'בוגר', 'בוגרת', 'סיים'],
  withdrawn: [
    'غادر',
    'עזיבה',
    'left',
    'inactive',
    'dropped',
    'n',
    'no',
    'منسحب',
    'غير نشط',
    'פרש',
    'פרשה',
    'לא פעיל',
    'עזב',
  ],
})

const RELATIONSHIPS = choices({
  mother: ['mom', 'mum', 'أم', 'الأم', 'والدة', 'אם', 'אמא', 'האם'],
  father: ['dad', 'أب', 'الأب', 'والد', 'אב', 'אבא', 'האב'],
  grandparent: ['grandmother', 'grandfather', 'جد', 'جدة', 'جد أو جدة', 'סבא או סבתא', 'סבא', 'סבתא'],
  sibling: ['brother', 'sister', 'أخ', 'أخت', 'brother or sister', 'أخ أو أخت', 'אח או אחות', 'אח', 'אחות'],
  spouse: ['husband', 'wife', 'زوج أو زوجة', 'בן או בת זוג', 'زوج', 'زوجة', 'בן זוג', 'בת זוג', 'בעל', 'אישה'],
  guardian: ['legal guardian', 'הורה או אפוטרופוס', 'وصي', 'ولي أمر', 'ولي الأمر', 'אפוטרופוס', 'הורה'],
  other: ['غير ذلك', 'aunt', 'uncle', 'آخر', 'عم', 'خال', 'عمة', 'خالة', 'אחר', 'דוד', 'דודה'],
})

const YES_NO = choices({
  true: ['yes', 'y', '1', 'active', 'full', 'نعم', 'فعال', 'כן', 'פעיל', 'פעילה', '✓'],
  false: ['no', 'n', '0', 'inactive', 'left', 'لا', 'غير فعال', 'לא', 'לא פעיל', 'לא פעילה'],
})

const choose = (among: Choices, text: string): string => {
  const chosen = among.get(fold(text))
  if (chosen === undefined) throw new RowRefused('not_a_choice')
  return chosen
}

/** A spreadsheet adds the time of midnight to a date. */
const dateOnly = (text: string): string => text.replace(/[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z| ?[AP]M)?$/i, '')

/** What a cell says of the order of the dates in its column; see `orderOfDate`. */
export const orderInCell = (text: string): ReturnType<typeof orderOfDate> => orderOfDate(dateOnly(text))

const dateIn = (text: string, order: DateOrder, latest?: string): string => {
  if (order === 'both' && orderInCell(text) === 'either') throw new RowRefused('ambiguous_date')
  const date = parseTypedDate(dateOnly(text), latest, order === 'month')
  if (date === undefined || !isDate(date)) throw new RowRefused('not_a_date')
  return date
}

/** What people write into a cell that they leave empty, folded: dashes fold to nothing. */
const NOTHING = new Set(['', '0', 'none', 'אין', 'لا يوجد', 'لايوجد'].map(fold))

/** Whether a cell says nothing; no money, and no, are something. */
export const isNothing = (type: FieldType, text: string): boolean => {
  const folded = fold(text)
  return NOTHING.has(folded) && !(folded === '0' && (type === 'amount' || type === 'yesNo'))
}

const KNOWN_PHONE = choices({
  link: ['yes', 'y', 'same', 'ربط', 'نعم', 'קישור', 'לקשר', 'כן'],
  refuse: ['no', 'n', 'رفض', 'لا', 'לא'],
})

const READ: Readonly<Record<FieldType, (text: string, context: CellContext, order: DateOrder) => unknown>> = {
  text: (text) => text,
  identity: (text, { timezone }) => storedIdentity(text, timezone),
  number: (text) => {
    const plain = plainDigits(text).trim().toUpperCase()
    const digits = /^(?:S-?)?0*(\d{1,6})$/.exec(plain)?.[1]
    if (digits === undefined) throw new RowRefused('wrong_number')
    return `S-${digits.padStart(6, '0')}`
  },
  phone: (text, { timezone }) => {
    const country = countryOfZone(timezone)
    // A spreadsheet takes the zero in front of a number away.
    const phone = normalisePhone(text, country) ?? normalisePhone(`0${text}`, country)
    if (phone === undefined) throw new RowRefused('not_a_phone')
    return phone
  },
  email: (text) => {
    if (!v.is(email, text)) throw new RowRefused('not_an_email')
    return text
  },
  date: (text, _, order) => dateIn(text, order),
  birthDate: (text, { today }, order) => {
    const date = dateIn(text, order, today)
    if (date > today) throw new RowRefused('in_future')
    return date
  },
  amount: (text, { currency }) => {
    const minor = parseMoney(text, digitsOf(currency))
    if (minor === undefined) throw new RowRefused('not_an_amount')
    return minor
  },
  currency: (text) => {
    const code = text.toUpperCase()
    const meant = { '₪': 'ILS', NIS: 'ILS', $: 'USD', '€': 'EUR', 'ש"ח': 'ILS', שח: 'ILS', شيكل: 'ILS' }[code] ?? code
    if (!(CURRENCIES as readonly string[]).includes(meant)) throw new RowRefused('not_a_choice')
    return meant
  },
  tags: (text) =>
    text
      .split(/[,;|\u060C]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  gender: (text) => choose(GENDERS, text),
  studentStatus: (text) => choose(STATUSES, text),
  relationship: (text) => choose(RELATIONSHIPS, text),
  yesNo: (text) => choose(YES_NO, text) === 'true',
  knownPhone: (text) => choose(KNOWN_PHONE, text),
}

/**
 * The value that a cell holds; the cell is not empty.
 * @param order of the dates in its column
 * @throws RowRefused
 */
export const valueIn = (type: FieldType, text: string, context: CellContext, order: DateOrder): unknown =>
  READ[type](text, context, order)
