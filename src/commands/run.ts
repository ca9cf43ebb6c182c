import { parseArgs } from 'node:util'
import { explainedFor } from '#app/explain.ts'
import { flagOf, SETTINGS } from '#app/read-config.ts'
import { version } from '#app/version.ts'
import { backup } from './backup.ts'
import { result, WrongUsage, type Command } from './command.ts'
import { doctor } from './doctor.ts'
import { health } from './health.ts'
import { migrate } from './migrate.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import { setupToken } from './setup-token.ts'
import { userDisable } from './user-disable.ts'
import { userEnable } from './user-enable.ts'
import { userList } from './user-list.ts'
import { userResetPassword } from './user-reset-password.ts'

/** The commands by name; a name may have two words. */
const commands: Readonly<Record<string, Command>> = {
  serve,
  migrate,
  'setup-token': setupToken,
  'user list': userList,
  'user disable': userDisable,
  'user enable': userEnable,
  'user reset-password': userResetPassword,
  backup,
  restore,
  doctor,
  health,
  version: {
    about: 'Print the version',
    run: async () => {
      result(version)
      return 0
    },
  },
}

const listed = (names: readonly (readonly [string, string])[]): string[] =>
  names.map(([name, about]) => `  ${name.padEnd(32)} ${about}`)

const SETTINGS_HELP = [
  '',
  'Settings, also read from the environment (--data-dir is INSTITUTE_DATA_DIR) and from institute.conf in the data directory:',
  ...listed(Object.entries(SETTINGS).map(([key, { about, allowed }]) => [`--${flagOf(key)}`, `${about} (${allowed})`])),
]

const usageOf = (name: string, { usage = '' }: Command): string => `institute ${name} ${usage}`.trimEnd()

const helpOfCommand = (name: string, command: Command): string => {
  const { about, options = {} } = command
  return [
    usageOf(name, command),
    about,
    ...(Object.keys(options).length === 0 ? [] : ['', 'Options:']),
    ...listed(
      Object.entries(options).map(([option, { value, about: text }]) => [`--${option} ${value ?? ''}`.trim(), text]),
    ),
    ...SETTINGS_HELP,
  ].join('\n')
}

const help = (): string =>
  [
    'institute [COMMAND] [SETTINGS]',
    '',
    'Commands (institute COMMAND --help says more):',
    ...listed(Object.entries(commands).map(([name, { about, usage = '' }]) => [`${name} ${usage}`.trim(), about])),
    ...SETTINGS_HELP,
  ].join('\n')

const OPTIONS = Object.values(commands).flatMap(({ options = {} }) => Object.entries(options))
const OWN_OPTIONS = new Set(OPTIONS.map(([name]) => name))
const SWITCHES = new Set(OPTIONS.filter(([, { value }]) => value === undefined).map(([name]) => name))
const TAKES_VALUE = [...Object.keys(SETTINGS).map(flagOf), ...[...OWN_OPTIONS].filter((name) => !SWITCHES.has(name))]

/** Replaces Node's message for a wrong option with ours. */
const sayWrongOption = (error: unknown): WrongUsage => {
  const { code, message } = error as NodeJS.ErrnoException
  const option = (/--[\w-]+/.exec(message) ?? /-\w/.exec(message))?.[0] ?? 'an option'
  return new WrongUsage(
    code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
      ? `There is no option ${option}; institute --help lists them.`
      : `${option} ${TAKES_VALUE.includes(option.slice(2)) ? 'needs a value' : 'takes no value'}; institute --help says more.`,
  )
}

const parse = (args: readonly string[]) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries([...SWITCHES].map((name) => [name, { type: 'boolean' as const }])),
        ...Object.fromEntries(TAKES_VALUE.map((name) => [name, { type: 'string' as const }])),
      },
    })
    return { values: values as Record<string, string | boolean | undefined>, positionals }
  } catch (error) {
    throw sayWrongOption(error)
  }
}

/** The two-word commands that begin with these words. */
const commandsUnder = (words: readonly string[]): [string, Command][] =>
  Object.entries(commands).filter(([name]) => name.startsWith(`${words.join(' ')} `))

/** Finds the command that the first words name. @returns also the remaining words @throws WrongUsage */
const chosen = (positionals: readonly string[]): { name: string; command: Command; words: string[] } => {
  if (positionals.length === 0) return { name: 'serve', command: serve, words: [] }
  for (const length of [2, 1]) {
    const name = positionals.slice(0, length).join(' ')
    const command = commands[name]
    if (command && Object.hasOwn(commands, name)) return { name, command, words: positionals.slice(length) }
  }
  const under = commandsUnder(positionals).map(([name]) => name.slice(positionals.join(' ').length + 1))
  if (under.length > 0) {
    throw new WrongUsage(`institute ${positionals.join(' ')} is followed by one of ${under.join(', ')}.`)
  }
  throw new WrongUsage(`There is no command "${positionals.join(' ')}"; institute --help lists them.`)
}

/** Runs a command line. @returns the exit code @throws a Mistake, or an Error that says in one line what went wrong */
export const runCommandLine = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parse(args)
  if (values.help && positionals.length === 0) {
    result(help())
    return 0
  }
  const under = commandsUnder(positionals)
  if (values.help && under.length > 0) {
    result(under.map((each) => helpOfCommand(...each)).join('\n\n'))
    return 0
  }
  const { name, command, words } = chosen(positionals)
  if (values.help) {
    result(helpOfCommand(name, command))
    return 0
  }
  const { options: own = {}, words: wanted = 0 } = command
  const foreign = [...OWN_OPTIONS].find((option) => values[option] !== undefined && !(option in own))
  if (foreign !== undefined) throw new WrongUsage(`institute ${name} takes no --${foreign}.`)
  const lacks = Object.entries(own).some(([option, { required }]) => required && !values[option])
  if (words.length !== wanted || lacks) throw new WrongUsage(`Usage: ${usageOf(name, command)}`)
  const given = (key: string): string | undefined => values[key] as string | undefined
  const flags = Object.fromEntries(Object.keys(SETTINGS).map((key) => [key, given(flagOf(key))]))
  const options = Object.fromEntries(Object.keys(own).map((option) => [option, given(option)]))
  const switches = SWITCHES.intersection(new Set(Object.keys(values)))
  try {
    return await command.run({ flags, options, switches, words })
  } catch (error) {
    throw explainedFor(error, flags)
  }
}
