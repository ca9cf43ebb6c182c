import { text } from 'node:stream/consumers'
import { result, WrongUsage, type Command } from '../command.ts'
import { call } from './api.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** @throws WrongUsage */
const methodOf = (given: string): string => {
  const method = given.toUpperCase()
  if (METHODS.includes(method)) return method
  throw new WrongUsage(`METHOD is one of ${METHODS.join(', ')}.`)
}

/** @throws WrongUsage */
const pathOf = (given: string): string => {
  if (/^\/[!-~]*$/.test(given)) return given
  throw new WrongUsage('PATH is what follows /api/v1 in the address, such as /platform/plans.')
}

/** @throws WrongUsage */
const bodyOf = async (given: string): Promise<unknown> => {
  try {
    return JSON.parse(given === '-' ? await text(process.stdin) : given)
  } catch {
    throw new WrongUsage('--body must be JSON.')
  }
}

/** For all of the API that has no command: plans, subscriptions, domains, accounts, the audit log. */
export const issuerApi: Command = {
  about: 'Send any request of the API to the vendor’s server, and print its reply as JSON',
  usage: 'METHOD PATH [--body JSON]',
  words: 2,
  settings: [],
  options: { body: { value: 'JSON', about: 'The body; - reads it from standard input' } },
  run: async ({ words: [method = '', path = ''], options: { body } }) => {
    const reply = await call(methodOf(method), pathOf(path), body === undefined ? undefined : await bodyOf(body))
    if (reply !== undefined) result(JSON.stringify(reply, null, 2))
    return 0
  },
}
