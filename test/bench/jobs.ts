import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import * as v from 'valibot'
import { openPostgres, openSqlite, type Engine } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { newId } from '#kernel/basics/ids.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { jobKind, type JobKind } from '#kernel/contract/module.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { migrations } from '#migrations'
import '#runtime/change/tables.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction, type Runtime } from '#runtime/change/transaction.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { median } from './figures.ts'
import { openServer } from './postgres-server.ts'

/**
 * `node build/boot.mjs test/bench/jobs.ts`: how many trivial jobs a second the queue does that were enqueued one by one, and
 * the processor time of this process and of the server for each. `--engine sqlite`, `--lanes 1,100,1000`, `--jobs 3000`,
 * `--rounds 3`; with `--works`, each job writes a row when it ends. Postgres waits for the disk, as it does by default.
 */

const ENQUEUED_AT_ONCE = 10
const trivial = declareJob('bench', v.object({}))

const openFile = () => ({ url: undefined, serverMillis: () => 0, close: async () => {} })

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    lanes: { type: 'string', default: '1,100,1000' },
    jobs: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string', default: '/tmp' },
    works: { type: 'boolean', default: false },
  },
})
const [engine, jobs] = [values.engine as Engine, Number(values.jobs)]
const server = engine === 'postgres' ? await openServer() : openFile()
const database =
  server.url === undefined
    ? openSqlite(path.join(values.folder, `bench-jobs-${newId()}.db`))
    : openPostgres({ url: server.url })
await migrate(database, migrations)

const kinds = new Map<string, JobKind>([
  [
    'bench',
    jobKind(trivial, {
      endsTogether: true,
      handle: async ({ finish }) => {
        if (values.works) await finish(async (tx) => tx.audit({ entityType: 'bench', entityId: null }))
      },
    }),
  ],
])
const runtime: Runtime = {
  database,
  clock: systemClock,
  rules: {},
  subscribers: [],
  credentials: [],
  maxAttempts: () => 5,
  usualLane: (kind) => kind,
  wake: () => {},
  unforeseenRefusal: () => {},
}

const enqueue = async (lanes: number): Promise<void> => {
  let next = 0
  const one = async (): Promise<void> => {
    while (next < jobs) {
      const lane = `lane ${next % lanes}`
      next += 1
      await runInTransaction(runtime, systemAuditContext('bench'), async (unit) =>
        unit.system().enqueue(trivial, {}, { lane }),
      )
    }
  }
  await Promise.all(Array.from({ length: ENQUEUED_AT_ONCE }, one))
}

const left = async (): Promise<number> => {
  const rows = await database.read.selectFrom('job').select('id').where('state', '!=', 'done').limit(1).execute()
  return rows.length
}

const spent = () => {
  const { user, system } = process.cpuUsage()
  return { node: (user + system) / 1000, server: server.serverMillis() }
}

for (const lanes of values.lanes.split(',').map(Number)) {
  const rates: number[] = []
  const nodes: number[] = []
  const servers: number[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await enqueue(lanes)
    const queue = new Queue(runtime, { kinds, log: pino({ level: 'warn' }), isOnlyProcess: engine === 'sqlite' })
    const [before, started] = [spent(), performance.now()]
    await queue.start()
    while ((await left()) > 0) await pause(5)
    const [after, elapsed] = [spent(), performance.now() - started]
    await queue.stop(1000)
    rates.push((jobs / elapsed) * 1000)
    nodes.push((after.node - before.node) / jobs)
    servers.push((after.server - before.server) / jobs)
  }
  const [rate, node, ofServer] = [median(rates), median(nodes), median(servers)]
  console.log(
    `${engine}, ${lanes} lanes: ${Math.round(rate)} jobs/s, ${(node + ofServer).toFixed(2)} ms a job (Node ${node.toFixed(2)}, server ${ofServer.toFixed(2)}); rounds ${rates.map(Math.round).join(' ')}`,
  )
}
await database.close()
await server.close()
process.exit(0)
