import { askHealth } from '#app/process/health.ts'
import { result, type Command } from './command.ts'
import { settingsOf } from './open.ts'

export const health: Command = {
  about: 'Ask the running server whether it is ready, for timers and containers; exit 0 when it is, 1 when not',
  settings: ['INSTITUTE_HOST', 'INSTITUTE_PORT', 'INSTITUTE_DATA_DIR', 'INSTITUTE_TLS_CERT', 'INSTITUTE_TLS_KEY'],
  run: async (invocation) => {
    const { isReady, text } = await askHealth(settingsOf(invocation))
    result(text)
    return isReady ? 0 : 1
  },
}
