import { greeting } from '#app/process/greeting.ts'
import { readSetupToken } from '#app/program.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const setupToken: Command = {
  about: 'Print the token with which the wizard sets the institute up, and the wizard’s address with it',
  settings: ['INSTITUTE_DATA_DIR', 'INSTITUTE_HOST', 'INSTITUTE_PORT'],
  run: async (invocation) => {
    const config = openConfig(invocation)
    const token = readSetupToken(config)
    if (token === undefined) {
      tell('There is no setup token: the institute is set up already, or the program was never started here.')
      return 1
    }
    for (const line of greeting(config, config.port, token)) tell(line)
    result(token)
    return 0
  },
}
