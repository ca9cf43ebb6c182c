import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { openPostgres, openSqlite, type Database, type Engine } from '#db/database.ts'
import { API_ROOT } from '#http/server/server.ts'
import { newId } from '#kernel/basics/ids.ts'
import { ALL_PERMISSIONS } from '#kernel/rights/permissions.ts'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { notifyJob } from '#modules/notifications/events/notify.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { client } from '#kit/client.ts'
import { fillSql, text } from '#kit/fill-sql.ts'
import { driveCosted, eachOnce, measured, requestBytes } from './client.ts'
import { doneBy, doneIn, sampleOf, together, type Done } from './done.ts'
import type { Measured, Row, Sample } from './figures.ts'
import { HOLD_TELLING } from './hold-telling.ts'
import { accountColumns, instituteColumns } from './institutes.ts'
import { Program } from './program.ts'

/** What a cloud of many institutes costs, beside one institute with the rows of all of them. */

const TENANTS = 10_000
/** Rows in all: a hundred for each of the many institutes. */
const STUDENTS = 200_000
const INVOICES = 400_000
const ENTRIES = 400_000
/**
 * What is past its due date when a sweep begins. `together`: half of the invoices of every hundredth institute, because
 * an institute bills for a month at once; `scattered`: one of as many institutes, which costs the most.
 */
const DUE = {
  together: { count: 2000, where: `n % 100 = 0 and n <= ${INVOICES / 2}` },
  scattered: {
    count: Math.floor(INVOICES / 199) - Math.floor(INVOICES / 19_900),
    where: 'n % 199 = 0 and n % 100 > 0',
  },
} as const
type Due = keyof typeof DUE
const MEMBERS = TENANTS
const PASSWORD = 'correct horse battery'

const SIGN_INS = 48
const CALLERS = 50
const READ_MILLIS = 1500
const TICKS = 40
/** Each round does the work so many times on both in turn, because once takes less than a second. */
const SLICES = 3
/** One statement of the fill takes minutes on a busy machine. */
const FILL_MILLIS = 1_800_000
/** The jobs of an hour. */
const HOURLY = [sweepOverdueJob.name, 'identity.sweep', 'files.sweep', 'webhooks.sweep', 'housekeeping.sweep'] as const

/** A running program with so many institutes, each of which has the same share of the rows. */
class Cloud {
  readonly program: Program
  readonly #database: Database
  #lists: Buffer[] = []
  #next = 0

  private constructor(program: Program, database: Database) {
    this.program = program
    this.#database = database
  }

  static async open(
    executable: string,
    dataDir: string,
    { tenants, databaseUrl }: { tenants: number; databaseUrl: string | undefined },
  ): Promise<Cloud> {
    const program = await Program.start(executable, dataDir, {
      databaseUrl,
      env: {
        INSTITUTE_MODE: 'cloud',
        INSTITUTE_LIMIT_ANONYMOUS: '1000000',
        INSTITUTE_LIMIT_LOGIN_ADDRESS: '1000000',
        INSTITUTE_LIMIT_LOGIN_EMAIL: '1000000',
      },
    })
    const database =
      databaseUrl === undefined
        ? openSqlite(path.join(dataDir, 'institute.db'))
        : openPostgres({ url: databaseUrl, readers: 2, writers: 2, silenceMillis: FILL_MILLIS })
    const cloud = new Cloud(program, database)
    try {
      await cloud.#fill(tenants)
      await cloud.#signInCallers()
      return cloud
    } catch (error) {
      await cloud.close()
      throw error
    }
  }

