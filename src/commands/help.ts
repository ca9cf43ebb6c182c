import { flagOf, SETTINGS } from '#app/config/read-config.ts'
import type { Setting } from '#app/config/setting.ts'
import { OPENING, type Command, type CommandGroups, type Commands, type Option } from './command.ts'

const WIDTH = 100
const WIDEST_NAME = 36

/** Breaks text into lines of at most `width` characters, where it has spaces. */
export const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Two columns: names, and what they mean. */
const listed = (rows: readonly (readonly [string, string])[]): string[] => {
  const column = Math.min(WIDEST_NAME, Math.max(...rows.map(([name]) => name.length))) + 4
  return rows.flatMap(([name, about]) => {
    const lines = wrapped(about, WIDTH - column)
    const [first = '', ...rest] = name.length + 4 > column ? ['', ...lines] : lines
    return [`  ${name}`.padEnd(column) + first, ...rest.map((line) => ' '.repeat(column) + line)].map((line) =>
      line.trimEnd(),
    )
  })
}

/** What a setting means, which values it takes, and what holds without one. */
export const meaningOf = ({ about, allowed, default: value, without }: Setting): string => {
  if (value !== undefined) return `${about} (${allowed}; default ${value})`
  return without === undefined ? `${about} (${allowed})` : `${about} (${allowed}; without it: ${without})`
}

/** The settings, by key; of one command those that it uses. */
export const settingsUsed = (command?: Command): [string, Setting][] => {
  const keys = command ? new Set(command.settings ?? OPENING) : undefined
  return Object.entries(SETTINGS).filter(([key]) => keys?.has(key) ?? true)
}

/** An option with its value, as it is typed. */
export const typed = (name: string, { value }: Option): string => `--${name} ${value ?? ''}`.trimEnd()

const settingsHelp = (heading: string, settings: readonly [string, Setting][]): string[] =>
  settings.length === 0
    ? []
    : ['', heading, ...listed(settings.map(([key, setting]) => [`--${flagOf(key)} VALUE`, meaningOf(setting)]))]

export const usageOf = (name: string, { usage = '' }: Command): string => `institute ${name} ${usage}`.trimEnd()

export const helpOfCommand = (name: string, command: Command): string => {
  const options = Object.entries(command.options ?? {})
  return [
    usageOf(name, command),
    command.about,
    ...(options.length === 0 ? [] : ['', 'Options:']),
    ...listed(options.map(([option, each]) => [typed(option, each), each.about])),
    ...settingsHelp(
      'Settings that it uses (institute --help says where else they are read from):',
      settingsUsed(command),
    ),
  ].join('\n')
}

const commandsHelp = (heading: string, commands: Commands): string[] => [
  heading,
  ...listed(Object.entries(commands).map(([name, { about, usage = '' }]) => [`${name} ${usage}`.trim(), about])),
]

/** Limits, and what else hardly anybody changes, are left to `institute settings`. */
const isCommon = ([, { isRare }]: [string, Setting]): boolean => !isRare

export const overview = ({ day, program }: CommandGroups): string =>
  [
    'institute [COMMAND] [SETTINGS]',
    '',
    ...commandsHelp('On any day (institute COMMAND --help says more):', day),
    '',
    ...commandsHelp('The program itself:', program),
    '',
    'For a vendor of the program, who runs many institutes: institute help vendor',
    ...settingsHelp(
      'Settings, also read from the environment (--data-dir is INSTITUTE_DATA_DIR) and from institute.conf in the data directory:',
      settingsUsed().filter(isCommon),
    ),
    '',
    'The limits and all other settings: institute settings',
  ].join('\n')

export const overviewForIssuer = ({ issuer }: CommandGroups): string =>
  [
    ...commandsHelp(
      'For a vendor, who runs the institutes of a cloud or gives licences (institute help COMMAND says more):',
      issuer,
    ),
  ].join('\n')
