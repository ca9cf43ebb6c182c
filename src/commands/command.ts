import { Mistake } from '#app/mistake.ts'

/** What a command was called with. */
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

export interface Option {
  about: string
  /** The name of its value, as --help shows it; without one the option is a switch. */
  value?: string
  /** The command cannot do without it. */
  required?: boolean
}

export interface Command {
  /** One line for the list of commands. */
  about: string
  /** What may follow the command, as --help shows it. */
  usage?: string
  /** How many words it takes. */
  words?: number
  /** Options beside the settings. */
  options?: Readonly<Record<string, Option>>
  /** @returns the exit code @throws an Error whose message is printed in one line */
  run(invocation: Invocation): Promise<number>
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