  #run(statement: string): Promise<unknown> {
    const unlimited = this.#database.engine === 'postgres' ? 'set statement_timeout = 0; ' : ''
    return this.#database.schema.executeQuery(CompiledQuery.raw(unlimited + statement))
  }

  async #fill(tenants: number): Promise<void> {
    const { engine } = this.#database
    const words = fillSql(engine)
    const { nthId, nthInstant, flag } = words
    const at = nthInstant('n')
    const own = nthId('tenant', `(n - 1) % ${tenants} + 1`)
    const insert = (table: string, count: number, columns: Record<string, string>) =>
      this.#run(words.insert(table, count, columns))
    const rows = (table: string, count: number, columns: Record<string, string>) =>
      insert(table, count, { id: nthId(table, 'n'), tenant_id: own, created_at: at, ...columns })
    const ofTenant = (table: string) => nthId(table, `(n - 1) % ${tenants} + 1`)

    await insert('tenant', tenants, instituteColumns(words, at))
    await rows('branch', tenants, {
      name: text('Main'),
      is_default: flag(true),
      is_active: flag(true),
      updated_at: at,
    })
    await rows('role', tenants, {
      key: text('owner'),
      name: text('Owner'),
      is_system: flag(true),
      permissions: text(JSON.stringify(ALL_PERMISSIONS)),
      updated_at: at,
    })
    const hash = await createArgon2Passwords({}).hash(PASSWORD, { key: 'bench', known: true })
    await insert('user', MEMBERS, accountColumns(words, at, hash))
    await rows('membership', MEMBERS, {
      user_id: nthId('user', 'n'),
      status: text('active'),
      joined_at: at,
      updated_at: at,
    })
    await rows('role_assignment', MEMBERS, { membership_id: nthId('membership', 'n'), role_id: ofTenant('role') })
    if (engine === 'postgres') await this.#run('drop index "student_search"')
    await rows('student', STUDENTS, {
      branch_id: ofTenant('branch'),
      student_number: `substr('S-000000', 1, 8 - length(cast(n as text))) || n`,
      first_name: text('Dana'),
      last_name: `'Levi ' || n`,
      status: text('active'),
      tags: text('[]'),
      search_text: `'dana levi ' || n`,
      updated_at: at,
    })
    await rows('invoice', INVOICES, {
      branch_id: ofTenant('branch'),
      student_id: nthId('student', `(n - 1) % ${STUDENTS} + 1`),
      number: `case ${Object.entries(DUE)
        .map(([due, { where }]) => `when ${where} then '${due}-'`)
        .join(' ')} else 'N-' end || n`,
      status: text('paid'),
      issue_date: text('2020-01-01'),
      due_date: text('2020-02-01'),
      currency: text('ILS'),
      subtotal_minor: '45000',
      discount_minor: '0',
      tax_minor: '0',
      total_minor: '45000',
      updated_at: at,
    })
    await rows('audit_entry', ENTRIES, {
      actor_user_id: nthId('user', `(n - 1) % ${MEMBERS} + 1`),
      actor_type: text('user'),
      channel: text('web'),
      action: text('students.create'),
      entity_type: text('student'),
      entity_id: nthId('student', `(n - 1) % ${STUDENTS} + 1`),
    })
    for (const statement of HOLD_TELLING[engine]) await this.#run(statement)
    if (engine === 'postgres') await this.#run('analyze')
  }

  #login(member: number): Buffer {
    const body = { email: `member-${member}@example.org`, password: PASSWORD, client: 'mobile' }
    return requestBytes('POST', `${API_ROOT}/auth/login`, { body })
  }

  async #signInCallers(): Promise<void> {
    const api = client(this.program.url)
    for (let caller = 0; caller < CALLERS; caller += 1) {
      const email = `member-${1 + caller * (MEMBERS / CALLERS)}@example.org`
      const { status, body } = await api.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
      if (status !== 200) throw new Error(`${email} cannot sign in: ${status}`)
      this.#lists.push(requestBytes('GET', `${API_ROOT}/students?limit=10`, { token: body.accessToken as string }))
    }
  }

  /** Members of as many institutes as there are sign in. */
  async signIn(): Promise<Done> {
    const logins = Array.from({ length: SIGN_INS }, () => {
      this.#next = (this.#next + 7919) % MEMBERS
      return this.#login(this.#next + 1)
    })
    return doneIn(await driveCosted(this.program, eachOnce(logins)))
  }

  /** Pages of students for the callers in turn. */
  async list(): Promise<Done> {
    const make = () => this.#lists[(this.#next += 1) % CALLERS] as Buffer
    return doneIn(await measured(this.program, make, READ_MILLIS))
  }

  /** Marks the due invoices as overdue, and queues what their payers are told. */
  async sweep(due: Due): Promise<Done> {
    const { count } = DUE[due]
    await this.#run(`delete from job where kind = '${notifyJob.name}'`)
    await this.#run(`update invoice set status = 'issued' where number like '${due}-%'`)
    return doneBy(this.program.pid, count, () => this.#work(count, [sweepOverdueJob.name]))
  }

  /** Writes what the payers are told of the overdue invoices, after a sweep. */
  async tell(due: Due): Promise<Done> {
    const { count } = DUE[due]
    await this.sweep(due)
    return doneBy(this.program.pid, count, async () => {
      const started = performance.now()
      await this.#run(`update job set run_at = '2020-01-01T00:00:00.000Z' where kind = '${notifyJob.name}'`)
      await this.#untilDone('kind', [notifyJob.name])
      return { rate: (count / (performance.now() - started)) * 1000 }
    })
  }

  /** Runs the jobs of an hour, when nothing is due. */
  async tick(): Promise<Done> {
    return doneBy(this.program.pid, TICKS, async () => {
      const started = performance.now()
      for (let hour = 0; hour < TICKS; hour += 1) await this.#work(1, HOURLY)
      return { rate: (TICKS / (performance.now() - started)) * 1000 }
    })
  }

  /** Queues the jobs, and resolves when they are done. */
  async #work(times: number, kinds: readonly string[]): Promise<{ rate: number }> {
    const started = performance.now()
    const now = new Date().toISOString()
    const jobs = kinds.map((kind) => ({ id: newId(), kind, lane: kind, payload: {}, run_at: now, max_attempts: 5 }))
    const ids = jobs.map(({ id }) => id)
    await this.#database.write((db) =>
      db
        .insertInto('job')
        .values(
          jobs.map((job) => ({
            ...job,
            tenant_id: null,
            lease_until: null,
            unique_key: null,
            last_error: null,
            created_at: now,
            finished_at: null,
          })),
        )
        .execute(),
    )
    await this.#untilDone('id', ids)
    return { rate: (times / (performance.now() - started)) * 1000 }
  }

  /** Resolves when none of these jobs is left to do. */
  async #untilDone(column: 'id' | 'kind', values: readonly string[]): Promise<void> {
    const jobs = this.#database.read.selectFrom('job').select('id').where(column, 'in', values)
    const left = jobs.where('state', '!=', 'done').limit(1)
    while ((await left.execute()).length > 0) await pause(20)
  }

  async close(): Promise<void> {
    await this.#database.close()
    await this.program.stop()
  }
}

