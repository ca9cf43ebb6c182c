import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { figuresOf } from '#db/sqlite/whole-file.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { CannotRestore, reasonOf } from './backup/cannot-restore.ts'
import type { Laid } from './backup/lay.ts'
import { asideNow } from './backup/restore.ts'
import { keepFailure } from './backup/restore-failure.ts'
import type { Config } from './config/config.ts'
import { BACKUPS, DATABASE } from './data-dir/layout.ts'
import { abandonSwap, swap } from './data-dir/swap.ts'
import { answerAway } from './away.ts'
import { prepareProgram, type Program } from './program.ts'

/** Somebody else may have set an institute up while the backup was looked at. @throws CannotRestore */
const assertEmpty = ({ dataDir }: Config): void => {
  if (figuresOf(path.join(dataDir, DATABASE)).institute === null) return
  throw new CannotRestore('set_up_meanwhile', 'An institute was set up here meanwhile.')
}

/**
 * Puts what lies ready in the place of the empty server that is there. Nobody has the database open, and the caller holds
 * the lock.
 * @throws an Error where the change was decided and not finished: the next start finishes it
 */
const putInPlace = (config: Config, { content, summary }: Laid, log: Logger): void => {
  const { dataDir } = config
  try {
    assertEmpty(config)
  } catch (error) {
    abandonSwap(dataDir)
    log.error({ err: error }, 'the restore was given up: nothing was changed')
    return keepFailure(dataDir, { reason: reasonOf(error), detail: (error as Error).message })
  }
  const aside = asideNow(systemClock)
  swap(dataDir, content, aside)
  log.info({ madeAt: summary.createdAt }, 'a backup was put in the place of the empty server')
  rmSync(path.join(dataDir, BACKUPS, aside), { recursive: true, force: true })
}

/**
 * Stops the program, puts a backup in the place of its data, and starts it again in the same process, so that it comes
 * back wherever and by whomever it was started. Everybody is told meanwhile that it is away for a moment.
 * @param settings reads them anew: some were changed while it ran
 * @returns the program, which serves again
 */
export const replaced = async (
  program: Program,
  laid: Laid,
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
    putInPlace(config, laid, log)
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
