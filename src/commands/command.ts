/** What a command was called with. */
export interface Invocation {
  /** Settings given as flags, by their key. */
  flags: Readonly<Record<string, string | undefined>>
  /** The command's own options that were given, by their name. */
  options: Readonly<Record<string, string | undefined>>
  /** What stands on the command line beside flags. */
  words: readonly string[]
}

export interface Option {
  about: string
  /** What follows it, as --help shows it. */
  value: string
}

export interface Command {
  /** One line for the list of commands. */
  about: string
  /** What may follow the command, as --help shows it. */
  usage?: string
  /** How many words it takes. */
  words?: number
  /** Options beside the settings; each takes a value. */
  options?: Readonly<Record<string, Option>>
  /** @returns the exit code @throws an Error whose message is told in one line */
  run(invocation: Invocation): Promise<number>
}

/** The command was not called as it must be; the message says how, in one line. */
export class WrongUsage extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongUsage'
  }
}

/** Everything but results goes to standard error. */
export const tell = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

export const result = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
