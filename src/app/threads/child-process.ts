import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isSea } from 'node:sea'
import { compileFunction } from 'node:vm'
import { environmentForOthers } from '#app/config/read-config.ts'
import { readAsset } from '#app/executable/assets.ts'

/** The first argument of a process that runs a script. It is no command: without a parent that talks to it, it ends. */
const WORD = 'script-process'
/** From 0 to 1000: when memory runs out, Linux ends processes with a higher number first. */
const FIRST_TO_GO = '500'

/**
 * Starts this program once more, for work that shall not weigh on this process. It does not keep the process alive,
 * gets none of its secrets, and answers by messages.
 * @param entry its module in a checkout, relative to src
 * @param args what the executable's own command line gets
 */
export const startChild = (entry: string, args: readonly string[]): ChildProcess => {
  const program = isSea() ? [] : [path.resolve(import.meta.dirname, '../..', entry)]
  const child = spawn(process.execPath, [...program, ...args], {
    env: environmentForOthers(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Bytes, which JSON cannot carry.
    serialization: 'advanced',
  })
  child.unref()
  child.channel?.unref()
  return child
}

/** For the child: if memory runs out, it is the first to go, and the server stays. */
export const goFirst = (): void => {
  try {
    writeFileSync('/proc/self/oom_score_adj', FIRST_TO_GO)
  } catch {
    // If the system does not allow or know this, the work is done anyway.
  }
}

/** @param script its module, relative to src; build/bundle.ts bundles every `*.process.ts` */
export const startScript = (script: string): ChildProcess => startChild(script, [WORD, script])

/** Whether this process was started by `startScript`. */
export const isScript = (args: readonly string[]): args is [string, string] =>
  args[0] === WORD && args.length === 2 && process.connected

/** Runs the script in the executable. A checkout starts it by itself. */
export const runScript = ([, script]: readonly [string, string]): void => {
  const run = compileFunction(readAsset(`scripts/${script}`).toString(), ['require', 'module', 'exports'])
  const module = { exports: {} }
  run(createRequire(import.meta.url), module, module.exports)
}
