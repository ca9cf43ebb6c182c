import { flagOf } from '#app/config/read-config.ts'
import { version } from '#executable/version.ts'
import { result, type Command, type Commands } from './command.ts'
import { meaningOf, settingsUsed, typed, usageOf } from './help.ts'

/** Text as troff takes it: no character means more than itself. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')

const entry = (name: string, about: string): string[] => ['.TP', `.B ${plain(name)}`, plain(about)]

const commandEntry = ([name, command]: [string, Command]): string[] => {
  const options = Object.entries(command.options ?? {})
  return [
    ...entry(usageOf(name, command), `${command.about}.`),
    ...(options.length === 0 ? [] : ['.RS']),
    ...options.flatMap(([option, each]) => entry(typed(option, each), each.about)),
    ...(options.length === 0 ? [] : ['.RE']),
  ]
}

const FILES = [
  ['institute.conf', 'Settings, as KEY=value lines; institute settings prints one to begin from.'],
  ['institute.db', 'The database, unless it is in Postgres.'],
  ['master-key', 'Opens what lies sealed in the database. Without it that is lost.'],
  ['files', 'What people uploaded.'],
  ['backups', 'What institute backup made.'],
  ['mail-outbox', 'Mails that no mail server took.'],
] as const

const page = (commands: Commands): string =>
  [
    `.TH INSTITUTE 8 "" "Institute ${version}" "Institute"`,
    '.SH NAME',
    'institute \\- the back end of a teaching institute',
    '.SH SYNOPSIS',
    '.B institute',
    '[\\fICOMMAND\\fR] [\\fISETTINGS\\fR]',
    '.SH DESCRIPTION',
    plain(
      'One program that serves an institute over HTTP and keeps all of its data in one folder, the data directory.',
    ),
    plain('Without a command it serves. Results go to standard output, everything else to standard error.'),
    '.SH COMMANDS',
    ...Object.entries(commands).flatMap(commandEntry),
    '.SH SETTINGS',
    plain(
      'Read from flags, from the environment and from institute.conf in the data directory; the first that is given counts.',
    ),
    ...settingsUsed().flatMap(([key, setting]) => entry(`--${flagOf(key)}, ${key}`, `${meaningOf(setting)}.`)),
    '.SH FILES',
    plain('In the data directory:'),
    ...FILES.flatMap(([name, about]) => entry(name, about)),
    '.SH EXIT STATUS',
    plain('0 when all went well, 1 when it did not, 2 when the command or a setting was not what it must be.'),
  ].join('\n')

/** @param commands every command, this one included */
export const manCommand = (commands: () => Commands): Command => ({
  about: 'Print the manual page (institute man | man -l -)',
  settings: [],
  run: async () => {
    result(page(commands()))
    return 0
  },
})
