import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ar as arConsole } from '../../../src/console/words/ar/index.ts'
import { en as enConsole } from '../../../src/console/words/en/index.ts'
import { he as heConsole } from '../../../src/console/words/he/index.ts'
import { words as arAuthorize } from '../../../web-setup/words/ar/authorize.ts'
import { words as arLicense } from '../../../web-setup/words/ar/license.ts'
import { words as arLinks } from '../../../web-setup/words/ar/links.ts'
import { words as arWizard } from '../../../web-setup/words/ar/wizard-steps.ts'
import { words as enAuthorize } from '../../../web-setup/words/en/authorize.ts'
import { words as enLicense } from '../../../web-setup/words/en/license.ts'
import { words as enLinks } from '../../../web-setup/words/en/links.ts'
import { words as enWizard } from '../../../web-setup/words/en/wizard-steps.ts'
import { words as heAuthorize } from '../../../web-setup/words/he/authorize.ts'
import { words as heLicense } from '../../../web-setup/words/he/license.ts'
import { words as heLinks } from '../../../web-setup/words/he/links.ts'
import { words as heWizard } from '../../../web-setup/words/he/wizard-steps.ts'
import { he as heads } from '../../../src/http/list-files/heads/he/index.ts'
import { ar as arabicMessages } from '../../../src/modules/notifications/texts/ar.ts'
import { he as hebrewMessages } from '../../../src/modules/notifications/texts/he.ts'
import { ar as arabicPapers } from '../../../src/modules/papers/words/ar.ts'
import { he as hebrewPapers } from '../../../src/modules/papers/words/he.ts'
import { Format } from '../../../src/console/words/format.ts'
import { isolate } from '#shared/isolate.ts'
import type { Locale } from '#shared/locale.ts'

/** Of the console, and of the pages beside it. */
const ar = { ...arConsole, ...arAuthorize, ...arLicense, ...arLinks, ...arWizard }
const en = { ...enConsole, ...enAuthorize, ...enLicense, ...enLinks, ...enWizard }
const he = { ...heConsole, ...heAuthorize, ...heLicense, ...heLinks, ...heWizard }

type Entry = string | ((...values: never[]) => string)

/** Every text and function of the words of a language, by its path. */
const flat = (words: object, path = ''): [string, Entry][] =>
  Object.entries(words).flatMap(([key, value]: [string, Entry | object]) =>
    typeof value === 'object' ? flat(value, `${path}${key}.`) : [[path + key, value] as [string, Entry]],
  )

const ENGLISH = new Map(flat(en))
const NUMBERS = [0, 1, 2, 3, 11, 100]

/** What stands for a name in a sentence. */
const NAMES = { en: 'Dana', ar: 'دانا', he: 'דנה' }

/** The names of makers and standards are the same in every language. */
const SAME_EVERYWHERE = new RegExp(
  [
    '(?:Google|Microsoft) Authenticator|QR|MCP|passkeys?|YouTube|Vimeo|TeraBox|WhatsApp|Twilio|Meta|SMS|Gmail|Google(?: Workspace)?|Microsoft 365|Authenticated SMTP|Outlook|Yahoo|Zoho',
    'Chrome|Firefox|Safari|Edge|Android|iPhone|iPad|Postgres|Excel|Word|PDF|CSV|ZIP|UTC|PNG|JPEG|WebP|GIF|MB|English|Enter|Ctrl|Esc|\\bxlsx?\\b|DNS(?: rebind protection)?|container|TXT|\\bS-',
    // What whoever looks after a server types there.
    'HTTPS|pg_restore|INSTITUTE_MASTER_KEY|\\.tar\\.gz|\\.age|INSTITUTE_TLS_CERT|SHA-256|Let’s Encrypt|INSTITUTE_LAN_NAME|(?:school-nablus)?\\.local|school-nablus|localhost|Windows|Thumbprint|institute https off|proxy_read_timeout 120s|client_max_body_size 20m|INSTITUTE_BASE_URL|nginx|proxy|institute license-key create',
    // Of the wizard.
    '\\b[az]\\b|API|ILS|USD|EUR|Wi-Fi|outlook\\.com|hotmail\\.com',
    // Addresses, and the digits of a colour.
    'https?(?:://\\S+)?|\\b(?:\\w+\\.)+(?:com|org)(?:/\\S+)?|#\\w{6}|\\b[AF]\\b',
  ].join('|'),
  'g',
)

