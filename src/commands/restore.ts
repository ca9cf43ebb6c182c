import { existsSync } from 'node:fs'
import path from 'node:path'
import { sourceOf } from '#app/backup/off-server-copies.ts'
import { DATABASE } from '#app/data-dir/layout.ts'
import { restore as restoreProgram } from '#app/program.ts'
import { askWhether, isTerminal } from './ask.ts'
import { sentenceOf } from './backup-list.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const restore: Command = {
  about: 'Put a backup in the place of what is there (the program must be stopped)',
  usage: 'FILE [--elsewhere] [--key KEYFILE] [--yes]',
  words: 1,
  options: {
    elsewhere: { about: 'FILE is the name of a backup in INSTITUTE_BACKUP_TO, or newest' },
    key: { value: 'KEYFILE', isPath: true, about: 'The key to an encrypted backup; - reads it from standard input' },
    yes: { about: 'Does it without asking, which it does on a terminal alone' },
  },
  proposed: { isPath: true },
  run: async (invocation) => {
    const config = openConfig(invocation, { mayBegin: true })
    const replaces = existsSync(path.join(config.dataDir, DATABASE))
    const mayAsk = replaces && isTerminal() && !invocation.switches.has('yes')
    const source = await sourceOf(config, {
      given: invocation.words[0] as string,
      isElsewhere: invocation.switches.has('elsewhere'),
      keyFile: invocation.options.key,
    })
    const { manifest, aside, configuration, missing } = await restoreProgram(config, source, async (held) => {
      tell(`${sentenceOf(held)}.`)
      if (mayAsk && !(await askWhether('Put it in the place of what is here?'))) {
        throw new Error('Nothing was changed.')
      }
    })
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
