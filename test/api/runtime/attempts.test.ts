import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ValueTaken } from '#kernel/values/errors.ts'
import { declareJob } from '#kernel/contract/job.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** A part of a transaction that is refused leaves nothing, and the rest of it everything. */

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const job = declareJob('test.attempted', v.object({ name: v.string() }))

const branch = (tx: Tx, name: string, id: string = tx.id()) => {
  const row = { name, code: null, is_default: false, is_active: true, created_at: tx.now, updated_at: tx.now }
  return tx.whole
    .insertInto('branch')
    .values({ ...row, id })
    .execute()
}

/** Writes a branch, with everything that a change collects. */
const write = async (tx: Tx, name: string, id?: string): Promise<void> => {
  tx.audit({ entityType: 'test', entityId: null, after: { name } })
  tx.emit('student.created', {
    studentId: tx.id(),
    branchId: school.branchId,
    studentNumber: 'S-000001',
    firstName: name,
    lastName: 'Levi',
    status: 'lead',
  })
  tx.enqueue(job, { name }, { runAt: '2100-01-01T00:00:00.000Z' })
  await branch(tx, name, id)
}

const change = (work: (system: SystemTx, tx: Tx) => Promise<void>) =>
  runInTransaction(app.app.runtime, systemAuditContext('test.attempts'), async (unit) => {
    const system = unit.system()
    await work(system, system.inTenant(school.tenant))
  })

const kept = async () => {
  const { read } = app.app.database
  const branches = await read.selectFrom('branch').select('name').where('name', 'like', 'attempt %').execute()
  const entries = await read.selectFrom('audit_entry').select('after').where('action', '=', 'test.attempts').execute()
  const events = await read.selectFrom('event').select('body').where('type', '=', 'student.created').execute()
  const jobs = await read.selectFrom('job').select('payload').where('kind', '=', job.name).execute()
  return {
    branches: branches.map(({ name }) => name).toSorted(),
    entries: entries.map(({ after }) => (after as { name: string }).name).toSorted(),
    events: events.map(({ body }) => JSON.parse(body).data.firstName).toSorted(),
    jobs: jobs.map(({ payload }) => (payload as { name: string }).name).toSorted(),
  }
}

test('what is refused goes, with its entries, events and jobs, and what comes before and after stays', async () => {
  await change(async (system, tx) => {
    await write(tx, 'attempt before')
    const refused = system.attempt(async () => {
      await write(tx, 'attempt refused')
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    // The database refuses this one, after which Postgres takes no statement until the part is taken back.
    const taken = system.attempt(() => write(tx, 'attempt taken', school.branchId))
    await expect(taken).rejects.toMatchObject({ spec: ValueTaken.spec })
    await system.attempt(async () => {
      await write(tx, 'attempt outside')
      await system.attempt(() => write(tx, 'attempt inside'))
      await expect(system.attempt(() => write(tx, 'attempt inner', school.branchId))).rejects.toThrow()
    })
    await write(tx, 'attempt after')
  })
  const names = ['attempt after', 'attempt before', 'attempt inside', 'attempt outside']
  expect(await kept()).toEqual({ branches: names, entries: names, events: names, jobs: names })
})

test('with the transaction goes what its parts have done', async () => {
  const before = await kept()
  const failed = change(async (system, tx) => {
    await system.attempt(() => write(tx, 'attempt lost'))
    throw new Error('the end')
  })
  await expect(failed).rejects.toThrow('the end')
  expect(await kept()).toEqual(before)
})
