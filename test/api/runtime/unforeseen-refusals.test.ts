import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Overloaded, ReferenceGone, StillNamed, ValueTaken, type Failure } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { runSql, text } from '#kit/fill.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { newApiKey } from '../examples/integrations.ts'

/** Constraint violations that a module did not foresee still give the caller a meaningful reply. */

let app: TestApp
let institute: TestInstitute
let writes: () => Promise<Write[]>
const warnings: Record<string, unknown>[] = []

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) })
  app = await startApp({ log })
  institute = await makeInstitute(app)
  writes = await watchWrites(app)
})
afterAll(() => app.close())

const change = (work: (tx: Tx) => Promise<unknown>) =>
  runInTransaction(app.app.runtime, systemAuditContext('test.change'), (unit) =>
    work(unit.tenant(institute.tenant, 'all')),
  )

const newLink = (studentId: string, guardianId: string) => (tx: Tx) =>
  tx.whole
    .insertInto('guardian_link')
    .values({
      id: tx.id(),
      student_id: studentId,
      guardian_id: guardianId,
      relationship: 'mother',
      is_primary: false,
      is_payer: false,
      created_at: tx.now,
    })
    .execute()

const expectRefused = async (
  work: (tx: Tx) => Promise<unknown>,
  { spec }: Failure,
  headers?: object,
): Promise<void> => {
  await writes()
  warnings.length = 0
  const error = await change(async (tx) => {
    await tx.whole.updateTable('branch').set({ code: 'undone' }).execute()
    await work(tx)
  }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ spec, ...(headers && { headers }) })
  expect(await writes()).toEqual([])
  expect(warnings).toMatchObject([{ action: 'test.change', refusal: spec.name, err: { message: expect.any(String) } }])
}

test('a foreign key violation: other records refer to the record, or the record that it refers to is gone', async () => {
  const { owner, branchId } = institute
  const student = await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })
  const guardian = await owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: '+972501234567' })
  expect([student.status, guardian.status]).toEqual([201, 201])
  await expectRefused(({ whole }) => whole.deleteFrom('branch').where('id', '=', branchId).execute(), StillNamed)
  await expectRefused(newLink(newId(), guardian.body.id), ReferenceGone)
  await expectRefused(({ whole }) => whole.updateTable('student').set({ branch_id: newId() }).execute(), ReferenceGone)
  await change(newLink(student.body.id, guardian.body.id))
  await expectRefused(newLink(student.body.id, guardian.body.id), ValueTaken)
})

test('two transactions that deadlock again and again: try again in a second', async () => {
  let tries = 0
  const collide = async () => {
    tries += 1
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
  }
  await expectRefused(collide, Overloaded, { 'Retry-After': '1' })
  expect(tries).toBe(engine === 'postgres' ? 5 : 1)
})

test('in the API it is a refusal like any other, stored for repeats of its key', async () => {
  const { membershipId } = await institute.member({ role: 'teacher' })
  const id = engine === 'postgres' ? 'uuid' : 'text'
  await runSql(
    app,
    `create table "note" (tenant_id ${id}, membership_id ${id},
       foreign key (tenant_id, membership_id) references "membership" (tenant_id, id))`,
  )
  await runSql(app, `insert into "note" values (${text(institute.tenant.id)}, ${text(membershipId)})`)
  const { key } = await newApiKey(institute, { permissions: ['members.manage'] })
  const remove = (idempotencyKey: string) =>
    app.as(key).send('DELETE', `/members/${membershipId}`, { headers: { 'idempotency-key': idempotencyKey } })
  const [first, second] = [randomUUID(), randomUUID()]
  const reply = await remove(first)
  expect(reply).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', message: StillNamed.spec.message } } })
  await runSql(app, `delete from "note"`)
  const repeat = await remove(first)
  expect([repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([409, 'true'])
  expect(repeat.body).toEqual(reply.body)
  expect((await remove(second)).status).toBe(200)
})
