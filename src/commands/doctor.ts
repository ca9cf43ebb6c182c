import { examine } from '#app/operator/doctor.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { ALL, result, type Command } from './command.ts'
import { openToLook } from './open.ts'

const SIGNS = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' }

export const doctor: Command = {
  about: 'Check database, keys, disk, clock, queue, mail, files, backups and licence; exit 1 when something is wrong',
  // It looks at what the server would run with.
  settings: ALL,
  run: async (invocation) => {
    const findings = await examine(openToLook(invocation), systemClock)
    for (const { about, state, text } of findings) result(`${SIGNS[state]}  ${about.padEnd(8)}  ${text}`)
    return findings.some(({ state }) => state === 'wrong') ? 1 : 0
  },
}
