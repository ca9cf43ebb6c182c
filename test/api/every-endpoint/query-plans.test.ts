import type { GenericSchema } from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runsOnReadingThread } from '#db/queries/long-reads.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { isPage } from '#kernel/values/schema.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { loadExamples, pathOf, worldOf, type Example, type World } from '#kit/examples.ts'
import { fillInstitute } from '#kit/fill-institute.ts'
import { idAt, nthId, runSql, text } from '#kit/fill.ts'
import { makeInstitute } from '#kit/institute.ts'
import { loadFixtures, type ModuleFixtures } from '#kit/fixtures.ts'
import { adviceFor, costsByTable, type Statement } from '#kit/query-plan.ts'
import { volume } from '#kit/volume.ts'

/**
 * The cost of a list, and of a read by id, must not grow with the institute. Postgres plans them for 200,000 students; SQLite
 * by stored statistics, whatever the tables hold, so it has a tenth of them: the requests run the same statements.
 */

const STUDENTS = engine === 'postgres' ? 200_000 : 20_000
const OTHERS = 20_000
/** How many groups the teacher has. */
const TAUGHT = 20

const statements: Statement[] = []
let app: TestApp
let world: World
/**
 * A manager of the branch that holds everything, one of a new branch, a teacher, and a teacher who manages the new
 * branch.
 */
let limited: Client[]

const { app: probe } = await startApp()
const endpoints = [...probe.endpoints]
await probe.close()

const maker = await loadExamples()
const filters: NonNullable<ModuleFixtures['filters']> = Object.assign(
  {},
  ...Object.values(await loadFixtures()).map((module) => module.filters),
)

type Entries = Record<string, GenericSchema>
const entriesOf = (schema: unknown): Entries => (schema as { entries?: Entries } | undefined)?.entries ?? {}
const filtersOf = ({ query }: Endpoint): string[] =>
  Object.keys(entriesOf(query)).filter((name) => name !== 'cursor' && name !== 'limit')

const looked = endpoints.filter(
  (endpoint) => endpoint.kind === 'read' && (isPage(endpoint.reply) || endpoint.path.includes('{id}')),
)

