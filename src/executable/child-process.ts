import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isSea } from 'node:sea'
import { compileFunction } from 'node:vm'
import { readAsset } from './assets.ts'
import { environmentForOthers } from './environment.ts'

/** The first argument of a process that runs a script. It is no command: without a parent that talks to it, it ends. */
const WORD = 'script-process'

/**
 * The command that starts this program once more.
 * @param entry its module in a checkout, relative to src
 */
const commandOf = (entry: string, args: readonly string[]): [program: string, ...args: string[]] => [
  process.execPath,
  ...(isSea() ? [] : [path.resolve(import.meta.dirname, '..', entry)]),
  ...args,
]

/** The command that runs a script: see `startScript`. */
export const scriptCommand = (script: string): [program: string, ...args: string[]] => commandOf(script, [WORD, script])

/**
 * Starts this program once more, for work that shall not weigh on this process. It does not keep the process alive,
 * gets none of its secrets, and answers by messages.
 * @param entry its module in a checkout, relative to src
 * @param args what the executable's own command line gets
 */
export const startChild = (entry: string, args: readonly string[]): ChildProcess => {
  const [program, ...given] = commandOf(entry, args)
  const child = spawn(program, given, {
    env: environmentForOthers(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Bytes, which JSON cannot carry.
    serialization: 'advanced',
  })
  child.unref()
  child.channel?.unref()
  return child
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
