import { Mistake } from '#app/trouble/mistake.ts'
import { SETTINGS } from '#app/config/read-config.ts'

/** How a command was called. */
export interface Invocation {
  /** Settings given as flags, by their key. */
  flags: Readonly<Record<string, string | undefined>>
  /** The command's own options that were given, by their name. */
  options: Readonly<Record<string, string | undefined>>
  /** Which of its options without a value were given. */
  switches: ReadonlySet<string>
  /** The words of the command line that are no flags. */
  words: readonly string[]
}

/** What a shell proposes for a value. */
export interface Proposed {
  choices?: readonly string[]
  /** A file or folder. */
  isPath?: boolean
}

export interface Option extends Proposed {
  about: string
  /** The name of its value, as --help shows it; without one the option is a switch. */
  value?: string
  /** The command cannot do without it. */
  required?: boolean
}

/** The keys of the settings by which a command finds an institute, and opens it. */
export const OPENING: readonly string[] = ['INSTITUTE_DATA_DIR', 'INSTITUTE_MASTER_KEY', 'INSTITUTE_DATABASE_URL']

export const ALL: readonly string[] = Object.keys(SETTINGS)

export interface Command {
  /** One line for the list of commands. */
  about: string
  /** The arguments of the command, as --help shows them. */
  usage?: string
  /** How many words it takes. */
  words?: number
  /** It takes fewer words too. */
  wordsAreOptional?: boolean
  /** What its words may be. */
  proposed?: Proposed
  /** Options beside the settings. */
  options?: Readonly<Record<string, Option>>
  /** The keys of the settings that it uses. Default: OPENING. */
  settings?: readonly string[]
  /** @returns the exit code @throws an Error whose message is printed in one line */
  run(invocation: Invocation): Promise<number>
}

/** Commands by name; a name may have two words. */
export type Commands = Readonly<Record<string, Command>>

/**
 * Everyday work, running the program, and the work of an issuer, who gives licences or runs the institutes of a cloud.
 * Texts for people call the issuer a vendor.
 */
export interface CommandGroups {
  day: Commands
  program: Commands
  issuer: Commands
}

/** The command line is wrong; the message says in one line how to call the command. */
export class WrongUsage extends Mistake {
  constructor(message: string) {
    super(message)
    this.name = 'WrongUsage'
  }
}

/** Prints to standard error; only results go to standard output. */
export const tell = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

export const result = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** @throws WrongUsage for any other word */
export const oneOf = <T extends string>(choices: readonly T[], given: string, what: string): T => {
  const found = choices.find((choice) => choice === given)
  if (found === undefined) throw new WrongUsage(`${what} is one of ${choices.join(', ')}, not ${given}.`)
  return found
}
