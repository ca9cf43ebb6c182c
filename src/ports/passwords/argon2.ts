import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import { PasswordQueue } from './queue.ts'
import type { Passwords, QueueClient } from './port.ts'

export interface Argon2Options {
  /** Passwords worked on at once. Each takes 19 MiB and one of the runtime's four threads for slow work. */
  concurrency?: number
  /** How many strangers more may stand in line, and how many who are known; beyond that somebody gets Busy. */
  maxWaiting?: number
}

// OWASP, Password Storage Cheat Sheet: Argon2id with 19 MiB (in KiB), 2 iterations, 1 degree of parallelism.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')

/** A hash of today's cost, as long as a real one, that no password is known to have. */
const dummyHash = (): string => {
  const { memoryCost, timeCost, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memoryCost},p=${parallelism},t=${timeCost}$${base64(16)}$${base64(32)}`
}

const ANYBODY: QueueClient = { key: '', known: false }

// Keyboards differ in how they compose an accent or a vowel sign (NIST SP 800-63B, 3.1.1.2).
const normalize = (password: string): string => password.normalize('NFKC')

export const createArgon2Passwords = ({ concurrency = 2, maxWaiting = 256 }: Argon2Options = {}): Passwords => {
  const queue = new PasswordQueue({ concurrency, maxWaiting })
  const noAccountHash = dummyHash()

  return {
    hash: (password, client = ANYBODY) =>
      queue.run(client, () => argon2.hash(normalize(password), { type: argon2.argon2id, ...PARAMETERS })),
    verify: async (hash, password, client = ANYBODY) => {
      const matches = await queue.run(client, () => argon2.verify(hash ?? noAccountHash, normalize(password)))
      return hash !== null && matches
    },
    needsRehash: (hash) => !hash.startsWith('$argon2id$') || argon2.needsRehash(hash, PARAMETERS),
  }
}