/** The two programs that are compared, each with its own database. */
export interface Clouds {
  many: Cloud
  one: Cloud
  close(): Promise<void>
}

export const openClouds = async (
  executable: string,
  folders: () => string,
  databaseUrl: () => Promise<string | undefined>,
): Promise<Clouds> => {
  const one = await Cloud.open(executable, folders(), { tenants: 1, databaseUrl: await databaseUrl() })
  try {
    const many = await Cloud.open(executable, folders(), { tenants: TENANTS, databaseUrl: await databaseUrl() })
    return { one, many, close: async () => void (await Promise.all([one.close(), many.close()])) }
  } catch (error) {
    await one.close()
    throw error
  }
}

const manyAgainstOne =
  (engine: Engine, work: (cloud: Cloud) => Promise<Done>) =>
  async (bench: { clouds(engine: Engine): Promise<Clouds> }, rounds: number): Promise<Measured> => {
    const { many, one } = await bench.clouds(engine)
    const samples: Sample[] = []
    for (let round = 0; round < rounds; round += 1) {
      const [ours, reference]: [Done[], Done[]] = [[], []]
      for (let slice = 0; slice < SLICES; slice += 1) {
        reference.push(await work(one))
        ours.push(await work(many))
      }
      samples.push(sampleOf(together(ours), together(reference)))
    }
    return { samples }
  }

interface Compared {
  work: (cloud: Cloud) => Promise<Done>
  name: string
  what: string
  floor?: number
}

const WORK: readonly Compared[] = [
  { work: (cloud) => cloud.signIn(), name: 'sign-in', what: 'sign-in' },
  { work: (cloud) => cloud.list(), name: 'list', what: 'list of 10' },
  { work: (cloud) => cloud.sweep('together'), name: 'sweep', what: 'sweep of 2,000 overdue invoices, 20 an institute' },
  {
    // On SQLite, the audit entries of 25 institutes cost four times those of one, and each has a job that tells of it.
    work: (cloud) => cloud.sweep('scattered'),
    name: 'sweep-scattered',
    what: 'sweep of 1,990 overdue invoices of as many institutes',
    floor: 0.2,
  },
  // An institute's settings, texts and devices are read once for its invoices.
  { work: (cloud) => cloud.tell('together'), name: 'tell', what: 'telling of 2,000, 20 an institute', floor: 0.2 },
  {
    work: (cloud) => cloud.tell('scattered'),
    name: 'tell-scattered',
    what: 'telling of 1,990 of as many institutes',
    floor: 0.05,
  },
  { work: (cloud) => cloud.tick(), name: 'tick', what: 'the jobs of an hour, when nothing is due' },
]

export const tenantRows: readonly (Row & { measure: ReturnType<typeof manyAgainstOne> })[] = (
  ['sqlite', 'postgres'] as const
).flatMap((engine) =>
  WORK.map(({ work, name, what, floor = 0.7 }) => ({
    name: `tenants-${name}-${engine}`,
    what: `${what}, with 10,000 institutes of 100 rows (${engine})`,
    against: 'one of 1,000,000',
    unit: '/s',
    better: 'higher' as const,
    floor,
    goal: 0.85,
    measure: manyAgainstOne(engine, work),
  })),
)
