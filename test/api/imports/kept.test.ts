import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { laneIn } from '#kernel/contract/lane.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newApiKey } from '../examples/integrations.ts'
import { errorsOf, imported, lines, tableOf } from './importing.ts'

/** What imports keep, who reads it, and how it goes. */

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const newSchool = (): Promise<TestInstitute> => makeInstitute(app, { features: { integration_api: true } })

const ask = async (client: Client, more: object = {}): Promise<Reply> => {
  const fileId = await tableOf(app, client, lines('Name,Phone', 'Dana Levi,0501140001'))
  return client.post('/imports', { kind: 'students', fileId, ...more })
}

const refusedOf = async (client: Client, id: string): Promise<string[]> =>
  String((await client.get(`/imports/${id}/refused`)).body)
    .trim()
    .split('\r\n')
    .slice(1)

const keptBytes = async (id: string): Promise<number> =>
  (
    await app.app.database.schema
      .selectFrom('import')
      .select('kept_bytes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).kept_bytes

const BALANCES = lines('Student number,Balance', 'S-999001,125.50', 'S-999002,-7')
const STAFF = lines('Name,Phone', 'Amal Haddad,12')
const FAMILIES = lines('Name,Phone,Mother name,Mother phone', 'Yara Nasser,12,Ruth Nasser,0521140002')
const PUPILS = lines('Name,Phone', 'Omar Aziz,12')

describe('who reads an import', () => {
  let school: TestInstitute
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    school = await newSchool()
    for (const [name, kind, table] of [
      ['balances', 'balances', BALANCES],
      ['staff', 'staff', STAFF],
      ['families', 'students', FAMILIES],
      ['pupils', 'students', PUPILS],
    ] as const) {
      ids[name] = (await imported(app, school.owner, table, { kind })).id
    }
  })

  const seenBy = async (client: Client): Promise<string[]> => {
    const listed = (await client.get('/imports')).body.data.map(({ id }: { id: string }) => id)
    const named = Object.keys(ids).filter((name) => listed.includes(ids[name]))
    for (const [name, id] of Object.entries(ids)) {
      const status = named.includes(name) ? 200 : 404
      expect([name, (await client.get(`/imports/${id}`)).status]).toEqual([name, status])
      expect([name, (await client.get(`/imports/${id}/refused`)).status]).toEqual([name, status])
    }
    return named
  }

  test('needs what its rows need', async () => {
    expect(await seenBy(school.owner)).toEqual(['balances', 'staff', 'families', 'pupils'])
    for (const [permission, also] of [
      ['invoices.write', 'balances'],
      ['staff.write', 'staff'],
      ['guardians.write', 'families'],
    ] as const) {
      const client = await school.member({ permissions: ['students.write', permission] })
      expect(await seenBy(client)).toEqual([also, 'pupils'])
      expect((await client.get('/imports?kind=students')).body.data).toHaveLength(also === 'families' ? 2 : 1)
    }
    const { key } = await newApiKey(worldOf(app, school), { kind: 'secret', permissions: ['students.write'] })
    expect(await seenBy(app.as(key as string))).toEqual(['pupils'])
  })

  test('for some branches is who asked for it, while they may do it', async () => {
    const { body: branch } = await school.owner.post('/branches', { name: 'Nazareth', code: 'NZ' })
    const permissions = ['students.write', 'staff.write', 'files.write'] as const
    const desk = await school.member({ permissions: [...permissions], branchId: branch.id })
    const own = await imported(app, desk, STAFF, { kind: 'staff' })
    expect(await seenBy(desk)).toEqual([])
    expect((await desk.get('/imports')).body.data.map(({ id }: { id: string }) => id)).toEqual([own.id])
    expect(await refusedOf(desk, own.id)).toHaveLength(1)
    expect((await (await school.member({ permissions: ['students.write'] })).get(`/imports/${own.id}`)).status).toBe(
      404,
    )
  })

  test('may remove it', async () => {
    const client = await school.member({ permissions: ['students.write'] })
    expect((await client.delete(`/imports/${ids['staff']}`)).status).toBe(404)
    expect((await client.delete(`/imports/${ids['pupils']}`)).status).toBe(200)
    delete ids['pupils']
    expect(await seenBy(client)).toEqual([])
  })
})

