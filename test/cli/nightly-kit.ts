import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { inject, vi } from 'vitest'
import { nightlyJob } from '#app/backup/module.ts'
import { backupState } from '#app/backup/state.ts'
import { DEFAULTS, type Config } from '#app/config/config.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'

export const DAY = 24 * 3600

export interface Nightly {
  app: TestApp
  backups: string
  /** What was logged as a warning or worse, parsed. */
  complaints: Record<string, unknown>[]
  /** What the clock does every ten minutes. */
  tick(): Promise<void>
  /** Names of the nightly backups, the oldest first. */
  nightly(): string[]
  /** All that lies among the backups. */
  there(): string[]
  state(): ReturnType<typeof backupState>
}

/** An institute that was set up on a Monday at ten, by the clocks of Jerusalem, with nightly backups. */
export const startNightly = async (
  settings: Partial<Config['backups']> = {},
  options: TestAppOptions = {},
): Promise<Nightly> => {
  // Each backup is made by a process of its own, of which the sources would take half of the time to load.
  vi.stubEnv('NODE_OPTIONS', `--require=${inject('takesPlace')}`)
  const complaints: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void complaints.push(JSON.parse(line)) })
  const config = { backups: { ...DEFAULTS.backups, ...settings }, ...options.config }
  const app = await startApp({ log, ...options, config })
  const { status } = await app.post('/setup/bootstrap', newSetup(setupTokenIn(app.dataDir)))
  if (status !== 201) throw new Error(`not set up: ${status}`)
  const backups = path.join(app.dataDir, 'backups')
  const there = () => (existsSync(backups) ? readdirSync(backups).toSorted() : [])
  return {
    app,
    backups,
    complaints,
    there,
    nightly: () => there().filter((name) => /^nightly-.*\.tar\.gz$/.test(name)),
    tick: async () => {
      await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
        unit.system().enqueue(nightlyJob, {}),
      )
      await app.drain()
    },
    state: () => backupState(app.app.config, app.clock),
  }
}
