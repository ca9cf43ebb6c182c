import { tell, type Command } from '../command.ts'
import { askCode, knownPassword } from '../password.ts'
import { call, signIn, signOut } from './api.ts'
import { issuerCommand, said } from './declare.ts'
import { serverOf } from './request.ts'
import { readSession } from './session.ts'

export const issuerLogin: Command = {
  about: 'Sign in at a vendor’s server as a platform admin; vendor.json in ~/.config/institute keeps the session',
  usage: '--server URL --email EMAIL [--password-stdin] [--code CODE]',
  settings: [],
  options: {
    server: { value: 'URL', required: true, about: 'https://…; http:// only for a server on this machine' },
    email: { value: 'EMAIL', required: true, about: 'The email address of the account' },
    'password-stdin': { about: 'Read the password from standard input; without it the terminal is asked' },
    code: {
      value: 'CODE',
      about:
        'Of the second factor, where the account has one: of the app, or a recovery code; without it the terminal is asked',
    },
  },
  run: async ({ options: { server: given = '', email = '', code }, switches }) => {
    const server = serverOf(given)
    const password = await knownPassword(email, { fromInput: switches.has('password-stdin') })
    await signIn({ server, email, password, askCode: async () => code ?? askCode(email) })
    tell(`${email} is signed in at ${server}.`)
    return 0
  },
}

export const issuerLogout: Command = {
  about: 'End the session at the vendor’s server, and forget it',
  settings: [],
  run: async () => {
    const { server } = readSession()
    await signOut()
    tell(`Signed out at ${server}.`)
    return 0
  },
}

export const issuerWhoami = issuerCommand({
  about: 'Say who is signed in at which server',
  show: async () => {
    const { server } = readSession()
    const profile = (await call('GET', '/me')) as { email: string }
    return said({ server, ...profile }, `${profile.email} at ${server}`)
  },
})
