import { createInterface } from 'node:readline/promises'
import { Mistake } from '#app/trouble/mistake.ts'
import { printable } from './table.ts'

/** Whether somebody sits before a terminal, and can be asked. */
export const isTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY

const INTERRUPTED = 130

/**
 * Asks for one line, on a terminal.
 * @param fallback what an empty answer stands for
 * @throws a Mistake where there is no terminal
 */
export const askLine = async (question: string, fallback = ''): Promise<string> => {
  if (!isTerminal()) throw new Mistake(`There is no terminal to ask: ${question}`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.on('SIGINT', () => process.exit(INTERRUPTED))
  try {
    const answer = await terminal.question(printable(`${question}${fallback === '' ? '' : ` [${fallback}]`}: `))
    return answer.trim() || fallback
  } finally {
    terminal.close()
  }
}

/** Asks a question on a terminal; Enter alone says no. */
export const askWhether = async (question: string): Promise<boolean> =>
  /^y(?:es)?$/i.test(await askLine(`${question} (y/N)`))
