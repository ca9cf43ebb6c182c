import { readdirSync } from 'node:fs'
import type { GenericSchema } from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaKit } from '#db/schema-kit.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import type { Examples, World } from '#kit/examples.ts'
import { fill, flag, idAt, inTurn, nthId, nthInstant, runSql, text } from '#kit/fill.ts'
import { makeInstitute } from '#kit/institute.ts'
import { costsByTable, type Statement } from '#kit/query-plan.ts'

/** No list and no read by id may cost by what an institute has. Looked at in one of 200,000 students. */

const STUDENTS = 200_000
const OTHERS = 20_000
/** Groups that the teacher has. */
const TAUGHT = 20
const SEARCHED = ['student', 'guardian', 'staff', 'group']

const statements: Statement[] = []
let app: TestApp
let world: World
/** A manager of one branch, and a teacher of some groups. */
let limited: Client[]

const { app: probe } = await startApp()
const endpoints = [...probe.endpoints]
await probe.close()

const examples: Examples = {}
for (const file of readdirSync(new URL('examples', import.meta.url))) {
  const module = (await import(/* @vite-ignore */ new URL(`examples/${file}`, import.meta.url).href)) as Record<
    string,
    unknown
  >
  for (const [name, value] of Object.entries(module)) if (name.endsWith('Examples')) Object.assign(examples, value)
}

type Entries = Record<string, GenericSchema>
const entriesOf = (schema: unknown): Entries => (schema as { entries?: Entries } | undefined)?.entries ?? {}
const isList = ({ reply }: Endpoint) => 'nextCursor' in entriesOf(reply)
const filtersOf = ({ query }: Endpoint): string[] =>
  Object.keys(entriesOf(query)).filter((name) => name !== 'cursor' && name !== 'limit')

const looked = endpoints.filter(
  (endpoint) => endpoint.kind === 'read' && (isList(endpoint) || endpoint.path.includes('{id}')),
)

beforeAll(async () => {
  app = await startApp({ queryLog: ({ query }) => statements.push({ sql: query.sql, parameters: query.parameters }) })
  const institute = await makeInstitute(app)
  world = { app, institute, owner: institute.owner, branchId: institute.branchId, serial: 1 }
  const teacher = await institute.member({ role: 'teacher' })
  limited = [await institute.member({ role: 'branch_manager', branchId: institute.branchId }), teacher]
  await fillInstitute()
  await runSql(app, `update "staff" set user_id = ${text(teacher.userId)} where id = ${nthId('staff', 77)}`)
  await runSql(
    app,
    `update "group" set teacher_staff_id = ${nthId('staff', 77)}
     where id between ${nthId('group', 77)} and ${nthId('group', 76 + TAUGHT)}`,
  )
}, 60_000)
afterAll(() => app.close())

