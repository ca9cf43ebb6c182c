import { prepareProgram } from '#app/program.ts'
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
    const program = await prepareProgram(openConfig(invocation, { mayBegin: true }))
    // Nobody is cut off: who was let in is let end, whenever the signal comes. On a terminal SIGHUP means that the
    // terminal went away, and so should the program.
    const stopped = untilStopped()
    if (!process.stdout.isTTY) process.on('SIGHUP', () => program.reload())
    for (const line of await program.open()) tell(line)
    await stopped
    await program.stop()
    return 0
  },
}
