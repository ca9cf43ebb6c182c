/**
 * `node test/upgrade/keep.ts`: saves an institute in the current schema for the upgrade test, as kept/<last step>.json.
 * Run it when a version is released, before the first migration that follows.
 *
 * It runs the program from the sources, sets up an institute through the API, creates a few records of every kind, and
 * writes down every table as the program reads it (booleans, parsed JSON), so that both engines can be filled with it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Connection from 'better-sqlite3'
import { pino } from 'pino'
import { DEFAULTS, type Config } from '#app/config/config.ts'
import { compose } from '#app/compose.ts'
import { openDatabase } from '#app/open-database.ts'
import { filesOf } from '#app/data-dir/files.ts'
import { startPrinter } from '#ports/papers/typst/printer.ts'
import { requester } from '#runtime/change/requester.ts'
import { openSqlite } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { API_ROOT } from '#http/server/server.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { migrations } from '#migrations'
import { PUBLIC_ONLY, type Outbound } from '#ports/outbound/port.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { newSetup } from '#kit/setup.ts'
import { KEPT_MASTER_KEY, KEPT_OWNER, UNKEPT_TABLES, type Kept } from './kept.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- replies are read where their shape is known
type Reply = any

const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-keep-'))
const config: Config = { ...DEFAULTS, dataDir, host: '127.0.0.1', port: 0, masterKey: KEPT_MASTER_KEY }
const database = openDatabase(config)
await migrate(database, migrations)
const nobody: Outbound = {
  post: async () => ({ ok: false, status: null, error: 'nobody', durationMs: 0 }),
  get: async () => ({ ok: false, status: null, error: 'nobody', durationMs: 0 }),
  close: async () => {},
}
const log = pino({ level: 'error' })
const app = await compose(config, database, {
  clock: systemClock,
  log,
  passwords: createArgon2Passwords(),
  openMailer: () => ({ send: async () => ({ answer: '', passwordUnused: false }), close: async () => {} }),
  files: filesOf(config),
  papers: startPrinter({ log, requester }),
  outbound: nobody,
  push: { policy: PUBLIC_ONLY, outbound: nobody },
  txtRecords: { lookUp: async () => ({ problem: 'no_answer' }) },
})
const setup = newSetup(app.setupToken.ensure(), { owner: KEPT_OWNER })
const root = `http://127.0.0.1:${await app.listen()}${API_ROOT}`

let token = ''
const send = async (method: string, where: string, body?: unknown): Promise<Reply> => {
  const response = await fetch(root + where, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const reply = await response.text()
  if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${reply}`)
  return reply === '' ? undefined : JSON.parse(reply)
}
const post = (where: string, body?: unknown) => send('POST', where, body)

token = (await post('/setup/bootstrap', setup)).accessToken
const [main] = await send('GET', '/branches')
const second = await post('/branches', { name: 'סניף צפון' })
const role = await post('/roles', { name: 'Office', permissions: ['students.read', 'students.write'] })
await post('/members', { email: 'office@example.org', roleId: role.id, branchId: second.id })
const students: Reply[] = []
for (const [index, firstName] of ['ليان', 'נועה', 'Zoë', 'يوسف'].entries()) {
  const branchId = index % 2 ? second.id : main.id
  const student = await post('/students', { branchId, firstName, lastName: 'Haddad', tags: ['2026'] })
  students.push(await post(`/students/${student.id}/status`, { status: 'active' }))
}
const guardian = await post('/guardians', { firstName: 'مريم', lastName: 'حداد', phone: '+972501000001' })
const relation = { guardianId: guardian.id, relationship: 'mother', isPrimary: true, isPayer: true }
await post(`/students/${students[0].id}/guardians`, relation)
await post(`/students/${students[3].id}/invite`, { email: 'yusuf@example.org' })
const teacher = await post('/staff', { branchId: main.id, firstName: 'Ivan', lastName: 'Levi', title: 'Teacher' })
const parent = await post('/course-categories', { name: 'Languages', slug: 'languages' })
const category = await post('/course-categories', { name: 'Semitic', slug: 'semitic', parentId: parent.id })
const fee = { defaultFeeMinor: 45_000, currency: 'ILS' }
const course = await post('/courses', { categoryId: category.id, name: 'Arabic', defaultCapacity: 20, ...fee })
const newGroup = { courseId: course.id, branchId: main.id, name: 'A1', teacherStaffId: teacher.id }
const group = await post('/groups', newGroup)
for (const { id } of [students[0], students[2]]) await post('/enrollments', { studentId: id, groupId: group.id })
const validFrom = new Date().toISOString().slice(0, 10)
const lesson = { startTime: '15:00', endTime: '16:30', validFrom, validTo: null }
await send('PUT', `/groups/${group.id}/schedules`, { schedules: [0, 2, 4].map((weekday) => ({ weekday, ...lesson })) })
await post(`/groups/${group.id}/sessions/generate`, {})
const [session, other] = (await send('GET', `/groups/${group.id}/sessions?status=scheduled`)).data
await send('PUT', `/sessions/${session.id}/attendance`, {
  entries: [{ studentId: students[0].id, status: 'late', minutesLate: 7 }],
})
await send('PATCH', `/sessions/${other.id}`, { status: 'cancelled', reason: 'Holiday' })
const invoices: Reply[] = []
for (const student of students) {
  const lines = [{ description: 'March', unitAmountMinor: 45_000, taxRatePercent: 18 }]
  const draft = await post('/invoices', { studentId: student.id, dueDate: '2031-01-31', lines })
  invoices.push(draft)
  if (invoices.length > 1) await post(`/invoices/${draft.id}/issue`)
}
const money = { currency: 'ILS', method: 'cash' }
await post(`/invoices/${invoices[1].id}/payments`, { amountMinor: 10_000, ...money })
const wrong = await post(`/invoices/${invoices[2].id}/payments`, { amountMinor: 53_100, ...money })
await post(`/payments/${wrong.id}/reverse`, { reason: 'Wrong family' })
await post(`/invoices/${invoices[3].id}/void`, { reason: 'Entered twice' })
await post('/api-keys', { name: 'Website', permissions: ['students.read'] })
await post('/webhooks', { url: 'http://192.168.1.5/hook', events: ['student.created'] })
await post('/students', { branchId: main.id, firstName: 'סוף', lastName: 'דבר' })

const facts = { summary: await send('GET', '/billing/summary'), students: (await send('GET', '/students')).data }
await app.close()

const file = path.join(dataDir, 'institute.db')
const catalogue = new Connection(file, { readonly: true })
// The order of creation, in which the tables can also be filled.
const names = catalogue
  .prepare(`select name from sqlite_master where type = 'table' order by rowid`)
  .pluck()
  .all() as string[]
catalogue.close()
const reader = openSqlite(file)
const tables: Kept['tables'] = {}
for (const name of names.filter((one) => !UNKEPT_TABLES.test(one))) {
  const rows = await reader.read
    .selectFrom(name as never)
    .selectAll()
    .execute()
  if (rows.length > 0) tables[name] = rows
}
await reader.close()
rmSync(dataDir, { recursive: true })

const step = Object.keys(migrations).at(-1)
const kept: Kept = { facts, tables }
writeFileSync(path.join(import.meta.dirname, `kept/${step}.json`), `${JSON.stringify(kept, null, 1)}\n`)
console.log(
  `kept/${step}.json: ${Object.entries(tables)
    .map(([name, rows]) => `${name} ${rows.length}`)
    .join(', ')}`,
)
