import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { isSea } from 'node:sea'
import { environmentForOthers } from './environment.ts'

/**
 * The first argument of a process that runs a script. The executable (build/loader.cjs) does so without the program, which
 * takes 100 ms to load. It is no command: without a parent that talks to it, the program refuses it.
 */
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

/**
 * @param script its module, relative to src; build/bundle.ts bundles every `*.process.ts`
 * @param args stand last in its process.argv
 */
export const startScript = (script: string, ...args: string[]): ChildProcess =>
  startChild(script, [WORD, script, ...args])
