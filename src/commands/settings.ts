import { flagOf } from '#app/config/read-config.ts'
import { result, type Command } from './command.ts'
import { meaningOf, settingsUsed, wrapped } from './help.ts'

const HEAD = `# Settings of the institute: KEY=value lines. A line that begins with # is not in force; take the # away to
# change what it says. Flags and the environment come before this file. The program reads it when it starts.`

/** institute.conf cannot set this key, which says in which folder that file lies. */
const NOT_HERE = 'INSTITUTE_DATA_DIR'

/** An institute.conf that changes nothing: every setting with its meaning and default, as comments. */
const commentedConf = (): string =>
  [
    HEAD,
    ...settingsUsed()
      .filter(([key]) => key !== NOT_HERE)
      .map(([key, setting]) =>
        [...wrapped(meaningOf(setting), 110).map((line) => `# ${line}`), `#${key}=${setting.default ?? ''}`].join('\n'),
      ),
  ].join('\n\n')

export const settings: Command = {
  about: `Print all settings with their defaults, as an institute.conf to begin from (--${flagOf(NOT_HERE)} says where it lies)`,
  settings: [],
  run: async () => {
    result(commentedConf())
    return 0
  },
}