describe('what is kept', () => {
  test('of dry runs, and of imports that wrote nothing, are the refused rows of the last three', async () => {
    const { owner } = await newSchool()
    const written = await imported(app, owner, PUPILS, { kind: 'students' })
    const tried: string[] = []
    for (const more of [{ dryRun: true }, { mode: 'all' }, { dryRun: true }, { dryRun: true, mode: 'all' }]) {
      tried.push((await imported(app, owner, PUPILS, { kind: 'students', ...more })).id)
      app.clock.advance(1)
    }
    const [first, ...last] = tried as [string, string, string, string]
    expect((await owner.get(`/imports/${first}`)).body).toMatchObject({ refused: 1, errors: [] })
    expect([await refusedOf(owner, first), await keptBytes(first)]).toEqual([[], 0])
    for (const id of [...last, written.id]) {
      expect(await refusedOf(owner, id)).toHaveLength(1)
      expect(errorsOf((await owner.get(`/imports/${id}`)).body).join()).toContain('2 Phone not_a_phone')
      expect(await keptBytes(id)).toBeGreaterThan(20)
    }
  })

  test('counts in the room for files, until it is removed', async () => {
    const { owner, tenant } = await newSchool()
    const { id } = await imported(app, owner, PUPILS, { kind: 'students' })
    const kept = await keptBytes(id)
    const [file] = await app.app.database.schema
      .selectFrom('file')
      .select(['id', 'size_bytes'])
      .where('tenant_id', '=', tenant.id)
      .execute()
    const { id: fileId = '', size_bytes: files = 0 } = file ?? {}
    const allow = (maxStorageBytes: number) =>
      app.app.database.schema
        .updateTable('tenant')
        .set({ plan_quotas: JSON.stringify({ maxStorageBytes }) as never })
        .where('id', '=', tenant.id)
        .execute()
    await allow(files + kept - 1)
    const full = await owner.post('/imports', { kind: 'students', fileId })
    expect([full.status, full.body.error.details]).toEqual([
      403,
      { reason: 'quota_exceeded', key: 'maxStorageBytes', limit: files + kept - 1, current: files + kept },
    ])
    expect((await owner.delete(`/imports/${id}`)).status).toBe(200)
    expect((await owner.post('/imports', { kind: 'students', fileId })).status).toBe(202)
  })
})

describe('an import that is removed', () => {
  test('takes its rows with it, from the audit log too', async () => {
    const { owner } = await newSchool()
    const { id } = await imported(app, owner, FAMILIES, { kind: 'students' })
    expect((await owner.delete(`/imports/${id}`)).body).toEqual({ ok: true })
    for (const path of [`/imports/${id}`, `/imports/${id}/refused`]) expect((await owner.get(path)).status).toBe(404)
    const refusals = app.app.database.schema.selectFrom('import_refusal').select('line').where('import_id', '=', id)
    expect(await refusals.execute()).toEqual([])
    const [entry] = (await owner.get(`/audit?entityType=import&entityId=${id}`)).body.data
    expect(entry).toMatchObject({ action: 'imports.delete', before: { id, refused: 1, errors: [] } })
  })

  test('never begins, and is not removed while it runs', async () => {
    const { owner } = await newSchool()
    const [waiting, running] = [(await ask(owner)).body.id, (await ask(owner)).body.id]
    const stand = (status: 'running' | 'queued') =>
      app.app.database.schema.updateTable('import').set({ status }).where('id', '=', running).execute()
    await stand('running')
    const refused = await owner.delete(`/imports/${running}`)
    expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'import_running' }])
    await stand('queued')
    for (const id of [waiting, running]) expect((await owner.delete(`/imports/${id}`)).status).toBe(200)
    await app.drain()
    expect((await owner.get('/students')).body.data).toEqual([])
    expect(
      (await app.app.database.read.selectFrom('job').select('id').where('state', '=', 'dead').execute()).length,
    ).toBe(0)
  })
})

test('of an institute one runs at a time, and eight are under way: another institute waits for none of them', async () => {
  const [greedy, other] = [await newSchool(), await newSchool()]
  for (let n = 0; n < 8; n += 1) expect((await ask(greedy.owner)).status).toBe(202)
  const ninth = await ask(greedy.owner)
  expect([ninth.status, ninth.body.error.details]).toEqual([409, { reason: 'too_many_imports', most: 8 }])
  expect((await ask(other.owner)).status).toBe(202)
  const queued = app.app.database.read.selectFrom('job').select('lane').distinct().where('state', '=', 'queued')
  const lanes = (await queued.where('kind', '=', 'imports.run').execute()).map(({ lane }) => lane)
  expect(new Set(lanes)).toEqual(new Set([greedy, other].map(({ tenant }) => laneIn(tenant.id, 'imports.run'))))
  const { data } = (await greedy.owner.get('/imports')).body
  await greedy.owner.delete(`/imports/${data[0].id}`)
  expect((await ask(greedy.owner)).status).toBe(202)
})
