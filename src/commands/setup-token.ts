import { readSetupToken } from '#app/program.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const setupToken: Command = {
  about: 'Print the token with which the wizard sets the institute up',
  settings: ['INSTITUTE_DATA_DIR'],
  run: async (invocation) => {
    const token = readSetupToken(openConfig(invocation))
    if (token === undefined) {
      tell('There is no setup token: the institute is set up already, or the program was never started here.')
      return 1
    }
    result(token)
    return 0
  },
}
