import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { docsPages } from '#app/pages/docs.ts'
import { WEAK } from '#kernel/who/new-password.ts'
import { email, name as nameOf } from '#kernel/values/schema.ts'
import { weaknessOf } from '#kernel/who/weak-passwords.ts'
import { runCommandLine } from '../../src/commands/run.ts'
import { spokenLocale } from '../../src/console/words/locale.ts'
import type { Locale } from '../../src/shared/locale.ts'
import { strengthOf } from '../../web-setup/rules/password.ts'
import { cautionAbout, faultOfAddress, rootAddress, setupTokenIn } from '../../web-setup/rules/address.ts'
import { currencyFor } from '../../web-setup/rules/currency.ts'
import { isEmail, isName } from '../../web-setup/rules/names.ts'
import { slugFor } from '../../web-setup/rules/slug.ts'
import { matching, zonesIn } from '../../src/console/words/zones.ts'
import { password as english } from '../../web-setup/words/en/password.ts'
import { words as wizard } from '../../web-setup/words/en/wizard-steps.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../web-setup')

const filesOf = (extension: string): string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(extension))

const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8')

/** The pages of /docs, by their address. */
const DOCS = (['guide', 'server'] as const).flatMap((section) => {
  const { overview, below } = docsPages(section)
  return [['', overview] as const, ...below].map(
    ([name, file]) => [path.posix.join('/docs', section, name), file.get().body.toString('utf8')] as const,
  )
})

test('every command that a person is told to type in the wizard exists', async () => {
  const told = JSON.stringify(wizard)
  const commands = new Set([...told.matchAll(/\u2068institute ([a-z- ]+)/g)].map(([, command = '']) => command))
  expect([...commands].toSorted()).toEqual(['setup-token', 'user reset-second-factor'])
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  for (const command of commands) expect(await runCommandLine([...command.split(' '), '--help']), command).toBe(0)
  out.mockRestore()
})

describe('the pages', () => {
  test('of /docs name commands that there are', async () => {
    const code = DOCS.flatMap(([, html]) =>
      [...html.matchAll(/<code(?: [^>]*)?>([^<]*)</g)].map(([, text = '']) => text),
    )
    const named = code.flatMap((text) => [...text.matchAll(/^(?:sudo )?institute ([a-z-]+(?: [a-z][a-z-]+)?)/gm)])
    const commands = new Set(named.map(([, words = '']) => words))
    expect(commands.size).toBeGreaterThan(25)
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    for (const words of commands) expect(await runCommandLine(['help', ...words.split(' ')]), words).toBe(0)
    out.mockRestore()
  })

  test.each(DOCS)('%s keeps to its content security policy: nothing inline, nothing from elsewhere', (_, page) => {
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/)
    const addresses = [...page.matchAll(/\s(?:src|href|action)="([^"]+)"/g)].map((match) => match[1])
    expect(
      addresses.filter(
        (address) =>
          !/^\/($|setup\/assets\/|docs$|docs\/guide\.css$|docs\/(guide|server)(\/[a-z-]+)?$|openapi\.json$)/.test(
            address ?? '',
          ),
      ),
    ).toEqual([])
  })

  test.each(filesOf('.css'))('%s mirrors itself: no physical sides', (name) => {
    const physical =
      /(?:margin|padding|border|inset)-(?:left|right|top|bottom)\b|text-align: (?:left|right)|^\s*(?:left|right|top|bottom|width|height):/m
    expect(read(name)).not.toMatch(physical)
  })
})

