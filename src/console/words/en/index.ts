import { refusals } from './refusals.ts'
import { shell } from './shell.ts'
import { signIn } from './signIn.ts'

export const en = { shell, signIn, refusals }
