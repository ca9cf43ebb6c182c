import { afterAll, beforeAll, expect, test } from 'vitest'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind } from '#kernel/contract/module.ts'
import { startOfLocalDay } from '#kernel/time/zone.ts'
import { billingModule } from '#modules/billing/index.ts'
import { sweepOverdue, sweepOverdueJob } from '#modules/billing/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { issuedInvoice } from '../examples/billing.ts'

/** The sweep over the invoices of many institutes. */

const NOW = '2026-03-25T12:00:00.000Z'
const DUE = '2026-03-20'

/** A sweep that something comes before, each time that it has read what it is going to mark. */
const interruptedJob = declareJob('test.interrupted-sweep', noPayload)
let comesBetween: () => Promise<void>

let app: TestApp
let statements: string[] = []
beforeAll(async () => {
  const interrupted = jobKind(interruptedJob, {
    handle: (context) =>
      sweepOverdue({
        ...context,
        change: async (work) => {
          await comesBetween()
          return context.change(work)
        },
      }),
  })
  app = await startApp({
    now: NOW,
    queryLog: ({ query }) => statements.push(query.sql),
    modules: [{ name: 'planted', jobs: [interrupted] }],
  })
})
afterAll(() => app.close())

const sweep = async (): Promise<number> => {
  // What waits already would be claimed with it.
  await app.drain()
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.system().enqueue(sweepOverdueJob, {})
  })
  statements = []
  await app.drain()
  // The first claim takes the sweep; the second takes the jobs that it enqueues, which tell people of their invoices.
  const claims = statements.flatMap((sql, index) =>
    /update "job" set .*"fence" = "fence" \+/.test(sql) ? [index] : [],
  )
  return claims[1] ?? statements.length
}

/** Copies an issued invoice, so that the institute has `count` more with that due date. */
const addInvoices = async (institute: TestInstitute, count: number, dueDate: string): Promise<void> => {
  const { id } = await issuedInvoice(worldOf(app, institute))
  const { read } = app.app.database
  const row = await read.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const copies = Array.from({ length: count }, (_, index) => ({
    ...row,
    id: crypto.randomUUID(),
    number: `COPY-${dueDate}-${index}`,
    due_date: dueDate,
  }))
  await app.app.database.write(async (db) => {
    await db.insertInto('invoice').values(copies).execute()
    await db.updateTable('invoice').set({ status: 'paid' }).where('id', '=', id).execute()
  })
}

const counts = async ({ tenant }: TestInstitute) => {
  const { read } = app.app.database
  const invoices = await read.selectFrom('invoice').select('status').where('tenant_id', '=', tenant.id).execute()
  const events = await read
    .selectFrom('event')
    .select('id')
    .where('tenant_id', '=', tenant.id)
    .where('type', '=', 'invoice.overdue')
    .execute()
  const audited = await read
    .selectFrom('audit_entry')
    .select('id')
    .where('tenant_id', '=', tenant.id)
    .where('action', '=', sweepOverdueJob.name)
    .execute()
  return [invoices.filter(({ status }) => status === 'overdue').length, events.length, audited.length]
}

test('leaves an invoice that was paid or voided after the sweep has read it', async () => {
  const institute = await makeInstitute(app)
  const { owner } = institute
  const world = worldOf(app, institute)
  const later = { dueDate: '2026-03-30' }
  const [paid, voided, open] = [
    await issuedInvoice(world, later),
    await issuedInvoice(world, later),
    await issuedInvoice(world, later),
  ]
  const ids = [paid.id, voided.id, open.id]
  await app.app.database.write((db) =>
    db.updateTable('invoice').set({ due_date: DUE }).where('id', 'in', ids).execute(),
  )
  await app.drain()
  comesBetween = async () => {
    const payment = { amountMinor: 45_000, currency: 'ILS', method: 'cash' }
    expect((await owner.post(`/invoices/${paid.id}/payments`, payment)).status).toBe(201)
    expect((await owner.post(`/invoices/${voided.id}/void`, { reason: 'Wrong family' })).status).toBe(200)
  }
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.system().enqueue(interruptedJob, {})
  })
  await app.drain()
  const statusOf = async ({ id }: { id: string }) => (await owner.get(`/invoices/${id}`)).body.status
  expect(await Promise.all([paid, voided, open].map(statusOf))).toEqual(['paid', 'void', 'overdue'])
  expect(await counts(institute)).toEqual([1, 1, 0])
})

