import BetterSqlite3, { type Database } from 'better-sqlite3'
import { newId } from '#kernel/basics/ids.ts'
import { API_ROOT } from '#http/server/server.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { requestBytes } from './client.ts'
import { Program } from './program.ts'

const ROSTER = 30
const SESSIONS = 20_000
const INVOICES = 20_000
const OVERDUE = 10_000

/** A running institute with so many students, and its owner's token. */
export interface School {
  program: Program
  token: string
  branchId: string
  studentIds: readonly string[]
  /** Scheduled sessions of one group of thirty students; each session can be marked once. */
  sessionIds: string[]
  /** Ids of the students on the roster of each session. */
  roster: readonly string[]
  /** Issued, unpaid invoices; each can be paid once. */
  invoiceIds: string[]
  /** A second connection to its database. */
  database: Database
  request(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Buffer
  call<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>
  close(): Promise<void>
}

const send = async <T>(url: string, method: string, token: string | undefined, body: unknown): Promise<T> => {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Sets up a new program. @returns the owner's token */
export const setUp = async ({ url, dataDir }: Program): Promise<string> => {
  const setup = newSetup(setupTokenIn(dataDir))
  const { accessToken } = await send<{ accessToken: string }>(
    `${url}${API_ROOT}/setup/bootstrap`,
    'POST',
    undefined,
    setup,
  )
  return accessToken
}

const FIRST_NAMES = ['Dana', 'Omar', 'Layan', 'Noa', 'Yusuf', 'Tamar', 'Amal', 'Eitan']
const LAST_NAMES = ['Levi', 'Haddad', 'Nasser', 'Cohen', 'Khoury', 'Mizrahi', 'Saleh']

type Place = { tenantId: string; branchId: string }

/** Inserts rows directly, because two hundred thousand requests would take longer than the measurements. */
const inserter = (database: Database, table: string, row: Record<string, unknown>) => {
  const names = Object.keys(row)
  return database.prepare(
    `insert into "${table}" (${names.join(', ')}) values (${names.map((name) => `@${name}`).join(', ')})`,
  )
}

const insertAll = (database: Database, table: string, rows: Iterable<Record<string, unknown>>): void => {
  let statement: ReturnType<typeof inserter> | undefined
  for (const row of rows) {
    statement ??= inserter(database, table, row)
    statement.run(row)
  }
}

/** Students of the last years, one for every hour. */
function* students({ tenantId, branchId }: Place, ids: readonly string[]) {
  const last = Date.now() - 3_600_000
  for (const [index, id] of ids.entries()) {
    const number = `S-${String(index + 1).padStart(6, '0')}`
    const firstName = FIRST_NAMES[index % FIRST_NAMES.length] as string
    const lastName = `${LAST_NAMES[index % LAST_NAMES.length]} ${index + 1}`
    const at = new Date(last - (ids.length - index) * 3_600_000).toISOString()
    yield {
      id,
      tenant_id: tenantId,
      branch_id: branchId,
      student_number: number,
      first_name: firstName,
      last_name: lastName,
      status: index % 10 === 0 ? 'withdrawn' : 'active',
      tags: '[]',
      created_at: at,
      updated_at: at,
      search_text: `${firstName} ${lastName} ${number}`.toLowerCase(),
    }
  }
}

const days = (count: number): string => new Date(Date.now() + count * 24 * 3_600_000).toISOString().slice(0, 10)

function* invoices(
  { tenantId, branchId }: Place,
  studentIds: readonly string[],
  ids: readonly string[],
  dueDate: string,
  prefix: string,
) {
  const now = new Date().toISOString()
  for (const [index, id] of ids.entries()) {
    yield {
      id,
      tenant_id: tenantId,
      branch_id: branchId,
      student_id: studentIds[index % studentIds.length],
      number: `${prefix}-${String(index + 1).padStart(6, '0')}`,
      status: 'issued',
      issue_date: days(-30),
      due_date: dueDate,
      currency: 'ILS',
      subtotal_minor: 45_000,
      discount_minor: 0,
      tax_minor: 0,
      total_minor: 45_000,
      created_at: now,
      updated_at: now,
    }
  }
}

const idsOf = (count: number): string[] => Array.from({ length: count }, newId)

/** Starts the program on an empty folder, sets it up and fills it. */
export const openSchool = async (executable: string, dataDir: string, size: number): Promise<School> => {
  const program = await Program.start(executable, dataDir)
  try {
    return await fill(program, size)
  } catch (error) {
    await program.stop()
    throw error
  }
}

const fill = async (program: Program, size: number): Promise<School> => {
  const token = await setUp(program)
  const call = <T>(method: string, where: string, body?: unknown): Promise<T> =>
    send<T>(`${program.url}${API_ROOT}${where}`, method, token, body)
  const [branch] = await call<{ id: string }[]>('GET', '/branches')
  const branchId = branch?.id as string
  const category = await call<{ id: string }>('POST', '/course-categories', { name: 'Languages', slug: 'languages' })
  const course = await call<{ id: string }>('POST', '/courses', { categoryId: category.id, name: 'English' })
  const group = await call<{ id: string }>('POST', '/groups', { courseId: course.id, branchId, name: 'English A' })

  const database = new BetterSqlite3(program.databaseFile)
  database.pragma('busy_timeout = 20000')
  const tenantId = database.prepare('select tenant_id from branch').pluck().get() as string
  const place = { tenantId, branchId }
  const studentIds = idsOf(size)
  const roster = studentIds.slice(0, ROSTER)
  const [sessionIds, invoiceIds] = [idsOf(SESSIONS), idsOf(INVOICES)]
  const longAgo = new Date(Date.now() - 3_600_000 * 48).toISOString()
  database.transaction(() => {
    insertAll(database, 'student', students(place, studentIds))
    insertAll(database, 'tenant_counter', [{ tenant_id: tenantId, name: 'student', value: size }])
    insertAll(
      database,
      'enrollment',
      roster.map((studentId) => ({
        id: newId(),
        tenant_id: tenantId,
        student_id: studentId,
        group_id: group.id,
        status: 'active',
        price_minor: 45_000,
        currency: 'ILS',
        price_overridden: 0,
        enrolled_at: longAgo,
        created_at: longAgo,
        updated_at: longAgo,
      })),
    )
    insertAll(
      database,
      'session',
      sessionIds.map((id, index) => ({
        id,
        tenant_id: tenantId,
        group_id: group.id,
        scheduled_start: new Date(Date.parse(longAgo) + index * 1000).toISOString(),
        scheduled_end: new Date(Date.parse(longAgo) + (index + 3600) * 1000).toISOString(),
        status: 'scheduled',
        created_at: longAgo,
        updated_at: longAgo,
      })),
    )
    insertAll(database, 'invoice', invoices(place, studentIds, invoiceIds, days(30), 'PAY'))
    insertAll(database, 'invoice', invoices(place, studentIds, idsOf(OVERDUE), days(-5), 'DUE'))
    // The first invoice fixes the institute's currency.
    database.prepare('update tenant set currency_fixed = 1').run()
  })()
  database.pragma('wal_checkpoint(truncate)')

  return {
    program,
    token,
    branchId,
    studentIds,
    sessionIds,
    roster,
    invoiceIds,
    database,
    call,
    request: (method, where, body) => requestBytes(method, API_ROOT + where, { token, body }),
    close: async () => {
      database.close()
      await program.stop()
    },
  }
}
