import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { figuresOf } from '#db/sqlite/whole-file.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { CannotRestore, reasonOf } from './backup/cannot-restore.ts'
import type { Backup } from './backup/make.ts'
import { startBackupProcess } from './backup/process.ts'
import { asideNow } from './backup/restore.ts'
import { writeOutcome, type Outcome } from './backup/restored.ts'
import type { RestoreOrder } from './backup/restoring.ts'
import type { Config } from './config/config.ts'
import { BACKUPS, DATABASE } from './data-dir/layout.ts'
import { abandonSwap, swap } from './data-dir/swap.ts'
import { answerAway } from './away.ts'
import { prepareProgram, type Program } from './program.ts'

/** Keeps what is there as a backup. @throws an Error that says why it cannot */
const keep = ({ dataDir, databaseUrl, masterKey }: Config): Promise<Backup> => {
  const config = { dataDir, databaseUrl, masterKey }
  const task = { make: { config, createdAt: systemClock.now(), kind: 'before-restore' as const } }
  return startBackupProcess<Backup>(task, new AbortController().signal).answer
}

/** Somebody else may have set an institute up while the backup was looked at. @throws CannotRestore */
const assertEmpty = ({ dataDir }: Config): void => {
  if (figuresOf(path.join(dataDir, DATABASE)).institute === null) return
  throw new CannotRestore('set_up_meanwhile', 'An institute was set up here meanwhile.')
}

/**
 * Puts what lies ready in the place of what is there. Nobody has the database open, and the caller holds the lock.
 * @throws an Error where the change was decided and not finished: the next start finishes it
 */
const putInPlace = async (config: Config, { replaces, content, summary }: RestoreOrder, log: Logger): Promise<void> => {
  const { dataDir } = config
  const outcome: Outcome = { at: systemClock.now(), madeAt: summary.createdAt, kept: null, reason: null, detail: '' }
  let kept: Backup | undefined
  try {
    if (replaces) kept = await keep(config)
    else assertEmpty(config)
  } catch (error) {
    abandonSwap(dataDir)
    const { message } = error as Error
    log.error({ err: error }, 'the restore was given up: nothing was changed')
    return writeOutcome(dataDir, { ...outcome, reason: reasonOf(error), detail: message })
  }
  const file = kept && path.basename(kept.file)
  const aside = asideNow(systemClock)
  swap(dataDir, content, aside)
  writeOutcome(dataDir, { ...outcome, kept: file ?? null })
  log.info({ madeAt: summary.createdAt, kept: file }, 'a backup was put in the place of what was there')
  // What no backup can hold stays there too: pipes, sockets, devices.
  if ((kept?.leftOut ?? []).length === 0) rmSync(path.join(dataDir, BACKUPS, aside), { recursive: true, force: true })
}

/**
 * Stops the program, puts a backup in the place of its data, and starts it again in the same process, so that it comes
 * back wherever and by whomever it was started. Everybody is told meanwhile that it is away for a moment.
 * @param settings reads them anew: some were changed while it ran
 * @returns the program, which serves again
 */
export const replaced = async (
  program: Program,
  order: RestoreOrder,
  { settings, log }: { settings: () => Config; log: Logger },
): Promise<Program> => {
  const wanted = settings()
  const { release, port, endSigns } = await program.handOver()
  const config = { ...wanted, port }
  const comeBack = await answerAway(config).catch((error: unknown) => {
    log.warn({ err: error }, 'nobody is told that the program is away for a moment')
    return async () => {}
  })
  try {
    await putInPlace(config, order, log)
    const next = await prepareProgram(config, log, release)
    await comeBack()
    await next.open()
    endSigns()
    return next
  } catch (error) {
    log.fatal({ err: error }, 'the program did not come back after a restore: the next start finishes it')
    throw error
  }
}