const LETTERS = { en: /\p{Script=Latin}/u, ar: /\p{Script=Arabic}/u, he: /\p{Script=Hebrew}/u }

/** What a text may become: by numbers where it takes one, else with a name in each place. */
const saidBy = (entry: Entry, name: string): string[] => {
  if (typeof entry === 'string') return [entry]
  const say = entry as (...values: unknown[]) => string
  return [...NUMBERS.map((count) => Array.from({ length: say.length }, () => count)), [name, name, name, name]].map(
    (values) => say(...values),
  )
}

test.each([
  ['Arabic', ar],
  ['Hebrew', he],
])('%s has each word that English has, a text for a text and a function for a function', (_, words) => {
  const shape = (of: Iterable<[string, Entry]>) => [...of].map(([path, entry]) => `${path}: ${typeof entry}`).toSorted()
  expect(shape(flat(words))).toEqual(shape(ENGLISH))
})

test.each([
  ['Arabic', ar],
  ['Hebrew', he],
])('%s names the same commands, addresses and settings as English', (_, words) => {
  const named = (entry: Entry | undefined) =>
    typeof entry === 'string' ? [...entry.matchAll(/\u2068([^\u2069]*)\u2069/g)].map(([, code]) => code).toSorted() : []
  const own = flat(words).filter(([path]) => /^(?:authorize|license|links|wizard|wizardMove|wizardSteps)\./.test(path))
  expect(own.length).toBeGreaterThan(200)
  for (const [path, entry] of own) expect(named(entry), path).toEqual(named(ENGLISH.get(path)))
})