test('makes an old debt overdue as soon as it is issued, with one event, and nothing else', async () => {
  const institute = await makeInstitute(app)
  const world = worldOf(app, institute)
  const late = await issuedInvoice(world, { dueDate: '2026-03-24' })
  await issuedInvoice(world, { dueDate: '2026-03-25' })
  await app.drain()
  const { data } = (await institute.owner.get('/invoices?overdue=true')).body
  expect(data.map(({ id }: { id: string }) => id)).toEqual([late.id])
  expect(await counts(institute)).toEqual([1, 1, 1])
})

test('once its payment is reversed, an invoice that is due today is open, and one of yesterday is overdue', async () => {
  const institute = await makeInstitute(app)
  const world = worldOf(app, institute)
  const afterReversal = async (dueDate: string): Promise<string> => {
    const { id } = await issuedInvoice(world, { dueDate })
    const payment = { amountMinor: 45_000, currency: 'ILS', method: 'cash' }
    const { body: paid } = await institute.owner.post(`/invoices/${id}/payments`, payment)
    const reversed = await institute.owner.post(`/payments/${paid.id}/reverse`, { reason: 'The card was declined' })
    expect(reversed.status).toBe(201)
    return (await institute.owner.get(`/invoices/${id}`)).body.status
  }
  expect(await afterReversal('2026-03-25')).toBe('issued')
  expect(await afterReversal('2026-03-24')).toBe('overdue')
})

test('comes by when the day begins, in every zone', () => {
  const { cronJobs = [] } = billingModule(async () => new Map())
  const minutes = cronJobs.flatMap(({ job, cron }) =>
    job === sweepOverdueJob && cron === '*/15 * * * *' ? [0, 15, 30, 45] : [],
  )
  const midnights = Intl.supportedValuesOf('timeZone').map((zone) =>
    new Date(startOfLocalDay('2026-03-25', zone)).getUTCMinutes(),
  )
  expect(minutes).toEqual(expect.arrayContaining([...new Set(midnights)]))
})

test('marks what is due of every institute once, whatever lies between, and leaves the rest', async () => {
  const many = await makeInstitute(app)
  const behind = await makeInstitute(app, { timezone: 'America/New_York' })
  const ahead = await makeInstitute(app, { timezone: 'Pacific/Auckland' })
  const archived = await makeInstitute(app)
  const few = await Promise.all(Array.from({ length: 8 }, () => makeInstitute(app)))
  await addInvoices(many, 60, DUE)
  await addInvoices(many, 30, '2026-03-25')
  await addInvoices(behind, 30, '2026-03-25')
  await addInvoices(ahead, 30, '2026-03-25')
  await addInvoices(archived, 60, '2026-03-01')
  for (const institute of few) await addInvoices(institute, 3, DUE)
  await app.app.database.write((db) =>
    db.updateTable('tenant').set({ status: 'archived' }).where('id', '=', archived.tenant.id).execute(),
  )
  await sweep()
  const marked = async () => Promise.all([many, behind, ahead, archived, ...few].map(counts))
  const once = (count: number) => [count, count, count]
  const expected = [once(60), once(0), once(30), once(0), ...few.map(() => once(3))]
  expect(await marked()).toEqual(expected)
  await sweep()
  expect(await marked()).toEqual(expected)
})

test('costs as much for forty institutes with one invoice each as for one with forty', async () => {
  const one = await makeInstitute(app)
  await addInvoices(one, 40, '2026-02-01')
  const forOne = await sweep()
  const many = await Promise.all(Array.from({ length: 40 }, () => makeInstitute(app)))
  for (const institute of many) await addInvoices(institute, 1, '2026-02-01')
  const forMany = await sweep()
  expect(await Promise.all(many.map(counts))).toEqual(many.map(() => [1, 1, 1]))
  expect(forMany).toBeLessThanOrEqual(forOne)
})
