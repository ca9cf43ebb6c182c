import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { replaceFile } from '#app/config/replace-file.ts'
import { CERTIFICATES } from '#app/data-dir/layout.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { syncToDisk } from '#executable/to-disk.ts'
import { LAN_NAME_REASONS } from '#modules/licensing/index.ts'
import type { Certified } from './x509.ts'

/**
 * off: plain HTTP alone; local: by this server's own authority; public: by one that every device knows; vendor: by that one too,
 * for a name of the vendor's that leads into this network.
 */
export const HTTPS_WAYS = ['off', 'local', 'public', 'vendor'] as const

/** Why there is no certificate of a public authority, or no new one. */
export const HTTPS_REASONS = [
  'no_name',
  'name_is_local',
  'name_leads_nowhere',
  'unreachable',
  'not_reached',
  'other_answers',
  'name_refused',
  'too_often',
  'authority',
  ...LAN_NAME_REASONS,
  'no_lan_address',
] as const
export type HttpsReason = (typeof HTTPS_REASONS)[number]

const Choice = v.object({
  way: v.picklist(HTTPS_WAYS),
  /** The name that the office gave the server; null: the names of the network alone. */
  name: v.nullable(v.string()),
  /** Whether pages that are opened over plain HTTP lead to HTTPS. */
  leads: v.boolean(),
})
export type HttpsChoice = v.InferOutput<typeof Choice>

const VendorNameState = v.object({
  /** null: the vendor has given none yet. */
  name: v.nullable(v.string()),
  /** Those that the vendor knows. */
  addresses: v.array(v.string()),
  /** When it last gave the name. */
  askedAt: v.nullable(v.string()),
  /** Why it did not the last time; null: it did. */
  failure: v.nullable(v.object({ at: v.string(), reason: v.picklist(HTTPS_REASONS), detail: v.string() })),
  failures: v.number(),
  nextAskAt: v.nullable(v.string()),
})
export type VendorNameState = v.InferOutput<typeof VendorNameState>

const NO_VENDOR_NAME: VendorNameState = {
  name: null,
  addresses: [],
  askedAt: null,
  failure: null,
  failures: 0,
  nextAskAt: null,
}

const State = v.object({
  choice: Choice,
  /** The chosen name that the authority was made for; null: none of its own. */
  rootFor: v.nullable(v.string()),
  /** What became of the last order of a public certificate. */
  order: v.nullable(
    v.object({
      at: v.string(),
      result: v.picklist(['ok', 'failed']),
      reason: v.nullable(v.picklist(HTTPS_REASONS)),
      detail: v.string(),
    }),
  ),
  failures: v.number(),
  nextOrderAt: v.nullable(v.string()),
  /** The day, as YYYY-MM-DD, on which the owner was told last that it fails. */
  toldOn: v.nullable(v.string()),
  /** The name in the zone of the vendor. A file from before there were any has none. */
  vendorName: v.optional(VendorNameState, NO_VENDOR_NAME),
})
export type HttpsState = v.InferOutput<typeof State>

const EMPTY: HttpsState = {
  choice: { way: 'off', name: null, leads: false },
  rootFor: null,
  order: null,
  failures: 0,
  nextOrderAt: null,
  toldOn: null,
  vendorName: NO_VENDOR_NAME,
}

/** Whether a public authority gives the certificate. */
export const isByPublic = ({ way }: HttpsChoice): boolean => way === 'public' || way === 'vendor'

/** The name that a public authority is asked to vouch for; null: there is none yet. */
export const publicName = ({ choice, vendorName }: HttpsState): string | null =>
  choice.way === 'vendor' ? vendorName.name : choice.name

const STATE = 'state.json'
/** The authority, the certificate that it gave this server, and that of a public authority. */
export type Kept = 'root' | 'local' | 'public'

/**
 * What this server has for HTTPS, in a folder beside the database. No backup holds it: who got hold of one could stand for the
 * server. A restore leaves it alone, and another machine makes its own.
 */
export class HttpsFiles {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, CERTIFICATES)
  }

  #write(name: string, text: string): void {
    makeFolders(this.#folder)
    replaceFile(path.join(this.#folder, name), text)
    syncToDisk(this.#folder)
  }

  #read(name: string): string | undefined {
    try {
      return readFileSync(path.join(this.#folder, name), 'utf8')
    } catch {
      return undefined
    }
  }

  /** A file that is missing or cannot be read says that there is no HTTPS. */
  state(): HttpsState {
    try {
      return v.parse(State, JSON.parse(this.#read(STATE) ?? ''))
    } catch {
      return EMPTY
    }
  }

  /** Changes it at once, without a pause in which another change could be lost. @throws the system's error */
  change(make: (before: HttpsState) => Partial<HttpsState>): HttpsState {
    const before = this.state()
    const after = { ...before, ...make(before) }
    this.#write(STATE, `${JSON.stringify(after)}\n`)
    return after
  }

  /** Key and chain lie in one file, so that no crash parts them. */
  read(kept: Kept): Certified | undefined {
    const text = this.#read(`${kept}.pem`)
    const [key, ...chain] = text?.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n/g) ?? []
    return key !== undefined && chain.length > 0 ? { key, chain: chain.join('') } : undefined
  }

  keep(kept: Kept, { key, chain }: Certified): void {
    this.#write(`${kept}.pem`, key + chain)
  }

  /** The key by which a public authority knows this server, as a JWK. */
  accountKey(make: () => string): string {
    const found = this.#read('account.json')
    if (found !== undefined) return found
    const made = make()
    this.#write('account.json', made)
    return made
  }
}
