import { restore as restoreProgram } from '#app/program.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const restore: Command = {
  about: 'Put a backup in the place of what is there (the program must be stopped)',
  usage: 'FILE',
  words: 1,
  proposed: { isPath: true },
  run: async (invocation) => {
    const { manifest, aside, configuration, missing } = await restoreProgram(
      openConfig(invocation, { mayBegin: true }),
      invocation.words[0] as string,
    )
    result(`Restored the institute as it was at ${manifest.createdAt}.`)
    if (aside !== undefined) tell(`What was here before is kept in ${aside}; remove it once all is well.`)
    if (configuration !== undefined) {
      tell(
        `The backup holds another configuration than is in force here: it lies in ${configuration}, for you to compare.`,
      )
    }
    for (const name of missing) tell(`The file ${name} was missing when the backup was made, and still is.`)
    return 0
  },
}
