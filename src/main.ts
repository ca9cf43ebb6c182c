import { parseArgs } from 'node:util'
import { explain } from '#app/program.ts'
import { flagOf, SETTINGS, WrongSetting } from '#app/read-config.ts'
import { version } from '#app/version.ts'
import { result, tell, type Command } from './commands/command.ts'
import { migrate } from './commands/migrate.ts'
import { serve } from './commands/serve.ts'
import { setupToken } from './commands/setup-token.ts'

const commands: Readonly<Record<string, Command>> = {
  serve,
  migrate,
  'setup-token': setupToken,
  version: {
    about: 'Print the version',
    run: async () => {
      result(version)
      return 0
    },
  },
}

const WRONG_USAGE = 2

const helpOf = (name: string | undefined): string => {
  const command = name === undefined ? undefined : commands[name]
  const settings = Object.entries(SETTINGS).map(
    ([key, { about, allowed }]) => `  --${flagOf(key).padEnd(28)} ${about} (${allowed})`,
  )
  const list = Object.entries(commands).map(([each, { about }]) => `  ${each.padEnd(14)} ${about}`)
  return [
    command ? `institute ${name} ${command.usage ?? ''}`.trim() : 'institute [COMMAND] [SETTINGS]',
    command ? command.about : '',
    ...(command ? [] : ['', 'Commands:', ...list]),
    '',
    'Settings, also read from the environment (--data-dir is INSTITUTE_DATA_DIR) and from institute.conf in the data directory:',
    ...settings,
  ].join('\n')
}

const run = async (argv: string[]): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(Object.keys(SETTINGS).map((key) => [flagOf(key), { type: 'string' as const }])),
    },
  })
  const [name = 'serve', ...words] = positionals
  const command = commands[name]
  if (!command) {
    tell(`There is no command "${name}"; institute --help lists them.`)
    return WRONG_USAGE
  }
  if (values.help) {
    result(helpOf(positionals[0]))
    return 0
  }
  const { min = 0, max = 0 } = command.words ?? {}
  if (words.length < min || words.length > max) {
    tell(`Usage: institute ${name} ${command.usage ?? ''}`.trimEnd())
    return WRONG_USAGE
  }
  const flags = Object.fromEntries(
    Object.keys(SETTINGS).map((key) => [
      key,
      (values as Record<string, string | boolean | undefined>)[flagOf(key)] as string | undefined,
    ]),
  )
  return command.run({ flags, words })
}

const main = async (): Promise<void> => {
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    tell(explain(error))
    const { code = '' } = error as NodeJS.ErrnoException
    const wrongUsage = error instanceof WrongSetting || code.startsWith('ERR_PARSE_ARGS')
    process.exit(wrongUsage ? WRONG_USAGE : 1)
  }
}

void main()
