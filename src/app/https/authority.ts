import { X509Certificate } from 'node:crypto'
import { plainAddress } from '#kernel/basics/network.ts'
import type { Clock } from '#kernel/time/clock.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import { constraintsOf, LOCAL_NAMES, LOCAL_RANGES, localNames } from './names.ts'
import type { HttpsFiles } from './state-file.ts'
import type { Certified } from './x509.ts'

/** Devices take at most 398 days; a new one costs nothing. */
const LEAF_DAYS = 90
const DAY_MILLIS = 86_400_000

export interface AuthorityDeps {
  files: HttpsFiles
  clock: Pick<Clock, 'millis' | 'now'>
  machine: Machine
  /** What the institute is called, as devices show it beside its authority. */
  instituteName(): Promise<string | undefined>
}

/** Whether half of its time is over, or it is not good yet: the clock was wrong when it was made. */
export const isWorn = ({ validFromDate, validToDate }: X509Certificate, now: number): boolean => {
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()]
  return now < from || now >= from + (to - from) / 2
}

/** An authority of this server's own, which is made at first use and vouches for names of its network alone. */
export class Authority {
  readonly #deps: AuthorityDeps

  constructor(deps: AuthorityDeps) {
    this.#deps = deps
  }

  /** The certificate that devices are to trust; undefined: there is none yet. */
  root(): X509Certificate | undefined {
    const root = this.#deps.files.read('root')
    return root && new X509Certificate(root.chain)
  }

  async #makeRoot(chosen: string | null): Promise<Certified> {
    const { files, clock, instituteName } = this.#deps
    const { makeRoot } = await import('./x509.ts')
    // With its day, people tell it from one that there was before.
    const subject = `${(await instituteName()) ?? 'Institute'} – ${clock.now().slice(0, 10)}`
    const root = await makeRoot({ subject, names: constraintsOf(chosen), ranges: LOCAL_RANGES, now: clock.millis() })
    files.keep('root', root)
    files.change(() => ({ rootFor: chosen }))
    return root
  }

  /** The root, made anew where it may not vouch for the chosen name or ends before what it would vouch for. */
  async #root(chosen: string | null): Promise<Certified> {
    const { files, clock } = this.#deps
    const wanted = constraintsOf(chosen).length > LOCAL_NAMES.length ? chosen : null
    const root = files.read('root')
    const endsAt = root && new X509Certificate(root.chain).validToDate.getTime()
    const isGood = endsAt !== undefined && endsAt > clock.millis() + LEAF_DAYS * DAY_MILLIS
    return root && isGood && (wanted === null || files.state().rootFor === wanted) ? root : this.#makeRoot(wanted)
  }

  /**
   * The certificate for all names that the server has in its network now: the one that there is, or a new one where a name is
   * missing in it or half of its time is over.
   */
  async certificate(chosen: string | null): Promise<Certified> {
    const { files, clock, machine } = this.#deps
    const root = await this.#root(chosen)
    const names = localNames(machine, chosen)
    const kept = files.read('local')
    if (kept) {
      const certificate = new X509Certificate(kept.chain)
      const isOurs = certificate.checkIssued(new X509Certificate(root.chain))
      const has = new Set(namesIn(certificate))
      if (isOurs && names.every((name) => has.has(name)) && !isWorn(certificate, clock.millis())) return kept
    }
    const { makeLeaf } = await import('./x509.ts')
    const made = await makeLeaf(root, { names, days: LEAF_DAYS, now: clock.millis() })
    files.keep('local', made)
    return made
  }
}

/** The names and addresses that a certificate is for, as `localNames` writes them. */
export const namesIn = ({ subjectAltName = '' }: X509Certificate): string[] =>
  subjectAltName
    .split(', ')
    .map((one) => one.slice(one.indexOf(':') + 1))
    .map((name) => plainAddress(name) ?? name)
