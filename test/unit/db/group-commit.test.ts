import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql, type Kysely } from 'kysely'
import { openSqlite, type Database } from '#db/database.ts'
import { StorageProblem } from '#kernel/values/errors.ts'
import { WaitedInTransaction } from '#db/sqlite/group-commit.ts'
import { openWriter } from '#db/sqlite/sqlite.ts'

let folder: string
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'group-commit-'))
  database = openSqlite(path.join(folder, 'test.db'))
  await sql`create table item (name text not null unique)`.execute(database.schema)
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const add = (name: string) => (db: Kysely<never>) => sql`insert into item values (${name})`.execute(db)
const write = <T>(work: (db: Kysely<never>) => Promise<T>) =>
  database.write((db) => work(db as unknown as Kysely<never>))
const names = async () => {
  const { rows } = await sql<{ name: string }>`select name from item order by rowid`.execute(database.read)
  return rows.map((row) => row.name)
}

describe('commits in groups', () => {
  test('changes made together are all there, in the order in which they came', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `item ${index}`)
    await Promise.all(many.map((name) => write(add(name))))
    expect(await names()).toEqual(many)
  })

  test('one that fails takes no other down and leaves nothing', async () => {
    const results = await Promise.allSettled([
      write(add('a')),
      write(async (db) => {
        await add('lost')(db)
        throw new Error('no')
      }),
      write(add('a')),
      write(add('b')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(await names()).toEqual(['a', 'b'])
  })

  test('wait for the disk, unless all that share one are relaxed', async () => {
    const NORMAL = 1
    const FULL = 2
    const modes: [name: string, synchronous: unknown][] = []
    const note = (name: string) => async (db: Kysely<never>) => {
      modes.push([name, database.sqlite?.pragma('synchronous', { simple: true })])
      await add(name)(db)
    }
    const relaxed = (name: string) =>
      database.write((db) => note(name)(db as unknown as Kysely<never>), { relaxed: true })
    await Promise.all([relaxed('a'), relaxed('b')])
    await Promise.all([relaxed('c'), write(note('d')), relaxed('e')])
    // A durable change that arrives while a relaxed group runs waits for the next group.
    await Promise.all([
      database.write(
        async (db) => {
          await note('f')(db as unknown as Kysely<never>)
          void write(note('g'))
        },
        { relaxed: true },
      ),
      relaxed('h'),
    ])
    await write(note('i'))
    expect(Object.fromEntries(modes)).toEqual({
      a: NORMAL,
      b: NORMAL,
      c: FULL,
      d: FULL,
      e: FULL,
      f: NORMAL,
      h: NORMAL,
      g: FULL,
      i: FULL,
    })
    expect(await names()).toEqual('a b c d e f h g i'.split(' '))
  })

  test('a change is readable before its caller hears of success', async () => {
    const seen = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await write(add(name))
        return (await names()).includes(name)
      }),
    )
    expect(seen).toEqual([true, true, true])
  })

  test('one that waits for something else is undone, and what it still writes afterwards is refused', async () => {
    let later: Promise<unknown> | undefined
    const goesOn = Promise.withResolvers<void>()
    const slow = write(async (db) => {
      await add('slow')(db)
      later = goesOn.promise.then(() => add('stray')(db))
      await later
    })
    const quick = write(add('quick'))
    await expect(slow).rejects.toThrow(WaitedInTransaction)
    await quick
    goesOn.resolve()
    await expect(later).rejects.toThrow('this transaction has ended')
    expect(await names()).toEqual(['quick'])
  })

  test('each that waits is undone, also in one group; the others are kept', async () => {
    const slow = (name: string) =>
      write(async (db) => {
        await add(name)(db)
        await Promise.withResolvers<void>().promise
      })
    const results = await Promise.allSettled([
      write(add('a')),
      slow('one'),
      write(add('b')),
      slow('two'),
      write(add('c')),
    ])
    const outcome = results.map((result) => (result.status === 'rejected' ? result.reason.name : 'kept'))
    expect(outcome).toEqual(['kept', 'WaitedInTransaction', 'kept', 'WaitedInTransaction', 'kept'])
    expect(await names()).toEqual(['a', 'b', 'c'])
  })
})

test('a change whose database file is removed before its commit fails: what it wrote went with the file', async () => {
  const lost = write(async (db) => {
    await add('lost')(db)
    rmSync(path.join(folder, 'test.db'))
  })
  await expect(lost).rejects.toThrow(StorageProblem)
})

test('a database that shrinks because of a vacuum still accepts changes', async () => {
  const file = path.join(folder, 'test.db')
  await write((db) =>
    sql`insert into item select hex(randomblob(2000)) from json_each('[1,2,3,4,5,6,7,8]')`.execute(db),
  )
  database.sqlite?.pragma('wal_checkpoint(TRUNCATE)')
  await write(add('large'))
  const { size } = statSync(file)
  await write((db) => sql`delete from item`.execute(db))
  const other = openWriter(file)
  other.exec('vacuum')
  other.pragma('wal_checkpoint(TRUNCATE)')
  other.close()
  expect(statSync(file).size).toBeLessThan(size)
  await write(add('small'))
  await write(add('smaller'))
  expect(await names()).toEqual(['small', 'smaller'])
})