const fillInstitute = async (): Promise<void> => {
  const { schema } = app.app.database
  const postgres = engine === 'postgres'
  const { institute, owner, branchId } = world
  const [tenant, branch] = [text(institute.tenant.id), text(branchId)].map((id) => (postgres ? `${id}::uuid` : id)) as [
    string,
    string,
  ]
  const user = postgres ? `${text(institute.ownerUserId)}::uuid` : text(institute.ownerUserId)
  const category = await owner.post('/course-categories', { name: 'Languages', slug: 'languages' })
  const course = await owner.post('/courses', { categoryId: category.body.id, name: 'English' })
  const hook = await owner.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['student.created'] })
  const courseId = postgres ? `${text(course.body.id)}::uuid` : text(course.body.id)
  const hookId = postgres ? `${text(hook.body.id)}::uuid` : text(hook.body.id)

  // An index over words is built of all rows in a tenth of the time that it takes to grow.
  if (postgres) for (const table of SEARCHED) await runSql(app, `drop index "${table}_search"`)
  const at = nthInstant('n')
  const rows = (table: string, count: number, columns: Record<string, string>) =>
    fill(app, table, count, { id: nthId(table, 'n'), tenant_id: tenant, created_at: at, ...columns })
  const student = nthId('student', 'n')

  await rows('student', STUDENTS, {
    branch_id: branch,
    student_number: `substr('S-000000', 1, 8 - length(cast(n as text))) || n`,
    first_name: text('Dana'),
    last_name: `'Levi ' || n`,
    status: inTurn(['lead', 'active', 'paused', 'graduated']),
    tags: text('[]'),
    updated_at: at,
    search_text: `'dana levi ' || n`,
  })
  await fill(app, 'student_tag', OTHERS, {
    tenant_id: tenant,
    student_id: student,
    tag: inTurn(['bus', 'chess', 'choir']),
    created_at: at,
  })
  await rows('guardian', OTHERS, {
    first_name: text('Ruth'),
    last_name: `'Levi ' || n`,
    phone: `'+97250' || (1000000 + n)`,
    preferred_locale: text('he'),
    updated_at: at,
    search_text: `'ruth levi ' || n`,
  })
  await rows('guardian_link', OTHERS, {
    student_id: student,
    guardian_id: nthId('guardian', 'n'),
    relationship: text('mother'),
    is_primary: flag(true),
    is_payer: flag(true),
  })
  await rows('staff', OTHERS, {
    branch_id: branch,
    first_name: text('Amal'),
    last_name: `'Haddad ' || n`,
    is_active: flag(true),
    updated_at: at,
    search_text: `'amal haddad ' || n`,
  })
  await rows('group', OTHERS, {
    course_id: courseId,
    branch_id: branch,
    name: `'Group ' || n`,
    teacher_staff_id: nthId('staff', 'n'),
    currency: text('ILS'),
    status: inTurn(['planned', 'active', 'completed']),
    search_text: `'group ' || n`,
    updated_at: at,
  })
  await rows('enrollment', OTHERS, {
    student_id: student,
    group_id: nthId('group', `n % ${OTHERS} + 1`),
    status: inTurn(['active', 'completed', 'dropped']),
    price_minor: '45000',
    currency: text('ILS'),
    price_overridden: flag(false),
    enrolled_at: at,
    updated_at: at,
  })
  await rows('session', OTHERS, {
    group_id: nthId('group', 'n'),
    scheduled_start: at,
    scheduled_end: nthInstant('n + 60'),
    status: inTurn(['scheduled', 'held', 'cancelled']),
    updated_at: at,
  })
  await fill(app, 'attendance', OTHERS, {
    tenant_id: tenant,
    session_id: nthId('session', 'n'),
    student_id: student,
    status: text('present'),
    minutes_late: '0',
    marked_at: at,
  })
  await rows('invoice', OTHERS, {
    branch_id: branch,
    student_id: student,
    number: `'N-' || n`,
    status: inTurn(['draft', 'issued', 'paid', 'overdue', 'void']),
    issue_date: text('2020-01-01'),
    due_date: text('2020-02-01'),
    currency: text('ILS'),
    subtotal_minor: '45000',
    discount_minor: '0',
    tax_minor: '0',
    total_minor: '45000',
    updated_at: at,
  })
  await fill(app, 'invoice_line', OTHERS, {
    id: nthId('invoice_line', 'n'),
    tenant_id: tenant,
    invoice_id: nthId('invoice', 'n'),
    position: '0',
    description: text('March'),
    quantity: '1',
    unit_amount_minor: '45000',
    discount_minor: '0',
    tax_rate_percent: '0',
    tax_minor: '0',
    total_minor: '45000',
  })
  await rows('payment', OTHERS, {
    invoice_id: nthId('invoice', 'n'),
    amount_minor: '100',
    currency: text('ILS'),
    method: inTurn(['cash', 'card']),
    provider: text('manual'),
    received_at: at,
  })
  await fill(app, 'event', OTHERS, {
    id: nthId('event', 'n'),
    tenant_id: tenant,
    type: text('student.created'),
    occurred_at: at,
    body: text('{}'),
  })
  await rows('webhook_delivery', OTHERS, {
    endpoint_id: hookId,
    event_id: nthId('event', 'n'),
    event_type: text('student.created'),
    status: inTurn(['delivered', 'failed']),
    attempts: '1',
    generation: '1',
  })
  await rows('audit_entry', OTHERS, {
    actor_user_id: user,
    actor_type: text('user'),
    channel: text('web'),
    action: inTurn(['students.create', 'students.update']),
    entity_type: inTurn(['student', 'guardian']),
    entity_id: student,
  })
  if (!postgres) return
  for (const table of SEARCHED) await schemaKit(engine).searchable(schema, table)
  await runSql(app, 'vacuum analyze')
}

