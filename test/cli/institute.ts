import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { Server } from '../binary/program.ts'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Compiling the program takes half of a start; the cache makes only the first start pay. */
const COMPILED = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(tmpdir(), 'institute-compiled') }

/** Starts the program, with only the given environment. @param input what it reads from standard input */
export const spawnInstitute = (
  args: readonly string[],
  env: Record<string, string> = {},
  input?: string,
): ChildProcess => {
  const child = spawn(process.execPath, [inject('program'), ...args], {
    env: { ...COMPILED, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  return child
}

/** Runs a command to its end. */
export const institute = async (
  args: readonly string[],
  env?: Record<string, string>,
  input?: string,
): Promise<Ended> => {
  const child = spawnInstitute(args, env, input)
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('a child without output')
  const [out, err] = await Promise.all([text(stdout), text(stderr), once(child, 'close')])
  return { code: child.exitCode, stdout: out, stderr: err }
}

/** Runs `institute serve` until the test has ended. */
export const startProgram = async (dataDir: string, env: Record<string, string> = {}): Promise<Server> => {
  const server = await Server.start([process.execPath, inject('program'), 'serve', '--port', '0'], {
    cwd: dataDir,
    env: { ...COMPILED, INSTITUTE_DATA_DIR: dataDir, ...env },
  })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  return server
}
