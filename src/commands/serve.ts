import { stayOwner } from '#app/data-dir/owner.ts'
import { openLog } from '#app/process/log.ts'
import { logNodeMessages } from '#app/process/node-messages.ts'
import { prepareProgram } from '#app/program.ts'
import { replaced } from '#app/replaced.ts'
import { ALL, tell, type Command } from './command.ts'
import { openConfig, settingsOf } from './open.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Resolves at the first signal; a second one exits at once. */
const untilStopped = async (): Promise<void> => {
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
  for (const signal of SIGNALS) process.once(signal, () => process.exit(1))
}

export const serve: Command = {
  about: 'Run the institute (what happens without a command)',
  settings: ALL,
  run: async (invocation) => {
    const odd: string[] = []
    const config = openConfig(invocation, { mayBegin: true, say: (line) => odd.push(line) })
    stayOwner()
    const log = openLog(config)
    logNodeMessages(log)
    for (const line of odd) log.warn(line)
    let program = await prepareProgram(config, log)
    // Listen for signals before requests come in, so that a signal at any time lets running requests end.
    // SIGHUP reloads the certificate, except on a terminal, where it means that the terminal closed and must end the
    // program.
    const stopped = untilStopped()
    if (!process.stdout.isTTY) process.on('SIGHUP', () => program.reload())
    const greeting = await program.open()
    // Without a terminal, a program reads standard error, and expects the log and nothing else.
    if (process.stderr.isTTY) for (const line of greeting) tell(line)
    for (;;) {
      const order = await Promise.race([stopped, program.restoreOrder])
      if (!order) break
      program = await replaced(program, order, { settings: () => settingsOf(invocation, () => {}), log })
    }
    await program.stop()
    return 0
  },
}