/** A value of each filter that narrows a list; one for all lists in which a filter goes by this name. */
const VALUES: Record<string, (endpoint: Endpoint) => string> = {
  q: ({ id }) => (id.startsWith('guardians') ? 'ruth 1234' : id.startsWith('groups') ? 'group 1234' : '1234'),
  status: ({ id }) =>
    id.startsWith('invoices')
      ? 'overdue'
      : id.startsWith('webhooks')
        ? 'failed'
        : id.startsWith('sessions')
          ? 'held'
          : 'active',
  branchId: () => world.branchId,
  groupId: () => idAt('group', 77),
  studentId: () => idAt('student', 77),
  invoiceId: () => idAt('invoice', 77),
  teacherStaffId: () => idAt('staff', 77),
  courseId: () => idAt('course', 1),
  categoryId: () => idAt('course_category', 1),
  tag: () => 'chess',
  isActive: () => 'false',
  overdue: () => 'true',
  method: () => 'cheque',
  from: ({ id }) => (id === 'payments.list' || id === 'attendance.summary' ? '2020-01-10' : '2020-01-10T00:00:00Z'),
  to: ({ id }) => (id === 'payments.list' || id === 'attendance.summary' ? '2020-01-12' : '2020-01-12T00:00:00Z'),
  action: () => 'students.delete',
  entityType: () => 'invoice',
  entityId: () => idAt('student', 77),
  actorUserId: () => idAt('user', 1),
}

/** Everything that a request runs, looked at; the reply must be good. */
const look = async (
  client: Client,
  path: string,
): Promise<{ body: { nextCursor?: string | null }; costs: string[] }> => {
  statements.length = 0
  const { status, body } = await client.get(path)
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
  const ran = statements.filter(({ sql }) => sql.startsWith('select'))
  const costs: string[] = []
  for (const statement of ran) {
    for (const cost of await costsByTable(app, statement, path.includes('?')))
      costs.push(`${path}: ${cost}\n  in ${statement.sql}`)
  }
  return { body, costs }
}

const pathOf = async (endpoint: Endpoint): Promise<string> => {
  if (!endpoint.path.includes('{')) return endpoint.path
  const example = examples[endpoint.id]
  if (!example) throw new Error(`There is no example of ${endpoint.id} under test/api/examples.`)
  const { params = {} } = await (typeof example === 'function' ? example : example.make)(world)
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] as string)
}

describe('in an institute of 200,000 students nothing goes through a table', () => {
  test.each(looked.map((endpoint) => [endpoint.id, endpoint] as const))('for %s', async (_, endpoint) => {
    const path = await pathOf(endpoint)
    const queries = filtersOf(endpoint).map((name) => {
      const value = VALUES[name]?.(endpoint)
      if (value === undefined) throw new Error(`${endpoint.id} has the filter ${name}: say a value of it in this test`)
      return `?${name}=${encodeURIComponent(value)}`
    })
    const costs: string[] = []
    for (const client of [world.owner, ...(endpoint.wholeTenant ? [] : limited)]) {
      const reached = await client.get(path)
      if (reached.status !== 200 && client !== world.owner) continue
      for (const query of ['', ...queries]) costs.push(...(await look(client, path + query)).costs)
      const { nextCursor } = reached.body as { nextCursor?: string | null }
      if (nextCursor) costs.push(...(await look(client, `${path}?cursor=${encodeURIComponent(nextCursor)}`)).costs)
    }
    expect(costs).toEqual([])
  })
})

test('a search stays narrow, whichever rows Postgres happened to count', async () => {
  const costs: string[] = []
  for (let sample = 0; sample < (engine === 'postgres' ? 10 : 1); sample += 1) {
    if (engine === 'postgres') await runSql(app, 'analyze student (search_text)')
    for (const word of ['1234', '1998', '56789']) costs.push(...(await look(world.owner, `/students?q=${word}`)).costs)
  }
  expect(costs).toEqual([])
})
