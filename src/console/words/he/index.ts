import type { Words } from '../index.ts'
import { account } from './account.ts'
import { inbox } from './inbox.ts'
import { refusals } from './refusals.ts'
import { shell } from './shell.ts'
import { signIn } from './signIn.ts'

export const he: Words = { shell, signIn, refusals, account, inbox }
