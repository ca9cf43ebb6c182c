import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import { makeAccountKey, orderCertificate, OrderFailed, type Proof } from './acme.ts'
import { isLocalName } from './names.ts'
import { publicName, type HttpsFiles, type HttpsReason } from './state-file.ts'
import type { VendorName } from './vendor-name.ts'
import type { Certified } from './x509.ts'

const HOUR_SECONDS = 3600
/** After the first failure; doubled with each, up to a day. */
const RETRY_SECONDS = HOUR_SECONDS
const MOST_RETRY_SECONDS = 24 * HOUR_SECONDS
/** How much of a wait is left to chance, so that installs do not all ask at once. */
const JITTER = 0.1
/** One failure passes by itself. */
const TELL_AFTER = 3
const TELL_DAYS = 7

export interface PublicDeps {
  files: HttpsFiles
  clock: Clock
  log: Logger
  machine: Machine
  outbound: Outbound
  /** The address of the authority’s directory. */
  directory: string
  /** The name in the zone of the vendor, for whoever chose that. */
  vendorName: VendorName
  /** A number from 0 up to 1, for the jitter. */
  chance(): number
}

/** The certificate of a public authority, to which a proof over HTTP or by the vendor's DNS shows that the name is this server's. */
export class PublicCertificate {
  readonly #deps: PublicDeps
  readonly #end = new AbortController()
  readonly #proofs = new Map<string, string>()
  #ordering: Promise<void> | undefined

  constructor(deps: PublicDeps) {
    this.#deps = deps
  }

  get isOrdering(): boolean {
    return this.#ordering !== undefined
  }

  /** What the authority is to find at /.well-known/acme-challenge/TOKEN; undefined: nothing. */
  proof(token: string): string | undefined {
    return this.#proofs.get(token)
  }

  /** Shows a proof, until the function that it returns is called. */
  prove(token: string, answer: string): () => void {
    this.#proofs.set(token, answer)
    return () => void this.#proofs.delete(token)
  }

  /** The one for this name; undefined: there is none. */
  certificate(name: string | null): Certified | undefined {
    const kept = this.#deps.files.read('public')
    if (!kept || name === null) return undefined
    const certificate = new X509Certificate(kept.chain)
    const isFor = isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)
    return isFor === undefined ? undefined : kept
  }

  /** Whether it is time for an order. A time further ahead than the certificate is good was written by a wrong clock. */
  isDue(): boolean {
    const { files, clock } = this.#deps
    const state = files.state()
    const { nextOrderAt } = state
    const kept = this.certificate(publicName(state))
    const latest = kept && new X509Certificate(kept.chain).validToDate.toISOString()
    const now = clock.now()
    return nextOrderAt === null || nextOrderAt <= now || (latest !== undefined && nextOrderAt > latest)
  }

  /** Orders one, and notes what became of it. It never throws; a second call waits for the first. */
  order(): Promise<void> {
    this.#ordering ??= this.#order().finally(() => {
      this.#ordering = undefined
    })
    return this.#ordering
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#ordering
  }

  async #order(): Promise<void> {
    const { files, clock, log } = this.#deps
    const state = files.state()
    const isVendors = state.choice.way === 'vendor'
    let name = publicName(state)
    try {
      if (isVendors) name = await this.#deps.vendorName.ensured()
      const made = await (isVendors && name !== null ? this.#orderedBy(name, this.#byDns) : this.#ordered(name))
      const { validFromDate, validToDate } = new X509Certificate(made.chain)
      const half = (validToDate.getTime() - validFromDate.getTime()) / 2
      const wait = half * (1 - JITTER * this.#deps.chance())
      files.keep('public', made)
      files.change(() => ({
        order: { at: clock.now(), result: 'ok', reason: null, detail: '' },
        failures: 0,
        nextOrderAt: new Date(validFromDate.getTime() + wait).toISOString(),
        toldOn: null,
      }))
      log.info({ name, until: validToDate.toISOString() }, 'a certificate came from the public authority')
    } catch (error) {
      if (this.#end.signal.aborted) return
      const { reason, detail } =
        error instanceof OrderFailed ? error : { reason: 'authority' as const, detail: String(error) }
      this.#failed(reason, detail)
      log.warn({ err: error, name }, 'no certificate came from the public authority; the one before goes on')
    }
  }

  #failed(reason: HttpsReason, detail: string): void {
    const { files, clock, chance } = this.#deps
    files.change(({ failures }) => {
      const wait = Math.min(RETRY_SECONDS * 2 ** failures, MOST_RETRY_SECONDS) * (1 - JITTER * chance())
      return {
        order: { at: clock.now(), result: 'failed', reason, detail },
        failures: failures + 1,
        nextOrderAt: plusSeconds(clock.now(), Math.round(wait)),
      }
    })
  }

  /** @throws OrderFailed */
  async #ordered(name: string | null): Promise<Certified> {
    const { machine } = this.#deps
    if (name === null) throw new OrderFailed('no_name', 'There is no name to ask for.')
    if (isLocalName(name)) throw new OrderFailed('name_is_local', `${name} is a name of one network.`)
    // The authority counts what fails: do not ask it what is plain from here.
    if (isIP(name) === 0 && (await machine.resolve(name)).length === 0) {
      throw new OrderFailed('name_leads_nowhere', `${name} has no address, as seen from this server.`)
    }
    return this.#orderedBy(name, { type: 'http-01', show: (...proof) => this.prove(...proof) })
  }

  readonly #byDns: Proof = { type: 'dns-01', show: (digest) => this.#deps.vendorName.prove(digest) }

  /** @throws OrderFailed */
  async #orderedBy(name: string, proof: Proof): Promise<Certified> {
    const { files, outbound, directory } = this.#deps
    const made = await makeAccountKey()
    const accountKey = files.accountKey(() => made)
    const { makeRequest } = await import('./x509.ts')
    let key = ''
    const chain = await orderCertificate(
      { directory, outbound, accountKey, proof, signal: this.#end.signal },
      {
        name,
        makeRequest: async () => {
          const fresh = await makeRequest([name])
          key = fresh.key
          return fresh.request
        },
      },
    )
    // Half a certificate would stop the server from speaking at all.
    createSecureContext({ key, cert: chain })
    return { key, chain }
  }

  /** Whether the owner is to be told that it fails. It is noted as told. */
  mustTell(today: string): boolean {
    const { files } = this.#deps
    const { failures, toldOn } = files.state()
    const isLately = toldOn !== null && Date.parse(today) - Date.parse(toldOn) < TELL_DAYS * 86_400_000
    if (failures < TELL_AFTER || isLately) return false
    files.change(() => ({ toldOn: today }))
    return true
  }
}
