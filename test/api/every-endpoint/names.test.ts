import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { HOSTILE_TEXTS } from '#kit/fuzz/texts.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'

/**
 * Names are one line of text with any content. They come back as sent, without presentation forms, marks that nobody
 * sees and doubled blanks, or are refused. Notes come back as sent.
 */

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const INVISIBLE = ['\u200b', '\u200e\u202e', '\u2060\ufeff\u00ad', '\u3164', '\u2800']
const BROKEN = [
  'Dana\nLevi',
  'Dana\r\nBcc: a@b.example',
  'Dana\tLevi',
  'Dana\u0000',
  '\u001b]0;x\u0007',
  'a\u007fb',
  'a\u2029b',
]
const LINKS = ['www.evil.example', 'HTTP://evil.example/x', 'Dana https:evil.example']

/** Marks of direction and others without a width; the joiners only where the letters beside them need none. */
const UNSEEN = [
  '\u200b',
  '\u200e',
  '\u200f',
  '\u202b',
  '\u202c',
  '\u202e',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u061c',
  '\u2067',
  '\u2069',
]

/** An independent implementation of the rule, without the regular expressions of the schema. */
const cleaned = (given: string): string => {
  const shown = Array.from(given).filter((one) => !UNSEEN.includes(one))
  const text = shown
    .join('')
    .replaceAll('a\u200db', 'ab')
    .replaceAll('\ufedf\ufe90\ufee8\ufef0', '\u0644\u0628\u0646\u0649')
  return text
    .split(/[ \u00a0\u3000]+/)
    .filter(Boolean)
    .join(' ')
}

const isKept = (given: string): boolean => {
  const text = cleaned(given.trim())
  const characters = Array.from(text, (one) => one.codePointAt(0) as number)
  const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029
  const isLink = ['://', 'http:', 'https:', 'www.'].some((part) => text.toLowerCase().includes(part))
  return (
    text !== '' &&
    text.length <= 100 &&
    text.isWellFormed() &&
    !characters.some(isControl) &&
    !INVISIBLE.includes(text) &&
    !isLink
  )
}

const GOOD = ['נועה־לי', 'عَبْدُ ٱللّٰه', 'محـمد', 'علی\u200cرضا', 'Zoë', "O'Neil", '李', 'ﷺ', 'x'.repeat(100)]
const COPIED = [
  '\u202bדנה\u202c',
  '\u2067Dana\u2069 \u061c Levi',
  'Dana \u00a0\u3000  Levi',
  '\ufedf\ufe90\ufee8\ufef0',
  `x\u200e${'y'.repeat(99)}`,
]
const names = [...new Set([...HOSTILE_TEXTS, ...INVISIBLE, ...BROKEN, ...LINKS, ...GOOD, ...COPIED, 'x'.repeat(101)])]
const kept = names.filter(isKept)
const refused = names.filter((text) => !isKept(text))

describe('the name of a student', () => {
  test.each(kept)('%j is kept', async (name) => {
    const { owner, branchId } = institute
    const clean = cleaned(name.trim())
    const wanted = { firstName: clean, lastName: clean, fullName: `${clean} ${clean}` }
    const { status, body } = await owner.post('/students', { branchId, firstName: name, lastName: name })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject(wanted)
    expect((await owner.get(`/students/${body.id}`)).body).toMatchObject(wanted)
    expect((await owner.get('/students?limit=1')).body.data[0]).toMatchObject({ id: body.id, ...wanted })
    const { fullName: _, ...payload } = wanted
    expect((await eventsOf(app, institute, 'student.created')).at(-1)).toMatchObject({ studentId: body.id, ...payload })
    const changed = await owner.patch(`/students/${body.id}`, { firstName: 'Dana', notes: name })
    expect(changed.body).toMatchObject({ firstName: 'Dana', lastName: clean, notes: name.trim() })
  })

  test.each(refused)('%j is 422', async (name) => {
    const { owner, branchId } = institute
    for (const field of ['firstName', 'lastName']) {
      const student = { branchId, firstName: 'Dana', lastName: 'Levi', [field]: name }
      const { status, body } = await owner.post('/students', student)
      expect(status).toBe(422)
      expect(body.error.details.issues[0].path).toEqual([field])
    }
  })

  test('composed and decomposed letters are stored as they are, and either form finds them', async () => {
    const { owner, branchId } = await makeInstitute(app)
    for (const firstName of ['Zo\u00eb', 'Zoe\u0308'])
      await owner.post('/students', { branchId, firstName, lastName: 'Levi' })
    for (const q of ['Zo\u00eb', 'Zoe\u0308', 'zoe']) {
      const { body } = await owner.get(`/students?q=${encodeURIComponent(q)}`)
      expect(body.data.map(({ firstName }: { firstName: string }) => firstName)).toEqual(['Zoe\u0308', 'Zo\u00eb'])
    }
  })
})

test('every name of a person, an institute and a thing is kept clean, at every door', () => {
  const dirty = '\u200fal \u00a0pha\u202e'
  const taken = app.app.endpoints.flatMap(({ id, body }) => (body ? strings(body as AnySchema, id) : []))
  // The title of a member of staff is not a name, and that of a server is one of the network.
  const ofNames = taken.filter(([path]) =>
    /^(?!staff\.).*\.title$|^(?!server\.).*\.(name|fullName|firstName|lastName)$/.test(path),
  )
  const asSent = ofNames.filter(([, schema]) => v.parse(schema, dirty) !== 'al pha').map(([path]) => path)
  expect(ofNames.length - asSent.length).toBeGreaterThan(40)
  expect(asSent).toEqual([])
})

type AnySchema = v.GenericSchema & { entries?: Record<string, AnySchema>; wrapped?: AnySchema; item?: AnySchema }

/** Every string of a body, by its path. */
const strings = (schema: AnySchema, path: string): [string, AnySchema][] => {
  if (schema.wrapped) return strings(schema.wrapped, path)
  if (schema.item) return strings(schema.item, `${path}[]`)
  if (schema.entries) return Object.entries(schema.entries).flatMap(([key, one]) => strings(one, `${path}.${key}`))
  return schema.type === 'string' ? [[path, schema]] : []
}

/** Texts that are used exactly (compared, hashed, sealed or passed on) and never shown. */
const SECRETS =
  /^(?:setup\.check|server\.(?:open|restore))-backup\.key$|^setup\.restore\.copiesTo\.key$|\.(password|currentPassword|newPassword|token|refreshToken|setupToken|secret|captchaToken|storageKey|ticket)$/

test('no body of any endpoint accepts a control character in a stored text', () => {
  const found = app.app.endpoints.flatMap(({ id, body }) => (body ? strings(body as AnySchema, id) : []))
  expect(found.length).toBeGreaterThan(100)
  const texts = [
    'a\u001bb',
    '\u001b',
    'a\u0085b',
    'https://a\u001bb.example',
    'a\u001bb@example.org',
    '+9725012\u001b34567',
  ]
  const taking = found.filter(([, schema]) => texts.some((one) => v.safeParse(schema, one).success))
  expect(taking.map(([path]) => path).filter((path) => !SECRETS.test(path))).toEqual([])
})
