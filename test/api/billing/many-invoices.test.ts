import { afterAll, beforeAll, expect, test } from 'vitest'
import { scoped } from '#db/scope/scope.ts'
import type { Module } from '#kernel/contract/module.ts'
import { NotADraft } from '#modules/billing/failures.ts'
import { issueInvoice } from '#modules/billing/lifecycle.ts'
import { changeMany } from '#modules/billing/change-many.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newInvoice as draftOf } from '../examples/billing.ts'
import { reachedStudent } from '../examples/people.ts'

let app: TestApp
let institute: TestInstitute
let world: World
/** Where it is set, what follows from an event about this invoice fails, as if the process died there. */
let dies: string | undefined
const mortal: Module = {
  name: 'mortal',
  eventSubscribers: [
    async (_, events) => {
      if (events.some(({ data }) => 'invoiceId' in data && data.invoiceId === dies)) throw new Error('died here')
    },
  ],
}

beforeAll(async () => {
  app = await startApp({ modules: [mortal] })
})
afterAll(() => app.close())

const begin = async (): Promise<void> => {
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
}
/** A draft whose student is told of it. */
const newInvoice = async (of: World, more: object = {}) => draftOf(of, { studentId: await reachedStudent(of), ...more })
const issuedInvoice = async (of: World) => (await of.owner.post(`/invoices/${(await newInvoice(of)).id}/issue`)).body
const drafts = async (count: number, more: object = {}): Promise<string[]> => {
  const made = await Promise.all(Array.from({ length: count }, () => newInvoice(world, { ...more })))
  return made.map(({ id }) => id)
}
const issue = (ids: string[], client = institute.owner) => client.post('/invoices/issue', { ids })
const remind = (ids: string[], client = institute.owner) => client.post('/invoices/remind', { ids })
const refusal = (id: string, reason: string) => ({ id, reason })
const idsOf = (events: { invoiceId: string }[]) => events.map(({ invoiceId }) => invoiceId).toSorted()

test('issues each draft as by itself, in the order of the request, and says which are none', async () => {
  await begin()
  const studentId = await reachedStudent(world)
  const made = (await drafts(30, { studentId })).toReversed()
  const [first, second] = made as [string, string]
  await institute.owner.post(`/invoices/${second}/issue`)
  const unknown = studentId
  const { status, body } = await issue([...made, unknown, first])
  const issued = made.filter((id) => id !== second)
  expect([status, body]).toEqual([
    200,
    { done: issued, refused: [refusal(second, 'not_a_draft'), refusal(unknown, 'not_found')], unreached: [] },
  ])
  const { data } = (await institute.owner.get('/invoices?status=issued&limit=100')).body
  expect(data).toHaveLength(30)
  expect(idsOf(await eventsOf(app, institute, 'invoice.issued'))).toEqual(made.toSorted())
  const audited = await auditOf(app, institute, 'invoices.issue-many')
  expect(audited.filter(({ entity_id: id }) => id !== null)).toHaveLength(29)
  expect(audited.filter(({ entity_id: id }) => id === null)).toMatchObject([{ metadata: { done: 29, refused: 2 } }])
  expect((await issue(made)).body).toEqual({
    done: [],
    refused: made.map((id) => refusal(id, 'not_a_draft')),
    unreached: [],
  })
})

test('asks for a reminder of each open invoice, and says which are not open', async () => {
  await begin()
  const [open, draft] = [(await issuedInvoice(world)).id, (await newInvoice(world)).id]
  expect((await remind([draft, open])).body).toEqual({
    done: [open],
    refused: [refusal(draft, 'not_open')],
    unreached: [],
  })
  expect(idsOf(await eventsOf(app, institute, 'invoice.reminder_requested'))).toEqual([open])
  expect((await auditOf(app, institute, 'invoices.remind-many')).map(({ entity_id: id }) => id)).toEqual([open, null])
})

