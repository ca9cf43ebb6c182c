import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { LicenseState } from './state.ts'

/** The file in the data directory. Backups leave it out and a restore leaves it alone. */
export const STATE_FILE = 'license-state'

const PURPOSE = 'license-state'

/** By the institute's id: an install has one. */
const Kept = v.record(v.string(), LicenseState)

/**
 * The copy of the licence's state beside the database, mode 0600. It is encrypted and so cannot be edited: whoever
 * changes it only loses it, and the issuer hears of that.
 */
export class StateFile {
  readonly #folder: string
  readonly #vault: Vault

  constructor(folder: string, vault: Vault) {
    this.#folder = folder
    this.#vault = vault
  }

  /** The institutes that it knows of. A file that is missing or cannot be read knows of none. */
  readAll(): Readonly<Record<string, LicenseState>> {
    try {
      const sealed = readFileSync(path.join(this.#folder, STATE_FILE), 'utf8').trim()
      return v.parse(Kept, JSON.parse(this.#vault.open(PURPOSE, sealed)))
    } catch {
      return {}
    }
  }

  read(tenantId: string): LicenseState | undefined {
    return this.readAll()[tenantId]
  }

  /**
   * Changes the state of one institute at once, without a pause in which another change could be lost. After a kill at
   * any point the file is the old one or the new one.
   * @throws the system's error where the disk takes no more
   */
  change(tenantId: string, make: (kept: LicenseState | undefined) => LicenseState): void {
    const all = this.readAll()
    // Where an upgrade goes back, the former version must know of a lock too.
    const content = this.#vault.sealForFormer(PURPOSE, JSON.stringify({ ...all, [tenantId]: make(all[tenantId]) }))
    const draft = path.join(this.#folder, `.${STATE_FILE}-new`)
    writeFileSync(draft, `${content}\n`, { mode: 0o600, flush: true })
    moveFileNow(draft, path.join(this.#folder, STATE_FILE))
    syncToDisk(this.#folder)
  }
}
