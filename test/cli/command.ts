import { vi } from 'vitest'
import { Mistake } from '#app/trouble/mistake.ts'
import { runCommandLine } from '../../src/commands/run.ts'
import type { Ended } from './institute.ts'

/** Two commands at once each find what the other has set: what was there before any is what comes back. */
const MASK = process.umask()

/**
 * Runs a command to its end in this process, because starting another one takes 0.2 seconds of processor time.
 * test/cli/command-line.test.ts shows that both do the same. Not for a command that serves, asks on a terminal, acts for
 * another user or shares its data directory with a server.
 * @param env is added to the environment of the tests
 */
export const command = async (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> => {
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text)
      return true
    }),
  )
  const former = Object.keys(env).map((key) => [key, process.env[key]] as const)
  Object.assign(process.env, env)
  const atExit = process.listeners('exit')
  try {
    return { code: await runCommandLine(args), ...printed }
  } catch (error) {
    return {
      ...printed,
      code: error instanceof Mistake ? 2 : 1,
      stderr: `${printed.stderr}${(error as Error).message}\n`,
    }
  } finally {
    for (const spy of spies) spy.mockRestore()
    process.umask(MASK)
    // A command that opens the log has it flushed when its process ends.
    for (const listener of process.listeners('exit')) if (!atExit.includes(listener)) process.off('exit', listener)
    for (const [key, value] of former) {
      if (value === undefined) delete process.env[key]
      else process.env[key] = value
    }
  }
}
