import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { openPostgres, openSqlite, type Database } from '#db/database.ts'
import { schemaKit } from '#db/schema-kit.ts'
import { fold } from '#shared/text.ts'
import { API_ROOT } from '#http/server/server.ts'
import { client, type Client } from '#kit/client.ts'
import { fillSql, idAt, inTurn, text } from '#kit/fill-sql.ts'
import { OWNER } from '#kit/setup.ts'
import { Program } from './program.ts'
import { setUp } from './school.ts'

/**
 * The number of students, guardians, enrollments, invoices, payments, audit entries and events; staff and groups have a
 * quarter.
 */
export const ROWS = 200_000
const FEWER = ROWS / 4
/** The number of students in each of the two largest groups. */
const LARGEST_GROUP = 10_000
/** The size of the roster of the group that has met most often, and how often it has met. */
const ROSTER = 300
const MEETINGS = 800
/** The roster consists of the students after this one, who are in other groups as well. */
const BEFORE_ROSTER = ROWS / 2 + 1000
/** How many groups the teacher has; the other teachers have as many together. */
const TAUGHT = 200
/** The last names of guardians, in three scripts. */
const GUARDIANS = ['Levi', 'حداد', 'כהן', 'Levi']
/** How many invoices are past their due date, for the sweep. */
export const DUE = 10_000

/** The groups that the measurements use; `idAt` gives the ids of all others. */
export const GROUP_OF_MEETINGS = 3
export const GROUP_OF_SCHEDULE = 4

/** A large institute in the packaged program on either engine, with direct access to its database. */
export interface LargeInstitute {
  program: Program
  database: Database
  words: ReturnType<typeof fillSql>
  tenantId: string
  /**
   * The owner, the manager of one of two branches that each hold half of everything, a teacher, and somebody who may read
   * all students and nothing else.
   */
  callers: { owner: Client; manager: Client; teacher: Client; desk: Client }
  /** The two branches, the courses, and the users of the audit log. */
  ids: { branches: string[]; courses: string[]; users: string[] }
  /** Runs a statement directly on the database. */
  run(statement: string): Promise<unknown>
  close(): Promise<void>
}

/** Starts the program on an empty folder, sets it up and fills it. @param url of a Postgres; undefined: SQLite */
export const openLargeInstitute = async (
  executable: string,
  dataDir: string,
  databaseUrl?: string,
): Promise<LargeInstitute> => {
  const program = await Program.start(executable, dataDir, { databaseUrl })
  const database =
    databaseUrl === undefined
      ? openSqlite(path.join(dataDir, 'institute.db'))
      : openPostgres({ url: databaseUrl, readers: 2, writers: 2 })
  const close = async (): Promise<void> => {
    await database.close()
    await program.stop()
  }
  try {
    const run = (statement: string) => database.schema.executeQuery(CompiledQuery.raw(statement))
    return { program, database, close, run, ...(await fill(program, database, run)) }
  } catch (error) {
    await close()
    throw error
  }
}