describe('the short name', () => {
  test.each([
    ['', ''],
    ['Al-Noor Institute', 'al-noor-institute'],
    ['  École Élite, 2  ', 'ecole-elite-2'],
    ['معهد النور', 'maahad-al-noor'],
    ['مَعْهَد العربية', 'maahad-al-arabiya'],
    ['مركز للغات', 'markaz-lughat'],
    ['معهد النور للغات', 'maahad-al-noor-lughat'],
    ['أكاديمية القدس', 'academia-al-quds'],
    ['مركز المستقبل للتعليم والتدريب', 'markaz-al-mustaqbal-taleem-wa-tadreeb'],
    ['معهد الفرسان', 'maahad-al-farsan'],
    ['מכון האור', 'machon-haor'],
    ['בית ספר למוזיקה', 'beit-sefer-lemuzika'],
    ['אולפן עברית תל אביב', 'ulpan-ivrit-tel-aviv'],
    ['בית המדרש הקהילתי', 'beit-hamidrash-hakehilati'],
    ['מרכז כהן לקידום ילדים', 'merkaz-cohen-lekidum-yeladim'],
    ['מכון זמר', 'machon-zemer'],
    ['מכון אור', 'machon-or'],
    ['תורה', 'torah'],
    ['מרכז “שלום”', 'merkaz-shalom'],
    ['日本', 'institute'],
  ])('of %j is %j', (name, slug) => {
    expect(slugFor(name)).toBe(slug)
  })

  test('is at most 63 characters long and ends in none but a letter or digit', () => {
    expect(slugFor('abcdefg '.repeat(20))).toMatch(/^(?:abcdefg-){7}abcdefg$/)
    expect(slugFor('abcdefgh '.repeat(20))).toMatch(/^(?:abcdefgh-){6}abcdefgh$/)
    expect(slugFor('a'.repeat(100))).toBe('a'.repeat(63))
  })
})

describe('the address of the server', () => {
  test.each([
    ['192.168.1.20:8080', 'http://192.168.1.20:8080'],
    ['school.local:8080/setup/', 'http://school.local:8080'],
    [' https://Office.Example.org/ ', 'https://office.example.org'],
    ['http://localhost:8080/setup/#token=abc', 'http://localhost:8080'],
    ['https://example.org/office', null],
    ['ftp://example.org', null],
    ['https://user@example.org', null],
    ['two words', null],
    ['', null],
  ])('in %j is %j', (typed, root) => {
    expect(rootAddress(typed)).toBe(root)
  })

  test.each([
    ['https://example.org/office', 'urlPath'],
    ['example.org:8080/setup/office', 'urlPath'],
    ['two words', 'urlWrong'],
    ['school.local:8080/setup/', null],
  ])('%j is told as %j', (typed, fault) => {
    expect(faultOfAddress(typed)).toBe(fault)
  })

  test.each([
    ['http://localhost:8080', 'loopback'],
    ['http://127.0.0.1', 'loopback'],
    ['http://[::1]:8080', 'loopback'],
    ['http://192.168.1.20:8080', null],
    ['http://172.32.0.1', 'plainHttp'],
    ['http://school.local', null],
    ['http://office.example.org', 'plainHttp'],
    ['https://office.example.org', null],
  ])('%s is told as %j', (root, caution) => {
    expect(cautionAbout(root)).toBe(caution)
  })

  test.each(['abc-123_X', ' abc-123_X\n', '#token=abc-123_X', 'http://localhost:8080/setup/#token=abc-123_X'])(
    'the setup token is found in %j',
    (pasted) => {
      expect(setupTokenIn(pasted)).toBe('abc-123_X')
    },
  )
})

describe('what the server refuses the page refuses', () => {
  test.each([
    'owner@example.org',
    'a.b+c@mail.example.org',
    "o'hara@example.org",
    'owner@localhost',
    'مدير@example.org',
    'owner@معهد.example',
    'מנהל@example.org',
    'owner@exämple.org',
    'owner',
    'owner@',
    'owner@example.org.',
    'owner@-example.org',
    'two words@example.org',
    '"quoted"@example.org',
    'owner@example.org, other@example.org',
    `${'a'.repeat(243)}@example.org`,
  ])('as an email address: %s', (value) => {
    expect(isEmail(value)).toBe(v.is(email, value))
  })

  test.each([
    'معهد النور',
    'מכון האור',
    'Al-Noor',
    'x\ny',
    '\u200f',
    'www.example.org',
    'https://a.example',
    'ｗｗｗ.a',
    'A: B',
  ])('as a name: %j', (value) => {
    expect(isName(value)).toBe(v.is(nameOf(200), value))
  })
})

