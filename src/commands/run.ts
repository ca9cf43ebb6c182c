import { parseArgs } from 'node:util'
import { explainedFor } from '#app/explain/explain.ts'
import { flagOf, SETTINGS } from '#app/config/read-config.ts'
import { versionLine } from '#executable/version.ts'
import { backupKey } from './backup-key.ts'
import { backupList } from './backup-list.ts'
import { backup } from './backup.ts'
import { result, WrongUsage, type Command, type CommandGroups, type Commands } from './command.ts'
import { completionCommand } from './completion.ts'
import { databaseMove } from './database-move.ts'
import { doctor } from './doctor.ts'
import { exportCommand } from './export.ts'
import { filesMove } from './files-move.ts'
import { health } from './health.ts'
import { helpOfCommand, overview, overviewForIssuer, usageOf } from './help.ts'
import { https, httpsOff } from './https.ts'
import { licenseKeyCreate, licenseKeyPublic } from './license-key.ts'
import { mailSetup } from './mail-setup.ts'
import { mailTest } from './mail-test.ts'
import { manCommand } from './man.ts'
import { migrate } from './migrate.ts'
import { answerTo } from './other-words.ts'
import { importCommand } from './import.ts'
import { paper } from './paper.ts'
import { platformAdminAdd } from './platform-admin-add.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import { settings } from './settings.ts'
import { setupToken } from './setup-token.ts'
import { update, updateApply, updateCheck, updateNow } from './update.ts'
import { userDisable } from './user-disable.ts'
import { userEnable } from './user-enable.ts'
import { userList } from './user-list.ts'
import { userResetPassword } from './user-reset-password.ts'
import { userResetSecondFactor } from './user-reset-second-factor.ts'
import { issuerCommands } from './issuer/index.ts'

const groups: CommandGroups = {
  day: {
    doctor,
    backup,
    'backup list': backupList,
    'backup key': backupKey,
    restore,
    'user list': userList,
    'user reset-password': userResetPassword,
    'user reset-second-factor': userResetSecondFactor,
    'user disable': userDisable,
    'user enable': userEnable,
    'mail-setup': mailSetup,
    'mail-test': mailTest,
    export: exportCommand,
    import: importCommand,
    paper,
    'files move': filesMove,
    'setup-token': setupToken,
    https,
    'https off': httpsOff,
    'update check': updateCheck,
    'update now': updateNow,
    update,
  },
  program: {
    serve,
    health,
    'update apply': updateApply,
    migrate,
    'database move': databaseMove,
    settings,
    completion: completionCommand(() => commands),
    man: manCommand(() => commands),
    version: {
      about: 'Print the version, and the commit that it was made of',
      settings: [],
      run: async () => {
        result(versionLine())
        return 0
      },
    },
    help: {
      about: 'Say what there is, or what a command does',
      usage: '[COMMAND]',
      words: 2,
      wordsAreOptional: true,
      settings: [],
      run: async ({ words }) => {
        result(helpOn(words))
        return 0
      },
    },
  },
  issuer: {
    'platform-admin add': platformAdminAdd,
    'license-key create': licenseKeyCreate,
    'license-key public': licenseKeyPublic,
    ...issuerCommands,
  },
}

const commands: Commands = { ...groups.day, ...groups.program, ...groups.issuer }

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
        version: { type: 'boolean', short: 'v' },
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
  const [first = ''] = positionals
  const answer = commands[first] === undefined && commandsUnder([first]).length === 0 ? answerTo(first) : undefined
  const none = `There is no command "${positionals.join(' ')}"`
  throw new WrongUsage(answer === undefined ? `${none}; institute --help lists them.` : `${none}: ${answer}`)
}

/** @param words name a command, or the first word of some; none: the whole program @throws WrongUsage */
const helpOn = (words: readonly string[]): string => {
  const [first] = words
  if (first === undefined) return overview(groups)
  if (words.length === 1 && first === 'vendor') return overviewForIssuer(groups)
  const under = commandsUnder(words)
  const own = words.length === 1 && under.length > 0 ? Object.entries(commands).filter(([name]) => name === first) : []
  if (under.length > 0) return [...own, ...under].map(([name, command]) => helpOfCommand(name, command)).join('\n\n')
  const { name, command } = chosen(words)
  return helpOfCommand(name, command)
}

/** The words that a command line comes to, whichever way it asks for help or the version. */
const wordsAsked = (positionals: readonly string[], { help, version }: Record<string, unknown>): string[] => {
  if (help) return ['help', ...positionals.slice(positionals.length > 1 && positionals[0] === 'help' ? 1 : 0)]
  return version ? ['version'] : [...positionals]
}

/** Runs a command line. @returns the exit code @throws a Mistake, or an Error that says in one line what went wrong */
export const runCommandLine = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parse(args)
  const { name, command, words } = chosen(wordsAsked(positionals, values))
  const { options: own = {}, words: wanted = 0, wordsAreOptional = false } = command
  const asksOnly = values.help || values.version
  const foreign = [...OWN_OPTIONS].find((option) => values[option] !== undefined && !(option in own))
  if (foreign !== undefined && !asksOnly) throw new WrongUsage(`institute ${name} takes no --${foreign}.`)
  const lacks = Object.entries(own).some(([option, { required }]) => required && !values[option])
  const fits = wordsAreOptional ? words.length <= wanted : words.length === wanted
  if (!fits || lacks) throw new WrongUsage(`Usage: ${usageOf(name, command)}`)
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
