import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openPostgres, type Database } from '#db/database.ts'
import { isStorageFailure } from '#db/dialect.ts'
import { createDatabase, type Database as TestDatabase } from '#kit/postgres.ts'

const SILENCE_MILLIS = 500

/** A TCP proxy between the program and Postgres that can drop data silently. */
class Cable {
  readonly #server: Server
  readonly #carried: Socket[] = []
  /** The number of connections so far. */
  carried = 0

  constructor(to: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port), to.hostname)
      for (const [from, onto] of [
        [near, far],
        [far, near],
      ] as const) {
        from.pipe(onto)
        from.on('error', () => onto.destroy())
      }
      this.#carried.push(near, far)
      this.carried += 1
    })
  }

  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Open connections stay open but receive nothing more; new ones work. */
  cut(): void {
    for (const socket of this.#carried.splice(0)) socket.unpipe().pause()
  }

  close(): void {
    for (const socket of this.#carried) socket.destroy()
    this.#server.close()
  }
}

let postgres: TestDatabase
let cable: Cable
let database: Database

beforeEach(async () => {
  postgres = await createDatabase(inject('postgresAdminUrl'))
  const url = new URL(postgres.url)
  cable = new Cable(new URL(url))
  url.port = String(await cable.open())
  url.hostname = '127.0.0.1'
  database = openPostgres({ url: url.href, readers: 2, writers: 2, silenceMillis: SILENCE_MILLIS })
})
afterEach(async () => {
  await database.close()
  cable.close()
  await postgres.drop()
})

const ask = () => sql<{ one: number }>`select 1 as one`.execute(database.read)

test('a connection that is lost silently fails as a storage failure, and is replaced', async () => {
  await ask()
  cable.cut()
  const lost: unknown = await ask().then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(lost).toMatchObject({ message: 'Connection terminated: the server has gone silent' })
  expect(isStorageFailure(lost)).toBe(true)
  expect((await ask()).rows).toEqual([{ one: 1 }])
})

test('a change on a connection that is lost fails too, and the next one is committed', async () => {
  const change = database.write(async (db) => {
    await sql`create table note (text text)`.execute(db)
    cable.cut()
    await sql`insert into note values ('lost')`.execute(db)
  })
  await expect(change).rejects.toSatisfy(isStorageFailure)
  // The server keeps the locks of the lost change until idle_in_transaction_session_timeout.
  await database.write((db) => sql`create table other (text text)`.execute(db))
  expect((await sql`select * from other`.execute(database.read)).rows).toEqual([])
})

test('a change of a process that stands still is ended; one that waits for its locks is committed', async () => {
  const stopped = openPostgres({ url: postgres.url, writers: 1, standstillMillis: 300 })
  onTestFinished(() => stopped.close())
  await database.write(async (db) => {
    await sql`create table note (text text)`.execute(db)
    await sql`insert into note values ('first')`.execute(db)
  })
  const goesOn = Promise.withResolvers<void>()
  const holds = Promise.withResolvers<void>()
  const lost = stopped.write(async (db) => {
    await sql`update note set text = 'lost'`.execute(db)
    holds.resolve()
    await goesOn.promise
    await sql`update note set text = 'lost again'`.execute(db)
  })
  await holds.promise
  await database.write((db) => sql`update note set text = text || ', second'`.execute(db))
  goesOn.resolve()
  await expect(lost).rejects.toSatisfy(isStorageFailure)
  await stopped.write((db) => sql`update note set text = text || ', third'`.execute(db))
  expect((await sql`select * from note`.execute(database.read)).rows).toEqual([{ text: 'first, second, third' }])
})

test('a change whose connection the server ends is to be tried again, and the next one is committed', async () => {
  const change = database.write((db) => sql`select pg_sleep(60)`.execute(db))
  // The failure may arrive before the answer to who was ended, so it is awaited from the start.
  const failure = change.then(
    () => undefined,
    (error: unknown) => error,
  )
  // An administrator, or a server that shuts down.
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like 'select pg_sleep%'
    `.execute(database.read)
    expect(rows).toHaveLength(1)
  })
  expect(isStorageFailure(await failure)).toBe(true)
  await database.write((db) => sql`create table other (text text)`.execute(db))
  expect((await sql`select * from other`.execute(database.read)).rows).toEqual([])
})

test.each([
  ['is ended by an administrator', '57P01'],
  ['ends because another one crashed', '57P02'],
  ['is refused while the server starts', '57P03'],
  ['was idle for too long', '57P05'],
])('work whose connection %s is to be tried again', async (_, code) => {
  const refusing = createServer((socket) => {
    const fields = ['SFATAL', 'VFATAL', `C${code}`, 'Mnot now', ''].map((field) => `${field}\0`).join('')
    const head = Buffer.from('E....')
    head.writeInt32BE(4 + fields.length, 1)
    socket.once('data', () => socket.end(Buffer.concat([head, Buffer.from(fields)])))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void refusing.close())
  await once(refusing, 'listening')
  const { port } = refusing.address() as AddressInfo
  const starting = openPostgres({ url: `postgres://institute@127.0.0.1:${port}/institute`, readers: 1, writers: 1 })
  onTestFinished(() => starting.close())
  const asked = sql`select 1`.execute(starting.read)
  await expect(asked).rejects.toMatchObject({ code })
  await expect(asked).rejects.toSatisfy(isStorageFailure)
})

test('an idle connection may stay silent', async () => {
  await ask()
  await pause(SILENCE_MILLIS * 2)
  const before = cable.carried
  expect((await ask()).rows).toEqual([{ one: 1 }])
  expect(cable.carried).toBe(before)
})

test('a listener notices the loss by its heartbeat, and subscribes again', async () => {
  const heard = vi.fn<() => void>()
  const leave = await database.listen('news', heard)
  database.notify('news')
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
  cable.cut()
  await vi.waitFor(
    () => {
      database.notify('news')
      expect(heard.mock.calls.length).toBeGreaterThan(1)
    },
    { timeout: 15_000, interval: 200 },
  )
  await leave()
})
