import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import document from '../../contract/openapi.json' with { type: 'json' }
import { kindOf, verbOf, type Entry } from '#shared/audit-acts.ts'
import { changesIn, detailsIn, type Said } from '#shared/audit-changes.ts'
import { sentenceOf, whoOf, type Telling } from '#shared/audit-sentence.ts'
import { AUDIT_WORDS } from '#shared/audit-words.ts'
import { LOCALES } from '#shared/locale.ts'
import { Written } from '#shared/written.ts'
import { auditWordsOf } from '../../../src/console/records/audit/telling.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { Format } from '../../../src/console/words/format.ts'
import { en } from '../../../src/console/words/en/index.ts'

const SOURCES = globSync(['src/modules/**/*.ts', 'src/app/**/*.ts']).map((file) => readFileSync(file, 'utf8'))

/** What is noted of an operation without the record before or after it: `audit({ entityType: 'user', … })`. */
const bareNotesIn = (source: string): { action: string; entityType: string }[] => {
  const [, ...parts] = source.split(/\bid: '([a-z-]+\.[a-zA-Z-]+)'/)
  return parts.flatMap((part, at) =>
    at % 2 === 0
      ? []
      : [...part.matchAll(/audit\(\{([^]*?)\}\)/g)].flatMap(([, note = '']) => {
          const entityType = /entityType: '([a-z_]+)'/.exec(note)?.[1]
          const action = /action: '([^']+)'/.exec(note)?.[1] ?? parts[at - 1] ?? ''
          return entityType === undefined || /before|after/.test(note) ? [] : [{ action, entityType }]
        }),
  )
}

const SAID: Said = {
  words: auditWordsOf(en),
  format: new Format('en', 'Asia/Jerusalem'),
  names: new Map([['b1', 'North']]),
  currency: 'ILS',
}
const unmarked = (sentence: string): string => sentence.replaceAll(/[\u2068\u2069]/g, '')

const entryOf = (entry: Partial<Entry>) => ({ before: null, after: null, entityId: null, ...entry }) as Entry

test('every act of which the log keeps no record is told by a verb of its own', () => {
  const notes = SOURCES.flatMap(bareNotesIn)
  expect(notes.length).toBeGreaterThan(20)
  expect(notes.filter((note) => verbOf(entryOf(note)) === 'other')).toEqual([])
})

test('what whoever runs the server does to an account is told by a verb of its own', () => {
  const actions = SOURCES.flatMap((source) =>
    [...source.matchAll(/action: '(user\.[a-z-]+)'/g)].map(([, one = '']) => one),
  )
  expect(actions.length).toBeGreaterThan(3)
  for (const action of actions) expect(verbOf(entryOf({ action, entityType: 'user' })), action).not.toBe('other')
})

test('every kind of record that the log names is called by a word', () => {
  const named = SOURCES.flatMap((source) =>
    [...source.matchAll(/entityType: '([a-z_]+)'/g)].map(([, kind]) => kind ?? ''),
  )
  const kinds: Partial<Record<string, string>> = { ...en.history.kinds, ...en.platformWork.log.kinds }
  expect([...new Set(named)].filter((kind) => kinds[kind] === undefined)).toEqual([])
})

test('an accepted invitation is told as one, and an invitation that was made is added', () => {
  const membership = { entityType: 'membership', before: {}, after: {} }
  expect(kindOf(entryOf({ action: 'invitations.accept', ...membership }))).toBe('invitation')
  expect(verbOf(entryOf({ action: 'members.invite', entityType: 'invitation', after: {} }))).toBe('add')
})

