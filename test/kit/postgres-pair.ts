import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { databaseFolder } from './database-folder.ts'
import { adminUrlAt, asAdmin, launch, launchOnFreePort, makeCluster, type Cluster, type Keeper } from './postgres.ts'

const run = promisify(execFile)

/** A commit is answered once the standby has it on its disk. */
const SETTINGS = ['wal_level=replica', 'max_wal_senders=4', 'synchronous_commit=on']

/** A primary Postgres and its synchronous standby behind one address, as a provider of databases offers them. */
export interface PostgresPair {
  /** The superuser's address of the database `postgres`, which is that of the primary of the moment. */
  readonly adminUrl: string
  /** Ends the primary at once, promotes the standby, and gives it the address. May be called once. */
  failOver(): Promise<void>
  stop(): Promise<void>
}

/** Forwards connections to a port of the moment. */
const openDoor = async (first: number) => {
  let to = first
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = createConnection(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    lead: (port: number) => void (to = port),
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A copy of a cluster that was shut down, which follows the one at this port. */
const standbyOf = async (primary: Cluster, port: number): Promise<Cluster> => {
  const folder = await mkdtemp(join(databaseFolder(), 'institute-postgres-data-'))
  await run('cp', ['-a', `${primary.folder}/.`, folder])
  const data = join(folder, 'data')
  await writeFile(join(data, 'standby.signal'), '')
  const from = new URL(adminUrlAt(primary, port))
  const address = `host=${from.hostname} port=${port} user=${from.username} password=${from.password}`
  await writeFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`)
  return { ...primary, folder, data }
}

const isTrue = async (adminUrl: string, question: string): Promise<boolean> => {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ is: boolean }>(`select exists (${question}) as is`)
    return rows[0]?.is === true
  } finally {
    await client.end()
  }
}

const untilTrue = async (adminUrl: string, question: string): Promise<void> => {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isTrue(adminUrl, question)) return
    await pause(100)
  }
  throw new Error(`not within 20 s: ${question}`)
}

export const startPostgresPair = async (): Promise<PostgresPair> => {
  const primary = await makeCluster()
  const keepers: Keeper[] = []
  const first = await launchOnFreePort(primary, SETTINGS)
  await first.keeper.end('keep')
  const standby = await standbyOf(primary, first.port)
  keepers.push(await launch(primary, first.port, SETTINGS))
  const second = await launchOnFreePort(standby, [...SETTINGS, 'hot_standby=on'])
  keepers.push(second.keeper)
  const [former, next] = [adminUrlAt(primary, first.port), adminUrlAt(standby, second.port)]
  await untilTrue(former, `select 1 from pg_stat_replication where state = 'streaming'`)
  await asAdmin(former, `alter system set synchronous_standby_names = '*'`)
  await asAdmin(former, 'select pg_reload_conf()')
  await untilTrue(former, `select 1 from pg_stat_replication where sync_state = 'sync'`)
  const door = await openDoor(first.port)
  return {
    adminUrl: adminUrlAt(primary, door.port),
    failOver: async () => {
      await keepers.shift()?.end('remove')
      await asAdmin(next, 'select pg_promote()')
      await untilTrue(next, 'select 1 where not pg_is_in_recovery()')
      door.lead(second.port)
    },
    stop: async () => {
      door.close()
      for (const keeper of keepers) await keeper.end('remove')
    },
  }
}
