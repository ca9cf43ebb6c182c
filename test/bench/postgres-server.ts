import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { adminUrlAt, createDatabase, launchOnFreePort, makeCluster } from '#kit/postgres.ts'
import { millisWithChildren } from './processor.ts'

export interface PostgresServer {
  /** Of an empty database. */
  url: string
  /** Processor time of all its processes so far. */
  serverMillis(): number
  close(): Promise<void>
}

/** A Postgres that waits for the disk, as it does by default. */
export const openServer = async (): Promise<PostgresServer> => {
  const cluster = await makeCluster()
  const { port, keeper } = await launchOnFreePort(cluster, ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'])
  const postmaster = Number(readFileSync(path.join(cluster.data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const { url } = await createDatabase(adminUrlAt(cluster, port))
  return {
    url,
    serverMillis: () => millisWithChildren(postmaster),
    close: async () => {
      await keeper.end('remove')
      await rm(cluster.folder, { recursive: true, force: true })
    },
  }
}