const created = async (caller: Client, where: string, body: object): Promise<string> => {
  const reply = await caller.post(where, body)
  if (reply.status !== 201) throw new Error(`POST ${where}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.id as string
}

const fill = async (program: Program, database: Database, run: LargeInstitute['run']) => {
  const words = fillSql(database.engine)
  const { nthId, nthInstant, uuid, flag } = words
  const owner = client(program.url, await setUp(program))
  const { body: branches } = await owner.get('/branches')
  const [first] = branches as { id: string; tenantId: string }[]
  const tenantId = first?.tenantId as string
  const branchIds = [first?.id as string, await created(owner, '/branches', { name: 'North' })]
  const categoryId = await created(owner, '/course-categories', { name: 'Languages', slug: 'languages' })
  const courses = [
    await created(owner, '/courses', { categoryId, name: 'English' }),
    await created(owner, '/courses', { categoryId, name: 'Hebrew' }),
  ]
  const { body: me } = await owner.get('/me')
  const users = [me.id as string, idAt('user', 2), idAt('user', 3), idAt('user', 4)]
  const desk = await created(owner, '/roles', { name: 'Front desk', permissions: ['students.read'] })

  const at = nthInstant('n')
  const insert = (table: string, count: number, columns: Record<string, string>) =>
    run(words.insert(table, count, { tenant_id: uuid(text(tenantId)), ...columns }))
  const rows = (table: string, count: number, columns: Record<string, string>) =>
    insert(table, count, { id: nthId(table, 'n'), created_at: at, ...columns })
  const ids = (values: readonly string[]) => uuid(inTurn(values))
  const user = (index: number) => uuid(text(users[index] as string))
  // The first half of the rows gets one value, the second half the other.
  const halves = (early: string, late: string) => `case when n <= ${ROWS / 2} then ${early} else ${late} end`
  // Ten thousand rows each refer to the first and to the second row of a table, all others to one of their own.
  const crowded = (table: string, own: string) =>
    nthId(table, `case when n <= ${2 * LARGEST_GROUP} then n % 2 + 1 else ${own} end`)
  const branch_id = ids(branchIds)
  const number = `substr('S-000000', 1, 8 - length(cast(n as text))) || n`
  const phone = `'+97250' || (1000000 + n)`
  const searched = (names: readonly string[], lastNames: readonly string[] = ['levi']) =>
    `${inTurn(names)} || ' ' || ${inTurn(lastNames)} || ' ' || n || ' ' || lower(${number}) || ' 97250' || (1000000 + n) || ' 050' || (1000000 + n)`

  const searchedTables = ['student', 'guardian', 'staff', 'group']
  // Building a search index over existing rows takes a tenth of the time of growing it.
  if (database.engine === 'postgres') for (const table of searchedTables) await run(`drop index "${table}_search"`)
  const student = nthId('student', 'n')
  const person = { last_name: `'Levi ' || n`, phone, updated_at: at }
  await rows('student', ROWS, {
    ...person,
    branch_id,
    student_number: number,
    first_name: inTurn(['Dana', 'Omar']),
    status: inTurn(['active', 'lead']),
    tags: text('[]'),
    search_text: searched(['dana', 'omar']),
  })
  await run(
    words.insert('tenant_counter', 1, { tenant_id: uuid(text(tenantId)), name: text('student'), value: `${ROWS}` }),
  )
  await insert('student_tag', ROWS, { student_id: student, tag: inTurn(['bus', 'chess']), created_at: at })
  await rows('guardian', ROWS, {
    ...person,
    first_name: inTurn(['Ruth', 'Sara']),
    last_name: `${inTurn(GUARDIANS)} || ' ' || n`,
    preferred_locale: text('he'),
    search_text: searched(['ruth', 'sara'], GUARDIANS.map(fold)),
  })
  await rows('guardian_link', ROWS, {
    student_id: student,
    guardian_id: nthId('guardian', 'n'),
    relationship: text('mother'),
    is_primary: flag(true),
    is_payer: flag(true),
  })
  await rows('staff', FEWER, {
    ...person,
    branch_id,
    first_name: inTurn(['Amal', 'Yusuf']),
    is_active: `case n % 2 when 0 then ${flag(true)} else ${flag(false)} end`,
    search_text: searched(['amal', 'yusuf']),
  })
  await rows('group', FEWER, {
    course_id: ids(courses),
    branch_id,
    name: `${inTurn(['English', 'Hebrew'])} || ' 05000 ' || n`,
    teacher_staff_id: nthId('staff', `n % ${FEWER / TAUGHT} + 1`),
    currency: text('ILS'),
    status: inTurn(['active', 'planned']),
    search_text: `${inTurn(['english', 'hebrew'])} || ' 05000 ' || n`,
    updated_at: at,
  })
  const enrolled = { price_minor: '45000', currency: text('ILS'), price_overridden: flag(false), updated_at: at }
  await rows('enrollment', ROWS, {
    ...enrolled,
    student_id: student,
    group_id: crowded('group', `n % ${FEWER} + 1`),
    status: `case when n <= ${2 * LARGEST_GROUP} then 'active' else ${inTurn(['active', 'dropped'])} end`,
    enrolled_at: at,
  })
  await rows('enrollment', ROSTER, {
    ...enrolled,
    id: nthId('enrollment', `n + ${ROWS}`),
    student_id: nthId('student', `n + ${BEFORE_ROSTER}`),
    group_id: nthId('group', GROUP_OF_MEETINGS),
    status: text('active'),
    enrolled_at: at,
  })
  // Twice a day until yesterday.
  const meeting = Math.floor((Date.now() - Date.UTC(2020, 0, 1)) / 60_000) - (MEETINGS + 2) * 720
  await rows('session', MEETINGS, {
    group_id: nthId('group', GROUP_OF_MEETINGS),
    scheduled_start: nthInstant(`${meeting} + n * 720`),
    scheduled_end: nthInstant(`${meeting} + n * 720 + 60`),
    status: text('held'),
    updated_at: at,
  })
  await insert('attendance', ROSTER * MEETINGS, {
    session_id: nthId('session', `(n - 1) / ${ROSTER} + 1`),
    student_id: nthId('student', `(n - 1) % ${ROSTER} + 1 + ${BEFORE_ROSTER}`),
    status: inTurn(['present', 'absent', 'excused']),
    minutes_late: '0',
    marked_at: at,
  })
  await rows('invoice', ROWS, {
    branch_id,
    student_id: student,
    number: `'N-' || n`,
    status: `case when n <= ${DUE} then 'issued' when n % 10 = 0 then 'overdue' else 'paid' end`,
    issue_date: text('2020-01-01'),
    due_date: text('2020-02-01'),
    currency: text('ILS'),
    subtotal_minor: '45000',
    discount_minor: '0',
    tax_minor: '0',
    total_minor: '45000',
    updated_at: at,
  })
  await rows('payment', ROWS, {
    invoice_id: nthId(
      'invoice',
      `case when n <= ${LARGEST_GROUP} then 1 when n > ${ROWS - LARGEST_GROUP} then 2 else n end`,
    ),
    amount_minor: '100',
    currency: text('ILS'),
    method: halves(text('cash'), text('card')),
    provider: text('manual'),
    received_at: at,
  })
  await rows('audit_entry', ROWS, {
    actor_user_id: halves(user(0), user(1)),
    actor_type: text('user'),
    channel: text('web'),
    action: halves(text('students.create'), text('guardians.update')),
    entity_type: halves(text('student'), text('guardian')),
    entity_id: nthId(
      'student',
      `case when n <= ${LARGEST_GROUP} then 1 when n > ${ROWS - LARGEST_GROUP} then 2 else n end`,
    ),
  })
  await insert('event', ROWS, {
    id: nthId('event', 'n'),
    type: text('student.created'),
    occurred_at: at,
    body: text('{}'),
  })
  await run(`update tenant set currency_fixed = ${flag(true)}`)

  const standard = (key: string): string => `(select id from role where "key" = '${key}')`
  // Three more users, with the owner's password.
  for (const [index, name, role, branch] of [
    [1, 'manager', standard('branch_manager'), uuid(text(branchIds[0] as string))],
    [2, 'teacher', standard('teacher'), 'null'],
    [3, 'desk', uuid(text(desk)), 'null'],
  ] as const) {
    const email = text(`${name}@example.org`)
    await run(
      `insert into "user" (id, email, email_key, full_name, locale, status, email_verified, password_hash,
         is_platform_admin, created_at, updated_at)
       select ${user(index)}, ${email}, ${email}, 'Noa Levi', locale, status, email_verified, password_hash,
         is_platform_admin, created_at, updated_at from "user" where id = ${user(0)}`,
    )
    const membership = nthId('membership', index)
    await rows('membership', 1, { id: membership, user_id: user(index), status: text('active'), updated_at: at })
    await rows('role_assignment', 1, {
      id: nthId('role_assignment', index),
      membership_id: membership,
      role_id: role,
      branch_id: branch,
    })
  }
  await run(`update staff set user_id = ${user(2)} where id = ${nthId('staff', 2)}`)
  if (database.engine === 'postgres') {
    for (const table of searchedTables) await schemaKit('postgres').searchIndex(database.schema, table)
    await run('vacuum analyze')
  } else {
    await run('pragma wal_checkpoint(truncate)')
  }
  // Filling SQLite blocked this process: let it notice that the program has closed an idle connection.
  await pause(100)
  const signIn = async (name: string): Promise<Client> => {
    const { body } = await client(program.url).post('/auth/login', {
      email: `${name}@example.org`,
      password: OWNER.password,
      client: 'mobile',
    })
    return owner.as(body.accessToken as string)
  }
  const callers = {
    owner,
    manager: await signIn('manager'),
    teacher: await signIn('teacher'),
    desk: await signIn('desk'),
  }
  return { words, tenantId, callers, ids: { branches: branchIds, courses, users } }
}

/** The full URL of an API path. */
export const addressOf = ({ program }: LargeInstitute, where: string): string => program.url + API_ROOT + where
