import { stayOwner } from '#app/data-dir/owner.ts'
import { PLATFORM, type Platform } from '#executable/platform.ts'
import { openLog } from '#app/process/log.ts'
import { logNodeMessages } from '#app/process/node-messages.ts'
import { whenHostStops } from '#app/process/service-manager.ts'
import { prepareProgram } from '#app/program.ts'
import { replaced } from '#app/replaced.ts'
import { ALL, tell, type Command } from './command.ts'
import { openConfig, settingsOf } from './open.ts'

/** On Windows SIGHUP says that the window closes, which leaves ten seconds. */
const STOPPING: Readonly<Record<Platform, readonly NodeJS.Signals[]>> = {
  unix: ['SIGTERM', 'SIGINT'],
  windows: ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP'],
}
const SIGNALS = STOPPING[PLATFORM]

/** Resolves at the first signal, or when the host of the service asks for it; a second one exits at once. */
const untilStopped = async (): Promise<void> => {
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
    whenHostStops(resolve)
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
    if (!SIGNALS.includes('SIGHUP') && !process.stdout.isTTY) process.on('SIGHUP', () => program.reload())
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
