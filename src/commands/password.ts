import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { Mistake } from '#app/trouble/mistake.ts'

const SHORTEST = 10

/** @throws Mistake */
const checked = (password: string): string => {
  if (password.length < SHORTEST) throw new Mistake(`A password has at least ${SHORTEST} characters.`)
  return password
}

/** Reads what standard input holds, without the line break at its end. */
const inputLine = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '')

/** Reads a new password from standard input. @throws Mistake */
export const passwordFromInput = async (): Promise<string> => checked(await inputLine())

const INTERRUPTED = 130

/** What is typed does not appear. */
const hidden = () => new Writable({ write: (_chunk, _encoding, done) => done() })

const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: hidden(), terminal: true })
  terminal.on('SIGINT', () => process.exit(INTERRUPTED))
  process.stderr.write(question)
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

const needTerminal = (
  otherwise = 'There is no terminal to ask for the password: send it to standard input with --password-stdin.',
): void => {
  if (!process.stdin.isTTY) throw new Mistake(otherwise)
}

/** Asks for a code of the second factor on the terminal. @throws Mistake */
export const askCode = async (email: string): Promise<string> => {
  needTerminal('The account has a second factor: give a code with --code.')
  return ask(`A code for ${email}, of the app or a recovery code: `)
}

/** Reads the password that an account has, from standard input or from the terminal. @throws Mistake */
export const knownPassword = async (email: string, { fromInput }: { fromInput: boolean }): Promise<string> => {
  if (fromInput) return inputLine()
  needTerminal()
  return ask(`The password of ${email}: `)
}

/** Asks for a new password on the terminal, twice. @throws Mistake */
export const askPassword = async (email: string): Promise<string> => {
  needTerminal()
  const password = checked(await ask(`A password for ${email}, of at least ${SHORTEST} characters: `))
  if ((await ask('The same again: ')) !== password) throw new Mistake('These were two different passwords.')
  return password
}
