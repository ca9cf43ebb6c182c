import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The file in the data directory. */
export const SETUP_TOKEN = 'setup-token'

/**
 * The secret that proves to the wizard that its visitor controls the server. A file in the data directory, mode 0600.
 */
export class SetupToken {
  readonly #file: string

  constructor(dataDir: string) {
    this.#file = path.join(dataDir, SETUP_TOKEN)
  }

  /** @returns undefined when there is none */
  read(): string | undefined {
    try {
      return readFileSync(this.#file, 'utf8').trim() || undefined
    } catch {
      return undefined
    }
  }

  /** Returns the token, and makes it when there is none. */
  ensure(): string {
    const existing = this.read()
    if (existing !== undefined) return existing
    const token = randomBytes(18).toString('base64url')
    writeFileSync(this.#file, `${token}\n`, { mode: 0o600 })
    return token
  }

  matches(token: string): boolean {
    const ours = Buffer.from(this.read() ?? '')
    const theirs = Buffer.from(token)
    return ours.length > 0 && ours.length === theirs.length && timingSafeEqual(ours, theirs)
  }

  remove(): void {
    rmSync(this.#file, { force: true })
  }
}
