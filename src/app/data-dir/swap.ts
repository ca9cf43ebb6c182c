import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'
import { BACKUPS, isReplaced } from './layout.ts'

/**
 * Replaces the state of a data directory atomically: after a kill at any point the directory holds, or at the next
 * start gets, either the old state or the new one and never a mix.
 *
 * `.restore/new` holds the new state. As long as `.restore/moving-out` does not exist, nothing has happened, and the
 * new state is discarded. Once it exists, the change is decided: first everything old moves to the aside folder, then
 * `moving-out` is renamed to `moving-in`, then everything new moves in. Both moves can resume where they stopped.
 */
const WORK = '.restore'
const NEW = 'new'
const MOVING_OUT = 'moving-out'
const MOVING_IN = 'moving-in'

const inWork = (dataDir: string, name: string): string => path.join(dataDir, WORK, name)

const drop = (dataDir: string): void => rmSync(path.join(dataDir, WORK), { recursive: true, force: true })

/** Discards a new state that is not decided yet. */
export const abandonSwap = (dataDir: string): void => {
  const isDecided = [MOVING_OUT, MOVING_IN].some((name) => existsSync(inWork(dataDir, name)))
  if (!isDecided) drop(dataDir)
}

/** Makes the empty folder in which the new state is prepared. */
export const beginSwap = (dataDir: string): string => {
  drop(dataDir)
  mkdirSync(path.join(dataDir, WORK))
  return path.join(dataDir, WORK)
}

const moveOut = (dataDir: string): void => {
  const aside = path.join(dataDir, BACKUPS, readFileSync(inWork(dataDir, MOVING_OUT), 'utf8'))
  const old = readdirSync(dataDir).filter(isReplaced)
  if (old.length > 0) {
    mkdirSync(aside, { recursive: true })
    for (const name of old) moveFileNow(path.join(dataDir, name), path.join(aside, name))
    syncToDisk(aside)
    syncToDisk(dataDir)
  }
  moveFileNow(inWork(dataDir, MOVING_OUT), inWork(dataDir, MOVING_IN))
  syncToDisk(path.join(dataDir, WORK))
}

const moveIn = (dataDir: string): void => {
  const from = inWork(dataDir, NEW)
  for (const name of readdirSync(from)) {
    const to = path.join(dataDir, name)
    // A file that a restore never replaces is not moved in, even if the machine has none.
    if (isReplaced(name) && !existsSync(to)) moveFileNow(path.join(from, name), to)
  }
  syncToDisk(dataDir)
}

/**
 * Decides for the new state, which lies in `content` inside the folder of `beginSwap`, and moves it in.
 * @param aside name of the folder, among the backups, that keeps the old state
 */
export const swap = (dataDir: string, content: string, aside: string): void => {
  moveFileNow(content, inWork(dataDir, NEW))
  const decision = inWork(dataDir, 'decision')
  writeFileSync(decision, aside)
  syncToDisk(decision)
  moveFileNow(decision, inWork(dataDir, MOVING_OUT))
  syncToDisk(path.join(dataDir, WORK))
  finishSwap(dataDir)
}

/**
 * Finishes a restore that was killed after its decision, or discards one that was killed before. The caller holds the
 * lock of the data directory.
 */
export const finishSwap = (dataDir: string): void => {
  if (!existsSync(path.join(dataDir, WORK))) return
  if (existsSync(inWork(dataDir, MOVING_OUT))) moveOut(dataDir)
  if (existsSync(inWork(dataDir, MOVING_IN))) {
    moveIn(dataDir)
    // Before what it speaks of: a kill while the rest goes would leave a decision for what is no longer there.
    rmSync(inWork(dataDir, MOVING_IN))
    syncToDisk(path.join(dataDir, WORK))
  }
  drop(dataDir)
}

/** @throws Error while a restore is running, or after one was interrupted */
export const assertNoRestore = (dataDir: string): void => {
  if (existsSync(path.join(dataDir, WORK))) {
    throw new Error(
      'A restore is under way here, or was stopped on the way: start the program to end it, then try again.',
    )
  }
}
