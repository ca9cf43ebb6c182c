import { faults } from './faults.ts'
import { shell } from './shell.ts'
import { signIn } from './signIn.ts'

/** What the first page says: it is loaded before the rest. */
export const first = { faults, shell, signIn }
