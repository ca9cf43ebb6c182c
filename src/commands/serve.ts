import { startProgram } from '#app/program.ts'
import { tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Resolves at the first signal; a second one ends the program at once. */
const untilStopped = async (): Promise<void> => {
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
  for (const signal of SIGNALS) process.once(signal, () => process.exit(1))
}

export const serve: Command = {
  about: 'Run the institute (what happens without a command)',
  run: async (invocation) => {
    const { greeting, reload, stop } = await startProgram(openConfig(invocation))
    for (const line of greeting) tell(line)
    // On a terminal it means that the terminal went away, and so should the program.
    if (!process.stdout.isTTY) process.on('SIGHUP', reload)
    await untilStopped()
    await stop()
    return 0
  },
}
