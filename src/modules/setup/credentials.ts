import type { Credential } from '#kernel/contract/credential.ts'

export const SETUP_TOKEN: Credential = {
  name: 'setup-token',
  of: 'server',
  opens: 'The first set-up of a server, once. It lies in a file that only the server’s user reads.',
  lasting: true,
  ends: [],
  why: 'It is over before there is an institute or a person whose anything could end.',
}
