import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { figuresOf } from '#db/sqlite/whole-file.ts'
import { settleSent } from '#db/sqlite/settle-sent.ts'
import { once } from '#kernel/basics/once.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { CannotRestore, reasonOf } from './backup/cannot-restore.ts'
import type { Backup } from './backup/make.ts'
import { startBackupProcess } from './backup/process.ts'
import { keepFailure } from './backup/restore-failure.ts'
import { TELLING_JOBS } from './backup/telling-jobs.ts'
import { noteRestored } from './backup/restored-from.ts'
import type { Replacing, RestoreOrder } from './backup/restoring.ts'
import type { Config } from './config/config.ts'
import { writeSettings } from './config/write-settings.ts'
import { asideOf, BACKUPS, DATABASE } from './data-dir/layout.ts'
import { abandonSwap, beginSwap, swap } from './data-dir/swap.ts'
import { answerAway } from './away.ts'
import { prepareProgram, type Program } from './program.ts'

/** Somebody else may have set an institute up while the backup was looked at. @throws CannotRestore */
const assertEmpty = ({ dataDir }: Config): void => {
  if (figuresOf(path.join(dataDir, DATABASE)).institute === null) return
  throw new CannotRestore('set_up_meanwhile', 'An institute was set up here meanwhile.')
}

const asideFolder = ({ dataDir }: Config, aside: string): string => path.join(dataDir, BACKUPS, aside)

/** Packs what is here, to which nobody writes any more. @returns the name of the backup @throws an Error, CannotRestore */
const keepWhatIsHere = async ({ dataDir, databaseUrl, masterKey }: Config, createdAt: string): Promise<string> => {
  const config = { dataDir, databaseUrl, masterKey }
  const make = { config, createdAt, kind: 'before-restore' as const }
  const { file } = await startBackupProcess<Backup>({ make }, new AbortController().signal).answer
  return path.basename(file)
}

/** What has to be so, and be kept, before anything is put in the place of what is here. @throws an Error */
const makeReady = async (
  config: Config,
  { laid: { content, summary }, replacing }: RestoreOrder,
  now: string,
): Promise<void> => {
  if (!replacing) return assertEmpty(config)
  const kept = await keepWhatIsHere(config, now)
  settleSent(path.join(content, DATABASE), path.join(config.dataDir, DATABASE), TELLING_JOBS)
  noteRestored(content, { ...replacing, createdAt: summary.createdAt, kept })
}

/**
 * Puts what lies ready in the place of what is there. Nobody has the database open, and the caller holds the lock.
 * @returns the folder that keeps what was there; undefined: nothing was changed, and why is kept
 * @throws an Error where the change was decided and not finished: the next start finishes it
 */
const putInPlace = async (config: Config, order: RestoreOrder, log: Logger): Promise<string | undefined> => {
  const { dataDir } = config
  const now = systemClock.now()
  // Named as the backup of what was there, so that the next start tells that it is no longer needed: see `sweepKept`.
  const aside = asideOf(now)
  try {
    await makeReady(config, order, now)
  } catch (error) {
    abandonSwap(dataDir)
    log.error({ err: error }, 'the restore was given up: nothing was changed')
    keepFailure(dataDir, { reason: reasonOf(error), detail: (error as Error).message })
    return undefined
  }
  swap(dataDir, order.laid.content, aside)
  log.info({ madeAt: order.laid.summary.createdAt }, 'a backup was put in the place of what was there')
  return asideFolder(config, aside)
}

/** Puts what was there back, and throws away what could not be started on. @throws an Error */
const takeBack = (config: Config, former: string, why: unknown): void => {
  const { dataDir } = config
  const failed = `failed-${asideOf(systemClock.now())}`
  beginSwap(dataDir)
  swap(dataDir, former, failed)
  rmSync(asideFolder(config, failed), { recursive: true, force: true })
  keepFailure(dataDir, { reason: 'failed', detail: (why as Error).message })
}

/** Starts the program again. @throws an Error; then it has let go of the database */
const opened = async (prepare: () => Promise<Program>, makeRoom: () => Promise<void>): Promise<Program> => {
  const next = await prepare()
  try {
    await makeRoom()
    await next.open()
    return next
  } catch (error) {
    await next.handOver()
    throw error
  }
}

/** The same on what was restored; where that cannot be, on what was there before. @param former its folder */
const openedOrBack = async (
  open: () => Promise<Program>,
  { config, former, replacing, log }: Back,
): Promise<Program> => {
  if (former === undefined || !replacing) return open()
  try {
    return await open()
  } catch (error) {
    log.error({ err: error }, 'the program did not start on what was restored: what was there is put back')
    takeBack(config, former, error)
    return open()
  }
}

interface Back {
  config: Config
  former: string | undefined
  replacing: Replacing | undefined
  log: Logger
}

/**
 * Writes the settings that were asked for together with the restore: where that cannot be, it is no reason to be away.
 * @returns those in force from now on
 */
const withKept = (config: Config, kept: RestoreOrder['settings'], { settings, log }: Around): Config => {
  if (Object.keys(kept).length === 0) return config
  try {
    writeSettings(config.dataDir, kept)
    return { ...settings(), port: config.port }
  } catch (error) {
    log.error({ err: error, settings: Object.keys(kept) }, 'institute.conf could not be written')
    return config
  }
}

interface Around {
  /** Reads the settings anew. */
  settings: () => Config
  log: Logger
}

/**
 * Stops the program, puts a backup in the place of its data, and starts it again in the same process, so that it comes
 * back wherever and by whomever it was started. Everybody is told meanwhile that it is away for a moment.
 * @param around reads the settings anew: some were changed while it ran
 * @returns the program, which serves again
 */
export const replaced = async (program: Program, order: RestoreOrder, around: Around): Promise<Program> => {
  const { settings, log } = around
  const { replacing } = order
  const wanted = settings()
  const { release, port, endSigns } = await program.handOver()
  const before = { ...wanted, port }
  const comeBack = await answerAway(before).catch((error: unknown) => {
    log.warn({ err: error }, 'nobody is told that the program is away for a moment')
    return async () => {}
  })
  try {
    const former = await putInPlace(before, order, log)
    const config = former === undefined ? before : withKept(before, order.settings, around)
    const makeRoom = once(comeBack)
    const open = () => opened(() => prepareProgram(config, log, release), makeRoom)
    const next = await openedOrBack(open, { config, former, replacing, log })
    endSigns()
    // Of an empty server there is nothing to keep.
    if (former !== undefined && !replacing) rmSync(former, { recursive: true, force: true })
    return next
  } catch (error) {
    log.fatal({ err: error }, 'the program did not come back after a restore: the next start finishes it')
    throw error
  }
}
