import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { replaceFile } from '#app/config/replace-file.ts'
import { CERTIFICATES } from '#app/data-dir/layout.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { syncToDisk } from '#executable/to-disk.ts'
import type { Certified } from './x509.ts'

/** off: plain HTTP alone; local: by this server's own authority; public: by one that every device knows. */
export const HTTPS_WAYS = ['off', 'local', 'public'] as const

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
})
export type HttpsState = v.InferOutput<typeof State>

const EMPTY: HttpsState = {
  choice: { way: 'off', name: null, leads: false },
  rootFor: null,
  order: null,
  failures: 0,
  nextOrderAt: null,
  toldOn: null,
}

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