test('an institute that is locked is told as locked, with the reason, whoever did it', () => {
  const lock = entryOf({
    action: 'license.heartbeat',
    entityType: 'tenant',
    before: { status: 'active', lockedAt: null, lockedReason: null, lockedByPlatformAdminId: null },
    after: {
      status: 'suspended',
      lockedAt: '2026-12-01T10:00:00.000Z',
      lockedReason: 'Unpaid.',
      lockedByPlatformAdminId: null,
    },
  })
  expect(verbOf(lock)).toBe('lock')
  expect(verbOf({ ...lock, before: lock.after, after: lock.before })).toBe('unlock')
  expect(verbOf({ ...lock, after: { ...lock.before, name: 'Other' } })).toBe('change')
  expect(changesIn(lock, SAID).map(unmarked)).toEqual([
    'status: active became locked',
    'reason: nothing became Unpaid.',
  ])
})

test('roles that somebody has are told by their names, with the branch', () => {
  const role = (roleKey: string | null, roleName: string, branchId: string | null) => ({ roleKey, roleName, branchId })
  const entry = entryOf({
    before: { roles: [role('teacher', 'Lehrer', null)] },
    after: { roles: [role(null, 'Morning desk', 'b1')] },
  })
  expect(changesIn(entry, SAID).map(unmarked)).toEqual(['roles: Teacher became Morning desk (North)'])
})

/** Every act that the document of the API knows, and those that the program does by itself. */
const ACTIONS = [
  ...new Set([
    ...Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)),
    ...SOURCES.flatMap((source) => [...source.matchAll(/action: '([a-z-]+\.[a-zA-Z-]+)'/g)].map(([, one = '']) => one)),
  ]),
]

test.each(LOCALES)(
  'the file of the history says in %s of each act, and of each detail, what the page says',
  async (locale) => {
    const branch = ['0190a3c4-0000-7000-8000-000000000001', 'פרע الشمال'] as const
    const of = { names: new Map([branch]), accounts: new Map<string, string>(), currency: 'ILS' }
    const page: Telling = {
      ...of,
      words: auditWordsOf(await loadWords[locale]()),
      format: new Format(locale, 'Asia/Hebron'),
    }
    const file: Telling = { ...of, words: AUDIT_WORDS[locale], format: new Written(locale, 'Asia/Hebron') }
    expect(ACTIONS.length).toBeGreaterThan(400)
    const records = [
      null,
      { name: 'Nour נור', status: 'active', branchId: branch[0], basic_reports: true, priceMinor: 123_456 },
    ]
    const later = {
      ...records[1],
      status: 'paused',
      permissions: ['students.read'],
      phone: '+972501112233',
      basic_reports: false,
    }
    for (const action of ACTIONS) {
      for (const entityType of ['student', 'session', 'user', 'membership', 'a_new_kind']) {
        for (const before of records) {
          for (const after of [null, later]) {
            const entry = {
              ...entryOf({ action, entityType, before, after }),
              actorType: 'system',
              channel: 'system',
              actorName: null,
            }
            expect(sentenceOf(entry, file)).toBe(sentenceOf(entry, page))
            expect(whoOf(entry, file)).toBe(whoOf(entry, page))
            expect(changesIn(entry, file)).toEqual(changesIn(entry, page))
            expect(detailsIn(entry, 'after', file)).toEqual(detailsIn(entry, 'after', page))
          }
        }
      }
    }
  },
)

test('the name of a record keeps its own direction in the sentence and in each detail', () => {
  const said: Telling = {
    words: AUDIT_WORDS.ar,
    format: new Written('ar', 'Asia/Hebron'),
    names: new Map(),
    accounts: new Map(),
    currency: 'ILS',
  }
  const entry = {
    ...entryOf({ action: 'groups.create', entityType: 'group', after: { name: 'Math 101' } }),
    actorName: 'Dana',
    actorType: 'user',
  }
  for (const name of ['Dana', 'Math 101']) expect(sentenceOf(entry, said)).toContain(`\u2068${name}\u2069`)
  expect(detailsIn(entry, 'after', said)).toEqual([expect.stringContaining('\u2068Math 101\u2069')])
  expect(detailsIn(entry, 'before', said)).toEqual([])
})