describe.each([
  ['en', en],
  ['ar', ar],
  ['he', he],
] as const)('each text of %s', (locale, words) => {
  const all = flat(words).flatMap(([path, entry]) =>
    saidBy(entry, NAMES[locale]).map((text) => ({ path, text, isFixed: typeof entry === 'string' })),
  )

  test('says something for every number, and nothing that is not a word', () => {
    const bad = all.filter(({ text }) => text.trim() === '' || /undefined|NaN|null|\[object|[{}`]|\$\{/.test(text))
    expect(bad).toEqual([])
  })

  test('is in its own language', () => {
    // Of some functions everything but signs is what they are given.
    const hasWords = (text: string) => /\p{L}/u.test(text)
    const own = LETTERS[locale]
    // A text that takes no value isolates commands, addresses and settings alone.
    const foreign = all.filter(({ text, isFixed }) => {
      const letters = (isFixed ? text.replaceAll(/\u2068[^\u2069]*\u2069/g, '') : text).replaceAll(SAME_EVERYWHERE, '')
      return (hasWords(letters) && !own.test(letters)) || (locale !== 'en' && LETTERS.en.test(letters))
    })
    expect(foreign).toEqual([])
  })

  test('has no space at its ends, and none that is doubled', () => {
    expect(all.filter(({ text }) => text !== text.trim() || /\s{2}/.test(text))).toEqual([])
  })
})

test('a refusal says in each language what happened and what to do: two sentences, or one that says both', () => {
  for (const { refusals } of [en, ar, he]) {
    for (const text of [...Object.values(refusals.reasons), ...Object.values(refusals.codes)]) {
      expect(text).toMatch(/[.?!]$/)
      expect(text.split(/\s+/).length, text).toBeGreaterThan(2)
    }
  }
})

/**
 * What an office here has another word for: who reads one thing under two names takes it for two. And a Hebrew abbreviation has
 * its own marks, which no quotation mark of a typewriter stands for.
 */
test.each([
  [
    'Hebrew',
    /חשבון לתשלום|הפק[הת]|הופק(?!ד)|המחאה|אסמכתה|המוסד|דו״ח|[א-ת]["'][א-ת]/,
    [he, hebrewPapers, hebrewMessages, heads],
  ],
  [
    'Arabic',
    /موعد الدفع|انقضى موعد|الأوراق|الورقة|تحويل مصرفي|المورّد|معلم(?!\p{M})|ولي أمر/u,
    [ar, arabicPapers, arabicMessages],
  ],
])('%s calls one thing by one word, on pages, on papers and in messages', (_, retired, kept) => {
  const texts = kept
    .flatMap((words: object) => flat(words))
    .flatMap(([path, entry]) => {
      // Of the console, what functions say too; those of papers and messages take more than a name.
      const isOfConsole = typeof entry === 'string' || flat(kept[0] as object).some(([, own]) => own === entry)
      return isOfConsole ? saidBy(entry, '–').map((text) => ({ path, text })) : []
    })
  // Papers have no vowel marks.
  expect(texts.filter(({ path, text }) => path !== 'roster.teacher' && retired.test(text))).toEqual([])
})

test('today is the day of the institute, whatever day it is elsewhere', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-31T22:30:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const days = ['Asia/Jerusalem', 'UTC', 'America/New_York'].map((zone) => {
    const format = new Format('en', zone)
    return [format.yesterday(), format.today(), format.tomorrow()]
  })
  expect(days).toEqual([
    ['2026-12-31', '2027-01-01', '2027-01-02'],
    ['2026-12-30', '2026-12-31', '2027-01-01'],
    ['2026-12-30', '2026-12-31', '2027-01-01'],
  ])
})

test('a list isolates each name, and Hebrew joins them by the letter that follows', () => {
  const listed = (locale: Locale, items: string[]) => new Format(locale, 'UTC').list(items)
  expect(listed('he', ['לינה', 'עלי'])).toBe(`${isolate('לינה')} ו${isolate('עלי')}`)
  expect(listed('he', ['לינה', 'Dana'])).toBe(`${isolate('לינה')} ו-${isolate('Dana')}`)
  expect(listed('en', ['Lina', 'Ali', 'Dana'])).toBe(`${isolate('Lina')}, ${isolate('Ali')} and ${isolate('Dana')}`)
})

test('a room whose name is a number says what it is', () => {
  const said = (name: string) => (['en', 'ar', 'he'] as const).map((locale) => new Format(locale, 'UTC').room(name))
  expect(said('3')).toEqual(['Room\u00a03', 'غرفة\u00a03', 'חדר\u00a03'])
  expect(said('Music room')).toEqual(['Music room', 'Music room', 'Music room'])
})

test('the size of a file begins with its number', () => {
  const written = (locale: Locale, count: number) => new Format(locale, 'UTC').bytes(count).replaceAll('\u00a0', ' ')
  expect((['en', 'ar', 'he'] as const).map((locale) => written(locale, 1000))).toEqual(['1 kB', '1 كيلوبايت', '1 kB'])
  expect(written('he', 1_000_000)).toBe('1 MB')
  expect(written('he', 3_450_000)).toBe('3.5 MB')
})

test('money is written as its language writes it: the sign of the shekel comes after the amount, in English before it', () => {
  const written = (locale: Locale) => new Format(locale, 'UTC').money({ amountMinor: 123_450, currency: 'ILS' })
  const plain = (text: string) => text.replaceAll('\u200f', '').replaceAll('\u00a0', ' ')
  expect((['en', 'ar', 'he'] as const).map((locale) => plain(written(locale)))).toEqual([
    '₪1,234.50',
    '1,234.50 ₪',
    '1,234.50 ₪',
  ])
})