test('those of another branch are not found, and stay as they are', async () => {
  await begin()
  const north = (await institute.owner.post('/branches', { name: 'North' })).body.id
  const clerk = await institute.member({ permissions: ['invoices.write'], branchId: north })
  const [here, there] = [(await drafts(1))[0] as string, (await newInvoice({ ...world, branchId: north })).id as string]
  expect((await issue([here, there], clerk)).body).toEqual({
    done: [there],
    refused: [refusal(here, 'not_found')],
    unreached: [],
  })
  expect((await remind([here, there], clerk)).body).toEqual({
    done: [there],
    refused: [refusal(here, 'not_found')],
    unreached: [],
  })
  expect((await institute.owner.get(`/invoices/${here}`)).body.status).toBe('draft')
})

test('takes 1 to 500; a repeat with the same key has the same answer, and asks nobody twice', async () => {
  await begin()
  const [draft] = (await drafts(1)) as [string]
  expect((await issue([])).status).toBe(422)
  expect((await issue(Array.from({ length: 501 }, () => draft))).status).toBe(422)
  expect((await issue(Array.from({ length: 500 }, () => draft))).body).toEqual({
    done: [draft],
    refused: [],
    unreached: [],
  })
  const send = () =>
    institute.owner.send('POST', '/invoices/remind', { body: { ids: [draft] }, headers: { 'idempotency-key': 'once' } })
  const [first, again] = [await send(), await send()]
  expect(again.body).toEqual(first.body)
  expect(await eventsOf(app, institute, 'invoice.reminder_requested')).toHaveLength(1)
})

test('many who issue the same invoices at once issue each once', async () => {
  await begin()
  const made = await drafts(26)
  const replies = await Promise.all([made, made.toReversed(), made, made.toReversed()].map((ids) => issue(ids)))
  expect(replies.flatMap(({ body }) => body.done).toSorted()).toEqual(made.toSorted())
  expect(await eventsOf(app, institute, 'invoice.issued')).toHaveLength(26)
})

test.each([
  ['remind', 'invoice.reminder_requested'],
  ['issue', 'invoice.issued'],
] as const)('a repeat of %s goes on where the process died, and does nothing twice', async (what, type) => {
  await begin()
  // In slices of 25, in the order of their ids; no payer is reminded more often than the pace allows.
  const students = await Promise.all(Array.from({ length: 5 }, () => reachedStudent(world)))
  const ids = (await Promise.all(students.map((studentId) => drafts(12, { studentId })))).flat().toSorted()
  const draft = (await drafts(1))[0] as string
  if (what === 'remind') await issue(ids)
  const asked = what === 'remind' ? [...ids, draft] : ids
  const send = (key?: string) =>
    institute.owner.send('POST', `/invoices/${what}`, {
      body: { ids: asked },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  const told = async () => idsOf(await eventsOf(app, institute, type)).filter((id) => what === 'issue' || id !== draft)
  dies = ids[30] as string
  expect((await send('once')).status).toBe(500)
  expect(await told()).toEqual(ids.slice(0, 25))
  dies = undefined
  const again = await send('once')
  const refused = what === 'remind' ? [refusal(draft, 'not_open')] : []
  expect([again.status, again.body]).toEqual([200, { done: ids, refused, unreached: [] }])
  expect(await told()).toEqual(ids)
  // What has no key, or another one, is another request.
  const other = await send('twice')
  expect(other.body.done).toEqual(what === 'remind' ? ids : [])
  expect(await told()).toHaveLength(what === 'remind' ? 120 : 60)
})

test('of two processes that work on one request, each invoice is done by one', async () => {
  await begin()
  const ids = await drafts(30)
  const { tenant } = institute
  const { database, rules } = app.app.runtime
  const work = () =>
    changeMany(
      {
        ids,
        tenant,
        requestHash: 'the same',
        db: scoped(database.read, { tenantId: tenant.id, rules, reach: 'all' }),
        begin: (run) => runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) => run(unit.system())),
      },
      { each: issueInvoice, refusals: { not_a_draft: NotADraft } },
    )
  const outcomes = await Promise.all([work(), work(), work()])
  for (const outcome of outcomes) expect(outcome).toEqual({ done: ids, refused: [] })
  expect(await eventsOf(app, institute, 'invoice.issued')).toHaveLength(30)
})
