import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import PQueue from 'p-queue'
import { Busy, type Passwords } from './port.ts'

export interface Argon2Options {
  /** Passwords worked on at once. Each takes 19 MiB and one of the runtime's four threads for slow work. */
  concurrency?: number
  /** How many more may stand in line; whoever comes after them gets Busy. */
  maxWaiting?: number
}

// OWASP, Password Storage Cheat Sheet: Argon2id with 19 MiB (in KiB), 2 iterations, 1 degree of parallelism.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')

/** A hash of today's cost, as long as a real one, that no password is known to have. */
const hashOfNobody = (): string => {
  const { memoryCost, timeCost, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memoryCost},p=${parallelism},t=${timeCost}$${base64(16)}$${base64(32)}`
}

// Keyboards differ in how they compose an accent or a vowel sign (NIST SP 800-63B, 3.1.1.2).
const normalize = (password: string): string => password.normalize('NFKC')

export const createArgon2Passwords = ({ concurrency = 2, maxWaiting = 256 }: Argon2Options = {}): Passwords => {
  const queue = new PQueue({ concurrency })
  const nobody = hashOfNobody()

  const inLine = async <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.pending >= concurrency && queue.size >= maxWaiting) throw new Busy()
    return queue.add(work)
  }

  return {
    hash: (password) => inLine(() => argon2.hash(normalize(password), { type: argon2.argon2id, ...PARAMETERS })),
    verify: async (hash, password) => {
      const matches = await inLine(() => argon2.verify(hash ?? nobody, normalize(password)))
      return hash !== null && matches
    },
    needsRehash: (hash) => !hash.startsWith('$argon2id$') || argon2.needsRehash(hash, PARAMETERS),
  }
}