describe('the time zone', () => {
  test.each([
    ['Asia/Jerusalem', 'ILS'],
    ['Asia/Hebron', 'ILS'],
    ['Europe/Berlin', 'EUR'],
    ['Asia/Nicosia', 'EUR'],
    ['Asia/Amman', 'USD'],
    ['America/New_York', 'USD'],
  ])('%s suggests %s', (zone, currency) => {
    expect(currencyFor(zone)).toBe(currency)
  })

  test.each<[Locale, string, string]>([
    ['en', 'tel aviv', 'Asia/Jerusalem'],
    ['en', 'new york', 'America/New_York'],
    ['ar', 'القاهره', 'Africa/Cairo'],
    ['ar', 'عمان', 'Asia/Amman'],
    ['he', 'חיפה', 'Asia/Jerusalem'],
    ['he', 'Europe/London', 'Europe/London'],
    ...(['ar', 'he', 'en'] as const).flatMap((language): [Locale, string, string][] => [
      [language, 'Jer', 'Asia/Jerusalem'],
      [language, 'Tel', 'Asia/Jerusalem'],
      [language, 'القدس', 'Asia/Jerusalem'],
      [language, 'תל', 'Asia/Jerusalem'],
      [language, 'رام', 'Asia/Hebron'],
      [language, 'jersey', 'Europe/Jersey'],
      [language, 'Tell City', 'America/Indiana/Tell_City'],
    ]),
    ['ar', 'اليابان', 'Asia/Tokyo'],
    ['he', 'יפן', 'Asia/Tokyo'],
  ])('in %s, %j finds %s first', (language, query, zone) => {
    for (const own of ['Asia/Jerusalem', 'UTC']) expect(matching(zonesIn(language, own), query)[0]?.id).toBe(zone)
  })

  test('the list begins with the person’s own zone and its neighbours', () => {
    const first = zonesIn('ar', 'Asia/Jerusalem').map(({ id }) => id)
    expect(first[0]).toBe('Asia/Jerusalem')
    expect(first.slice(1, 8)).toEqual(expect.arrayContaining(['Asia/Hebron', 'Asia/Gaza', 'Asia/Amman', 'Asia/Beirut']))
    expect(
      zonesIn('en', 'Europe/Paris')
        .slice(0, 2)
        .map(({ id }) => id.split('/')[0]),
    ).toEqual(['Europe', 'Europe'])
  })

  test('a zone is called by its cities, or its country, in the language of the page', () => {
    const labels = (language: Locale) =>
      Object.fromEntries(zonesIn(language, 'Asia/Jerusalem').map(({ id, label }) => [id, label]))
    expect(labels('ar')).toMatchObject({ 'Asia/Jerusalem': 'القدس، تل أبيب، حيفا، الناصرة', 'Asia/Tokyo': 'اليابان' })
    expect(labels('he')).toMatchObject({ 'Asia/Jerusalem': 'ירושלים, תל אביב, חיפה, נצרת', 'Asia/Tokyo': 'יפן' })
  })
})

describe('the advice on a password', () => {
  test.each([
    ['', 'empty'],
    ['short', 'short'],
    ['aaaaaaaaaaaaaaaa', 'repetitive'],
    ['12345678901', 'repetitive'],
    ['layla@example.org', 'related'],
    ['haddad2026', 'related'],
    ['Password2024!', 'common'],
    ['teapot ladder', 'fair'],
    ['teapot ladder green 4', 'good'],
    ['haddad and a long sentence after it', 'good'],
  ])('%j is %s', (password, strength) => {
    expect(strengthOf(password, ['Layla Haddad', 'layla@example.org'], weaknessOf)).toBe(strength)
  })

  test('on one that is weak says what the API says', () => {
    expect(english).toMatchObject(WEAK)
  })
})

describe('the language of a page', () => {
  test.each([
    [['fr-FR', 'ar-PS', 'en'], 'ar'],
    [['iw-IL'], 'he'],
    [['HE-IL'], 'he'],
    [['de'], undefined],
  ])('with a browser of %j is %s', (tags, language) => {
    expect(spokenLocale(tags)).toBe(language)
  })
})
