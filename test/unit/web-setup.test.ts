import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { docsPages } from '#app/pages/docs.ts'
import { setupPages } from '#app/pages/setup-pages.ts'
import { WEAK } from '#kernel/who/new-password.ts'
import { email, name as nameOf } from '#kernel/values/schema.ts'
import { weaknessOf } from '#kernel/who/weak-passwords.ts'
import { runCommandLine } from '../../src/commands/run.ts'

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

/** As they are served: address and HTML. */
const SETUP = setupPages().map(({ address, html }) => [address, html()] as const)
const PAGES = [...SETUP, ...DOCS]

/** The modules of the pages are plain browser scripts. Those that are loaded here do not use the document. */
const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(path.join(FOLDER, 'assets', name)).href)) as T

const texts = async (language: string): Promise<Record<string, string>> =>
  (await load<{ default: Record<string, string> }>(`i18n/${language}.js`)).default

const namesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()
const codeIn = (text: string): string[] => (text.match(/`[^`]+`/g) ?? []).toSorted()

describe('the texts', async () => {
  const english = await texts('en')
  const scripts = filesOf('.js').filter((name) => !name.includes('i18n'))

  /** All keys in attributes of the pages, and all strings in the scripts that look like a key. */
  const used = new Set([
    ...PAGES.flatMap(([, html]) => [...html.matchAll(/\bdata-t(?:-label)?="([^"]+)"/g)].map((match) => match[1])),
    ...scripts
      .flatMap((name) => [...read(name).matchAll(/'([a-zA-Z]+(?:\.[a-zA-Z]+)+)'/g)].map((match) => match[1]))
      .filter((key) => Object.keys(english).some((known) => known.split('.')[0] === key?.split('.')[0])),
  ])

  test.each(['ar', 'he'])('%s has the keys of en, in the same order', async (language) => {
    expect(Object.keys(await texts(language))).toEqual(Object.keys(english))
  })

  test.each(['ar', 'he', 'en'])('%s leaves nothing empty', async (language) => {
    const empty = Object.entries(await texts(language)).filter(([, text]) => text.trim() === '')
    expect(empty).toEqual([])
  })

  test.each(['ar', 'he'])('%s names the same values and the same code as en', async (language) => {
    const translated = await texts(language)
    const placed = (all: Record<string, string>) =>
      Object.entries(all).map(([key, text]) => ({ key, names: namesIn(text), code: codeIn(text) }))
    expect(placed(translated)).toEqual(placed(english))
  })

  test('every command that a person is told to type there exists', async () => {
    const told = [
      ...Object.values(english).flatMap(codeIn),
      ...SETUP.flatMap(([, html]) => html.match(/<code[^<]*/g) ?? []),
    ]
    const commands = new Set(told.flatMap((code) => /\binstitute ([a-z-]+)/.exec(code)?.[1] ?? []))
    expect([...commands].toSorted()).toEqual(['setup-token'])
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    for (const command of commands) expect(await runCommandLine([command, '--help']), command).toBe(0)
    out.mockRestore()
  })

  test('every key that a page or a script uses exists', () => {
    expect([...used].filter((key) => key === undefined || !(key in english))).toEqual([])
  })

  test('every text is used', () => {
    expect(Object.keys(english).filter((key) => !used.has(key))).toEqual([])
  })
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

  test.each(PAGES)('%s keeps to its content security policy: nothing inline, nothing from elsewhere', (_, page) => {
    // But for the one script whose hash the policy names.
    const rest = page.replace(`<script>${read('floor.js')}</script>`, '')
    expect(rest).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/)
    const addresses = [...page.matchAll(/\s(?:src|href|action)="([^"]+)"/g)].map((match) => match[1])
    expect(
      addresses.filter(
        (address) =>
          // An empty one is the page itself.
          !/^$|^\/($|forgot-password$|setup\/assets\/|docs$|docs\/guide\.css$|docs\/(guide|server)(\/[a-z-]+)?$|openapi\.json$)/.test(
            address ?? '',
          ),
      ),
    ).toEqual([])
  })

  test.each(PAGES)('%s describes each field by elements that are there, and labels it', (_, page) => {
    const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]))
    const referred = [...page.matchAll(/\s(?:for|aria-describedby|aria-labelledby|aria-controls|data-copy)="([^"]+)"/g)]
    expect(referred.flatMap((match) => (match[1] ?? '').split(' ')).filter((id) => !ids.has(id))).toEqual([])
  })

  test.each(filesOf('.css'))('%s mirrors itself: no physical sides', (name) => {
    const physical =
      /(?:margin|padding|border|inset)-(?:left|right|top|bottom)\b|text-align: (?:left|right)|^\s*(?:left|right|top|bottom|width|height):/m
    expect(read(name)).not.toMatch(physical)
  })
})

describe('the short name', async () => {
  const { slugFor } = await load<{ slugFor: (name: string) => string }>('lib/slug.js')

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

describe('the address of the server', async () => {
  const { rootAddress, faultOfAddress, cautionAbout, setupTokenIn } = await load<{
    rootAddress: (typed: string) => string | null
    faultOfAddress: (typed: string) => string | null
    cautionAbout: (root: string) => string | null
    setupTokenIn: (pasted: string) => string
  }>('lib/address.js')

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
    ['https://example.org/office', 'address.url.path'],
    ['example.org:8080/setup/office', 'address.url.path'],
    ['two words', 'address.url.wrong'],
    ['school.local:8080/setup/', null],
  ])('%j is told as %j', (typed, fault) => {
    expect(faultOfAddress(typed)).toBe(fault)
  })

  test.each([
    ['http://localhost:8080', 'loopback'],
    ['http://127.0.0.1', 'loopback'],
    ['http://[::1]:8080', 'loopback'],
    ['http://192.168.1.20:8080', null],
    ['http://172.32.0.1', 'plain-http'],
    ['http://school.local', null],
    ['http://office.example.org', 'plain-http'],
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

describe('what the server refuses the page refuses', async () => {
  const { isEmail, isName } = await load<Record<'isEmail' | 'isName', (value: string) => boolean>>('lib/rules.js')

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

describe('the time zone', async () => {
  const { currencyFor, zoneChoices } = await load<{
    currencyFor: (zone: string) => string
    zoneChoices: (language: string, own: string) => { value: string; label: string }[]
  }>('lib/zones.js')
  const { matching } = await load<{
    matching: (choices: { value: string }[], query: string) => { value: string }[]
  }>('lib/combobox.js')

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

  test.each<[string, string, string]>([
    ['en', 'tel aviv', 'Asia/Jerusalem'],
    ['en', 'new york', 'America/New_York'],
    ['ar', 'القاهره', 'Africa/Cairo'],
    ['ar', 'عمان', 'Asia/Amman'],
    ['he', 'חיפה', 'Asia/Jerusalem'],
    ['he', 'Europe/London', 'Europe/London'],
    ...['ar', 'he', 'en'].flatMap((language): [string, string, string][] => [
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
    for (const own of ['Asia/Jerusalem', 'UTC'])
      expect(matching(zoneChoices(language, own), query)[0]?.value).toBe(zone)
  })

  test('the list begins with the person’s own zone and its neighbours', () => {
    const first = zoneChoices('ar', 'Asia/Jerusalem').map(({ value }) => value)
    expect(first[0]).toBe('Asia/Jerusalem')
    expect(first.slice(1, 8)).toEqual(expect.arrayContaining(['Asia/Hebron', 'Asia/Gaza', 'Asia/Amman', 'Asia/Beirut']))
    expect(
      zoneChoices('en', 'Europe/Paris')
        .slice(0, 2)
        .map(({ value }) => value.split('/')[0]),
    ).toEqual(['Europe', 'Europe'])
  })

  test('a zone is called by its cities, or its country, in the language of the page', () => {
    const labels = (language: string) =>
      Object.fromEntries(zoneChoices(language, 'Asia/Jerusalem').map(({ value, label }) => [value, label]))
    expect(labels('ar')).toMatchObject({ 'Asia/Jerusalem': 'القدس، تل أبيب، حيفا، الناصرة', 'Asia/Tokyo': 'اليابان' })
    expect(labels('he')).toMatchObject({ 'Asia/Jerusalem': 'ירושלים, תל אביב, חיפה, נצרת', 'Asia/Tokyo': 'יפן' })
  })
})

describe('the advice on a password', async () => {
  type Advice = { strength: string; key: string | null }
  const { adviseOn } = await load<{
    adviseOn: (password: string, own: string[], look: typeof weaknessOf) => Advice
  }>('lib/password.js')
  const english = await texts('en')

  test.each([
    ['', 'empty'],
    ['short', 'short'],
    ['aaaaaaaaaaaaaaaa', 'weak'],
    ['12345678901', 'weak'],
    ['layla@example.org', 'weak'],
    ['haddad2026', 'weak'],
    ['Password2024!', 'weak'],
    ['teapot ladder', 'fair'],
    ['teapot ladder green 4', 'good'],
    ['haddad and a long sentence after it', 'good'],
  ])('%j is %s', (password, strength) => {
    expect(adviseOn(password, ['Layla Haddad', 'layla@example.org'], weaknessOf).strength).toBe(strength)
  })

  test.each(Object.entries(WEAK))('on one that is %s says what the API says', (weakness, words) => {
    const { key } = adviseOn('a long password', [], () => weakness as keyof typeof WEAK)
    expect(english[key ?? '']).toBe(words)
  })
})

describe('the language of a page', async () => {
  const { preferredLanguage } = await load<{
    preferredLanguage: (asked: string | null, offered: string[]) => string
  }>('lib/text.js')

  test.each([
    ['he', ['ar'], 'he'],
    [null, ['fr-FR', 'ar-PS', 'en'], 'ar'],
    [null, ['iw-IL'], 'he'],
    ['xx', ['de'], 'en'],
  ])('asked for %j with a browser of %j is %s', (asked, offered, language) => {
    expect(preferredLanguage(asked, offered)).toBe(language)
  })
})
