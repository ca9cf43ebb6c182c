import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { endProcess, residentBytes, untilUp } from '#kit/process.ts'

/** A user id without a name, a home or a shell. */
export const NOBODY = 54_321
export const isRoot = process.getuid?.() === 0

/** An empty folder that every user may enter. */
export const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-binary-'))
  chmodSync(folder, 0o755)
  return folder
}

export interface Surroundings {
  cwd: string
  /** Without it the environment is empty. */
  env?: Record<string, string>
  uid?: number
}

const spawnPlain = (
  [program = '', ...args]: readonly string[],
  { cwd, env = {}, uid }: Surroundings,
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess =>
  spawn(program, args, {
    cwd,
    env,
    stdio: [stdin, 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command, whose first word is a path, to its end. @param input what it reads from standard input */
export const run = async (command: readonly string[], surroundings: Surroundings, input?: string): Promise<Ended> => {
  const child = spawnPlain(command, surroundings, input === undefined ? 'ignore' : 'pipe')
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('a child without output')
  child.stdin?.end(input)
  const [out, err] = await Promise.all([text(stdout), text(stderr), once(child, 'close')])
  return { code: child.exitCode, stdout: out, stderr: err }
}

/** A running `institute serve`. */
export class Server {
  stdout = ''
  stderr = ''
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
  }

  /** @param command must listen on a port of the system's choice (`--port 0`), and log what it does */
  static async start(command: readonly string[], surroundings: Surroundings): Promise<Server> {
    const child = spawnPlain(command, surroundings)
    const server = new Server(child)
    await untilUp(child, { isUp: () => server.url !== undefined, everyMillis: 20, output: () => server.stderr })
    return server
  }

  /** The first address in its log, once it has started. */
  get url(): string | undefined {
    return /"addresses":\["(https?:\/\/localhost:\d+)".*"msg":"started"/.exec(this.stderr)?.[1]
  }

  /** Resident memory of the process, in bytes. */
  resident(): number {
    return residentBytes(this.#child)
  }

  threads(): number {
    return readdirSync(`/proc/${this.#child.pid}/task`).length
  }

  /** @returns the exit code; null: the signal ended it */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    await endProcess(this.#child, signal)
    return this.#child.exitCode
  }

  /** Ends it and the processes that it started at once, as when the power goes. */
  async powerOff(): Promise<void> {
    const { pid } = this.#child
    // One that is stopped starts no others meanwhile.
    this.#child.kill('SIGSTOP')
    const started = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      (readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? []).map(Number),
    )
    for (const each of started) process.kill(each, 'SIGKILL')
    await endProcess(this.#child, 'SIGKILL')
    // A process that has ended has no folder any more, also before it is reaped.
    while (started.some((each) => existsSync(`/proc/${each}/cwd`))) await pause(5)
  }
}
