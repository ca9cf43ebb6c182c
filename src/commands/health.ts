import { askHealth } from '#app/health.ts'
import { result, type Command } from './command.ts'
import { settingsOf } from './open.ts'

export const health: Command = {
  about: 'Ask the running server whether it is ready, for timers and containers; exit 0 when it is, 1 when not',
  run: async (invocation) => {
    const { isReady, text } = await askHealth(settingsOf(invocation))
    result(text)
    return isReady ? 0 : 1
  },
}
