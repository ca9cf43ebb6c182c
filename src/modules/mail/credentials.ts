import type { Credential } from '#kernel/contract/credential.ts'

export const MAILED_TOKEN: Credential = {
  name: 'mailed-token',
  of: 'user',
  opens: 'Holds the token of a link, sealed, until its mail has gone.',
  lasting: false,
  purposes: ['mail'],
  ends: [],
  why: 'It is the token of an invitation or of a link of an account, which is looked at when the link is opened.',
}