beforeAll(async () => {
  app = await startApp({
    queryLog: ({ query }) => {
      if (!runsOnReadingThread(query)) statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  const institute = await makeInstitute(app)
  world = worldOf(app, institute)
  const { teacher: teaching, branch_manager: managing } = institute.roles
  const branch = await institute.owner.post('/branches', { name: 'North' })
  const [teacher, both] = [await institute.member({ role: 'teacher' }), await institute.member({ role: 'teacher' })]
  limited = [
    await institute.member({ role: 'branch_manager', branchId: institute.branchId }),
    await institute.member({ role: 'branch_manager', branchId: branch.body.id as string }),
    teacher,
    both,
  ]
  await institute.owner.put(`/members/${both.membershipId}/roles`, {
    roles: [{ roleId: teaching }, { roleId: managing, branchId: branch.body.id }],
  })
  await fillInstitute(app, institute, { students: STUDENTS, others: OTHERS, branchIds: [institute.branchId] })
  await letTeach(teacher.userId, 77)
  await letTeach(both.userId, 777)
  // The owner is a student, too, so that there is something to find for what people see of themselves.
  await runSql(
    app,
    `update "student" set user_id = ${text(institute.ownerUserId)} where id = ${nthId('student', '77')}`,
  )
}, 120_000)
afterAll(() => app.close())

/** Assigns some of the groups from the n-th on to the n-th staff member, who has this account. */
const letTeach = async (userId: string, n: number): Promise<void> => {
  await runSql(app, `update "staff" set user_id = ${text(userId)} where id = ${nthId('staff', n)}`)
  await runSql(
    app,
    `update "group" set teacher_staff_id = ${nthId('staff', n)}
     where id between ${nthId('group', n)} and ${nthId('group', n - 1 + TAUGHT)}`,
  )
}

/** Examines every statement that a request runs; the request must succeed. */
const look = async (
  client: Client,
  path: string,
  change?: object,
): Promise<{ body: { nextCursor?: string | null }; costs: string[] }> => {
  statements.length = 0
  const { status, body } = await (change ? client.patch(path, change) : client.get(path))
  // A record that a filter names may be out of reach of those who reach little.
  expect(limited.includes(client) ? [200, 404] : [200], `${path}: ${JSON.stringify(body)}`).toContain(status)
  const ran = statements.filter(({ sql }) => sql.startsWith('select'))
  const costs: string[] = []
  for (const statement of ran) {
    // An order alone is no filter: its page is read from an index.
    for (const cost of await costsByTable(app, statement, /\?(?!sort=)/.test(path)))
      costs.push(`${path}: ${cost}: ${adviceFor(statement)}\n  in ${statement.sql}`)
  }
  return { body, costs }
}

/** The callers: one of each reach, or a page of the institute's website. */
const askers = async (endpoint: Endpoint, example: Example): Promise<Client[]> => {
  if (endpoint.access !== 'publishable') {
    return [example.as ?? world.owner, ...(endpoint.wholeTenant ? [] : limited)]
  }
  const { as = world.owner, headers = {} } = await maker(endpoint).make(world)
  return [{ ...as, get: (path) => as.send('GET', path, { headers }) }]
}

describe('in a large institute no request scans a table', () => {
  test.each(looked.map((endpoint) => [endpoint.id, endpoint] as const))('for %s', async (_, endpoint) => {
    const example: Example = endpoint.path.includes('{') ? await maker(endpoint).make(world) : {}
    const [path = '', needed = ''] = pathOf(endpoint, example).split('?')
    const given = (more: Record<string, string>): string => {
      const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(needed)), ...more })
      return query.size > 0 ? `${path}?${query.toString()}` : path
    }
    const paths = [given({})]
    for (const name of filtersOf(endpoint)) {
      const value = filters[endpoint.id]?.[name]
      if (value === undefined)
        throw new Error(`Under test/fixtures there is no value of ${endpoint.id}’s filter ${name}.`)
      const chosen = typeof value === 'function' ? await value(world, example.params?.['id'] ?? '') : value
      paths.push(given({ [name]: chosen }))
    }
    const costs: string[] = []
    for (const client of await askers(endpoint, example)) {
      const reached = await client.get(given({}))
      if (reached.status !== 200 && limited.includes(client)) continue
      for (const each of paths) costs.push(...(await look(client, each)).costs)
      const { nextCursor } = reached.body as { nextCursor?: string | null }
      if (nextCursor) costs.push(...(await look(client, given({ cursor: nextCursor }))).costs)
    }
    expect(costs).toEqual([])
  })
})

test('a change counts conflicts only among sessions of the same time', async () => {
  const manager = limited[0] as Client
  const groupId = idAt('group', 4321)
  const times = { scheduledStart: '2026-03-05T14:00:00Z', scheduledEnd: '2026-03-05T15:30:00Z' }
  for (const path of [`/groups/${groupId}/sessions`, `/groups/${idAt('group', 4322)}/sessions`]) {
    expect((await world.owner.post(path, times)).status).toBe(201)
  }
  const costs: string[] = []
  for (const client of [world.owner, manager]) {
    // One of January 2020, and the group of the two to come.
    costs.push(...(await look(client, `/sessions/${idAt('session', 12_345)}`, { topic: 'Verbs' })).costs)
    costs.push(...(await look(client, `/groups/${groupId}`, { room: 'A' })).costs)
    expect(statements.some(({ sql }) => sql.includes('"long_until"'))).toBe(true)
  }
  expect(costs).toEqual([])
})

/** Postgres draws other rows each time. */
const SAMPLES = engine === 'postgres' ? volume(3, 10) : 1

test('a search scans few rows, whatever rows Postgres has sampled for its statistics', async () => {
  const costs: string[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    if (engine === 'postgres') await runSql(app, 'analyze student')
    for (const word of ['1234', '1998', '56789']) costs.push(...(await look(world.owner, `/students?q=${word}`)).costs)
  }
  expect(costs).toEqual([])
})
