import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import { PasswordQueue } from './queue.ts'
import type { Passwords, QueueClient } from './port.ts'

export interface Argon2Options {
  /** How many passwords are hashed at once. Each takes 19 MiB and one of the four threads of Node's thread pool. */
  concurrency?: number
  /** How many strangers, and how many known clients, may wait; beyond that, one of them gets Busy. */
  maxWaiting?: number
}

// OWASP, Password Storage Cheat Sheet: Argon2id with 19 MiB (in KiB), 2 iterations, 1 degree of parallelism.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')

/** A hash with today's parameters that no known password matches. */
const dummyHash = (): string => {
  const { memoryCost, timeCost, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memoryCost},p=${parallelism},t=${timeCost}$${base64(16)}$${base64(32)}`
}

const ANYBODY: QueueClient = { key: '', known: false }

// Keyboards differ in how they compose accents and vowel signs (NIST SP 800-63B, 3.1.1.2).
const normalize = (password: string): string => password.normalize('NFKC')

/** Makes a Passwords that uses Argon2id. */
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
