import type { FirstWords } from '../words.ts'
import { faults } from './faults.ts'
import { shell } from './shell.ts'
import { signIn } from './signIn.ts'

export const first: FirstWords = { faults, shell, signIn }
