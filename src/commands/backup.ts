import { backUp } from '#app/program.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const backup: Command = {
  about: 'Pack the whole institute into one file, also while it is running',
  usage: '[--to FILE] [--force]',
  options: {
    to: {
      value: 'FILE',
      isPath: true,
      about: 'Where to; a folder gets a file named by the time. Default: <data dir>/backups',
    },
    force: { about: 'Overwrites a file that is there already' },
  },
  run: async (invocation) => {
    const { file, bytes, keyIsApart, leftOut, missing } = await backUp(openConfig(invocation), {
      to: invocation.options.to,
      force: invocation.switches.has('force'),
    })
    tell(`The backup holds the whole institute (${Math.ceil(bytes / 1024)} KB). Keep it where only you can read it:`)
    if (keyIsApart) tell('The master key is a setting here and not in the backup: keep INSTITUTE_MASTER_KEY too.')
    for (const name of leftOut) tell(`${name} is no file and holds nothing to keep: it was left out.`)
    for (const name of missing) tell(`The file ${name} is missing in the data directory, and so in the backup.`)
    result(file)
    return 0
  },
}
