import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from 'kysely'
import { MAX_WAITING, throwOverloaded } from '#db/overload.ts'
import { openSqlite } from '#db/database.ts'

const open = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crowd-'))
  const database = openSqlite(path.join(folder, 'test.db'))
  onTestFinished(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  await sql`create table item (name text not null)`.execute(database.schema)
  return database
}

test('a change that may be refused is refused at once when too many wait, and the others are made', async () => {
  const database = await open()
  const add = (refusable: boolean) =>
    database.write((db) => sql`insert into item values ('x')`.execute(db), { refusable })
  const crowd = Array.from({ length: MAX_WAITING }, () => add(true))
  await expect(add(true)).rejects.toMatchObject({ spec: { status: 429 }, headers: { 'Retry-After': '1' } })
  const patient = add(false)
  await Promise.all([...crowd, patient])
  const { rows } = await sql<{ made: number }>`select count(*) as made from item`.execute(database.read)
  expect(rows).toEqual([{ made: MAX_WAITING + 1 }])
  await add(true)
})

test.each([
  ['55P03', 'canceling statement due to lock timeout'],
  ['57014', 'canceling statement due to statement timeout'],
  ['40001', 'could not serialize access due to concurrent update'],
  ['40P01', 'deadlock detected'],
  [undefined, 'timeout exceeded when trying to connect'],
])('%s (%s), others being in the way, is no failure of the server', (code, message) => {
  const error = Object.assign(new Error(message), { code })
  expect(() => throwOverloaded(error)).toThrow(
    expect.objectContaining({ spec: expect.objectContaining({ status: 429 }) }),
  )
})
