import type { Words } from '../index.ts'
import { account } from './account.ts'
import { attendance } from './attendance.ts'
import { inbox } from './inbox.ts'
import { refusals } from './refusals.ts'
import { shell } from './shell.ts'
import { signIn } from './signIn.ts'
import { today } from './today.ts'

export const ar: Words = { account, attendance, inbox, refusals, shell, signIn, today }
