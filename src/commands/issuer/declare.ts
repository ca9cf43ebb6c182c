import { createInterface } from 'node:readline/promises'
import { Mistake } from '#app/trouble/mistake.ts'
import { result, WrongUsage, type Command, type Invocation, type Option } from '../command.ts'
import { printable, table } from '../table.ts'

const JSON_OPTION: Option = { about: 'As the server’s JSON, for scripts' }

export const YES: Option = { about: 'Does it without asking' }

/** What a command prints: the server's JSON, or lines for people. */
interface Shown {
  json: unknown
  lines: readonly string[]
}

type Declared = Omit<Command, 'settings' | 'run'> & { show(invocation: Invocation): Promise<Shown> }

/** A command that asks the issuer's server and prints what it says. */
export const issuerCommand = ({ show, usage = '', options = {}, ...command }: Declared): Command => ({
  ...command,
  usage: `${usage} [--json]`.trim(),
  options: { ...options, json: JSON_OPTION },
  settings: [],
  run: async (invocation) => {
    const { json, lines } = await show(invocation)
    if (invocation.switches.has('json')) result(JSON.stringify(json, null, 2))
    else for (const line of lines) result(line)
    return 0
  },
})

/** A list as a table. @param none what is said where it is empty */
export const listed = <T>(records: readonly T[], heads: readonly string[], rowOf: (record: T) => string[]): Shown => ({
  json: records,
  lines: table([heads, ...records.map(rowOf)]),
})

/** One record: its fields by name, and null as a dash. */
export const described = (json: unknown, fields: Readonly<Record<string, string | number | null>>): Shown => ({
  json,
  lines: table(Object.entries(fields).map(([name, value]) => [`${name}:`, String(value ?? '-')])),
})

/** One sentence. */
export const said = (json: unknown, sentence: string): Shown => ({ json, lines: [printable(sentence)] })

/** The value of an option that the command needs. @throws WrongUsage */
export const needed = (command: string, { options }: Invocation, name: string): string => {
  const value = options[name]
  if (value) return value
  throw new WrongUsage(`institute ${command} needs --${name}; institute ${command} --help says more.`)
}

/**
 * Lets the operator confirm what is hard to take back by typing a word; --yes goes ahead.
 * @throws a Mistake where there is no terminal to ask, or another word is typed
 */
export const confirmed = async ({ switches }: Invocation, question: string, word: string): Promise<void> => {
  if (switches.has('yes')) return
  if (!process.stdin.isTTY) throw new Mistake('There is no terminal to ask whether you mean it: add --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const typed = await terminal.question(`${printable(question)} Type ${word} to go on: `)
    if (typed.trim() !== word) throw new Error('Nothing was done.')
  } finally {
    terminal.close()
  }
}
