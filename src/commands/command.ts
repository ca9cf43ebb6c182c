/** What a command was called with. */
export interface Invocation {
  /** Settings given as flags, by their key. */
  flags: Readonly<Record<string, string | undefined>>
  /** What stands on the command line beside flags. */
  words: readonly string[]
}

export interface Command {
  /** One line for the list of commands. */
  about: string
  /** Words after the command, as --help shows them. */
  usage?: string
  /** How many words it takes. */
  words?: { min: number; max: number }
  /** @returns the exit code @throws an Error whose message is told in one line */
  run(invocation: Invocation): Promise<number>
}

/** Everything but results goes to standard error. */
export const tell = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

export const result = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
