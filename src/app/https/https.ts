import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:https'
import { isIP, type AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Clock } from '#kernel/time/clock.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Config } from '#app/config/config.ts'
import { isLoopbackName, type Machine } from '#app/process/own-hosts.ts'
import { Authority, namesIn } from './authority.ts'
import { localNames } from './names.ts'
import { PublicCertificate } from './public-certificate.ts'
import { HttpsFiles, isByPublic, publicName, type HttpsChoice, type HttpsState } from './state-file.ts'
import { VendorName, type NameLeads, type VendorNameDeps } from './vendor-name.ts'
import type { Certified } from './x509.ts'

/** How often addresses, certificates and what a command has changed are looked at. */
const LOOK_MILLIS = 30_000

/** Where HTTPS is served, and who is asked for a public certificate. Tests bring others. */
export interface HttpsPlaces {
  /** The first that is free is taken. */
  ports: readonly number[]
  /** Where browsers ask first, and public authorities always; undefined: it is left alone. */
  plainPort: number | undefined
  /** The address of an authority’s directory (ACME). */
  directory: string
}

export const USUAL_PLACES: HttpsPlaces = {
  ports: [443, 8443],
  plainPort: 80,
  directory: 'https://acme-v02.api.letsencrypt.org/directory',
}

export interface HttpsDeps {
  config: Config
  clock: Clock
  log: Logger
  machine: Machine
  outbound: Outbound
  /** How the vendor is asked for a name on this network, and the addresses to which it is to lead. */
  askForLanName: VendorNameDeps['ask']
  lanAddresses: VendorNameDeps['lanAddresses']
  instituteName(): Promise<string | undefined>
  places?: HttpsPlaces | undefined
  /** A number from 0 up to 1, for the jitter. */
  chance?(): number
}

/** What is being served. */
interface Served {
  server: TlsServer
  port: number
  print: string
  certificate: X509Certificate
  names: readonly string[]
}

/** Makes a server of the program's endpoints; undefined: over plain HTTP. */
type Another = (pair: { key: string; cert: string } | undefined) => Server

const printOf = ({ key, chain }: Certified): string => createHash('sha256').update(key).update(chain).digest('hex')

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Paths that stay on plain HTTP: how a device comes to trust this server, and how an authority knows it. */
const STAYS = /^\/(?:ca|\.well-known)(?:\/|$)/

/**
 * HTTPS beside plain HTTP, by the certificate that the owner chose to have: of this server's own authority, or of a public one.
 * Whatever fails, plain HTTP goes on.
 */
export class Https {
  readonly #deps: HttpsDeps & { places: HttpsPlaces }
  readonly #files: HttpsFiles
  readonly #authority: Authority
  readonly #vendorName: VendorName
  readonly #public: PublicCertificate
  #another: Another | undefined
  #served: Served | undefined
  #plain: Server | undefined
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(deps: HttpsDeps) {
    const { config, places = USUAL_PLACES, chance = Math.random } = deps
    this.#deps = { ...deps, places }
    this.#files = new HttpsFiles(config.dataDir)
    const { directory } = places
    this.#authority = new Authority({ ...deps, files: this.#files })
    this.#vendorName = new VendorName({ ...deps, files: this.#files, ask: deps.askForLanName, chance })
    this.#public = new PublicCertificate({
      ...deps,
      files: this.#files,
      directory,
      vendorName: this.#vendorName,
      chance,
    })
  }

  /** Whether the owner chooses: a cloud has its proxies, and files of the configuration come first. */
  get isOpen(): boolean {
    const { mode, tls } = this.#deps.config
    return mode === 'self_hosted' && tls === undefined
  }

  /** Whether an order is under way, or a request for the vendor's name. */
  get isOrdering(): boolean {
    return this.#public.isOrdering || this.#vendorName.isAsking
  }

  /** Where the name of the vendor's zone leads, as seen from here; null: it is not known yet. */
  get vendorNameLeads(): NameLeads | null {
    return this.#vendorName.leads
  }

  /** The name of the vendor's zone by which this server is opened; undefined: there is none. */
  get vendorName(): string | undefined {
    return this.#vendorHost
  }

  state(): HttpsState {
    return this.#files.state()
  }

  /** The port of HTTPS; undefined: there is none. */
  get port(): number | undefined {
    return this.#served?.port
  }

  /** Whether plain HTTP is served where browsers and authorities ask first. */
  get hasPlainPort(): boolean {
    const { config, places } = this.#deps
    return this.#plain !== undefined || config.port === places.plainPort
  }

  /** For which names the certificate is that is served. */
  get names(): readonly string[] {
    return this.#served?.names ?? []
  }

  get certificate(): X509Certificate | undefined {
    return this.#served?.certificate
  }

  /** Where others open it, the name that the office chose first. */
  addresses(): string[] {
    const { machine } = this.#deps
    const served = this.#served
    const { way, name: chosen } = this.state().choice
    const first = [chosen, machine.lanName()]
    if (!served) return []
    // A certificate of the own authority outlives addresses and names of before.
    const past = new Set(machine.formerLanNames())
    const own = new Set(localNames(machine, chosen).filter((name) => !past.has(name)))
    const rank = (name: string) => {
      if (first.includes(name)) return first.indexOf(name)
      // Other names are found where the network knows them: a number always.
      return first.length + ['4', '0', '6'].indexOf(String(isIP(name)))
    }
    return served.names
      .filter((name) => !isLoopbackName(inUrl(name)) && !name.startsWith('169.254.'))
      .filter((name) => way !== 'local' || own.has(name))
      .toSorted((a, b) => rank(a) - rank(b))
      .map((name) => this.#urlOf(name, served.port))
  }

  /** Where a device that came by this host opens it over HTTPS; undefined: nowhere. */
  addressFor(host: string): string | undefined {
    const served = this.#served
    const name = bare(host)
    // Policies of pages know no address of IPv6.
    return served?.names.includes(name) && !isLoopbackName(host) && !name.includes(':')
      ? this.#urlOf(name, served.port)
      : this.addresses()[0]
  }

  /** What devices are to trust; undefined: this server has no authority. */
  root(): X509Certificate | undefined {
    return this.#authority.root()
  }

  proof(token: string): string | undefined {
    return this.#public.proof(token)
  }

  /** Shows a proof, until the function that it returns is called. */
  prove(token: string, answer: string): () => void {
    return this.#public.prove(token, answer)
  }

  #urlOf(name: string, port: number): string {
    return `https://${inUrl(name)}${port === 443 ? '' : `:${port}`}`
  }

  /** Where a page is to be opened instead that was asked for over plain HTTP; undefined: there. */
  elsewhere({ host, path, url }: { host: string; path: string; url: string }): string | undefined {
    const served = this.#served
    // Whoever sits at the server gets in also where nothing else works.
    if (!served || !this.#leads || isLoopbackName(host) || STAYS.test(path)) return undefined
    const name = bare(host)
    // A client can name any host.
    const to = served.names.includes(name) ? this.#urlOf(name, served.port) : this.addresses()[0]
    return to && `${to}${url.startsWith('/') ? url : '/'}`
  }

  /** Read once: every request asks. */
  #leads = false
  #vendorHost: string | undefined

  /** Begins, once the server listens. @param another makes more servers of the same endpoints */
  async open(another: Another): Promise<void> {
    if (!this.isOpen) return
    this.#another = another
    await this.look()
    this.#timer = setInterval(() => void this.look(), LOOK_MILLIS)
    this.#timer.unref()
  }

  /** Serves what is chosen, with a certificate for the names of now. It never throws. */
  look(): Promise<void> {
    this.#turn = this.#turn
      .then(() => this.#look())
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'HTTPS is not served as it was chosen; what was before goes on')
      })
    return this.#turn
  }

  /** Chooses, and serves it. A public certificate is ordered meanwhile. */
  async choose(choice: HttpsChoice): Promise<void> {
    this.#files.change(({ choice: before, ...state }) => {
      const isSame = before.name === choice.name && before.way === choice.way
      return { choice, ...(isSame ? state : { order: null, failures: 0, nextOrderAt: null, toldOn: null }) }
    })
    await this.look()
    if (isByPublic(choice) && this.#public.certificate(publicName(this.state())) === undefined) void this.order()
  }

  /** Has a certificate at once for the name by which the network finds the server from now on. */
  async followName(from: string | undefined, to: string): Promise<void> {
    const { choice } = this.state()
    if (choice.name !== null && choice.name === from) this.#files.change(() => ({ choice: { ...choice, name: to } }))
    await this.look()
  }

  /** Orders a public certificate now. */
  async order(): Promise<void> {
    await this.#public.order()
    await this.look()
  }

  /** Orders one where it is time. @returns the name for which none has come for a while; undefined: all is well */
  async hourly(today: string): Promise<string | undefined> {
    const { choice } = this.state()
    if (!this.isOpen || !isByPublic(choice)) return undefined
    if (this.#public.isDue()) await this.order()
    const name = publicName(this.state())
    // Without a name nothing was ever served that could end.
    return name !== null && this.#public.mustTell(today) ? name : undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all([this.#vendorName.close(), this.#public.close()])
    await this.#turn
  }

  async #look(): Promise<void> {
    const another = this.#another
    if (another === undefined || this.#isClosed) return
    const state = this.state()
    const { choice } = state
    this.#vendorHost = choice.way === 'vendor' ? (publicName(state) ?? undefined) : undefined
    await this.#vendorName.look()
    // A name that the router hides, as all of them without the internet, would lead everybody away from what still opens.
    this.#leads = choice.leads && (choice.way !== 'vendor' || this.#vendorName.leads === 'here')
    if (choice.way === 'off') {
      this.#shut()
      return
    }
    await this.#openPlain(another)
    if (this.#vendorName.isDue()) void this.#follow()
    const pair =
      choice.way === 'local'
        ? await this.#authority.certificate(choice.name)
        : this.#public.certificate(publicName(state))
    if (pair) await this.#serve(pair, another)
    else this.#shutSecure()
  }

  /** Tells the vendor what changed here. Another name takes another certificate. It never throws. */
  async #follow(): Promise<void> {
    const before = publicName(this.state())
    try {
      await this.#vendorName.follow()
      if (publicName(this.state()) !== before && !this.#isClosed) await this.order()
    } catch (error) {
      if (!this.#isClosed) this.#deps.log.error({ err: error }, 'the vendor’s name is not followed')
    }
  }

  async #serve(pair: Certified, another: Another): Promise<void> {
    const { places, config, log } = this.#deps
    const print = printOf(pair)
    if (this.#served?.print === print) return
    const certificate = new X509Certificate(pair.chain)
    const served = { print, certificate, names: namesIn(certificate) }
    const files = { key: pair.key, cert: pair.chain }
    if (this.#served) {
      this.#served.server.setSecureContext(files)
      this.#served = { ...this.#served, ...served }
      log.info({ names: served.names, until: certificate.validToDate.toISOString() }, 'the certificate was renewed')
      return
    }
    for (const port of places.ports) {
      const server = another(files)
      if (!(await listens(server, port, config.host)) || !(server instanceof TlsServer)) continue
      this.#served = { server, port: portOf(server), ...served }
      log.info({ port: portOf(server), names: served.names }, 'HTTPS is served')
      return
    }
    log.warn({ ports: places.ports }, 'HTTPS is not served: no port is free for it')
  }

  async #openPlain(another: Another): Promise<void> {
    const { places, config, log } = this.#deps
    if (places.plainPort === undefined || this.hasPlainPort) return
    const server = another(undefined)
    if (!(await listens(server, places.plainPort, config.host))) return
    this.#plain = server
    log.info({ port: places.plainPort }, 'plain HTTP is served there too')
  }

  #shut(): void {
    this.#plain?.close()
    this.#plain = undefined
    this.#shutSecure()
  }

  /** Replies that are under way are still sent. */
  #shutSecure(): void {
    this.#served?.server.close()
    this.#served = undefined
  }
}

/** @returns false where another program has the port, or this user may not have it */
const listens = async (server: Server, port: number, host: string): Promise<boolean> => {
  server.listen(port, host)
  try {
    await once(server, 'listening')
    return true
  } catch {
    server.close()
    return false
  }
}

/** A host of a URL as certificates have it. */
const bare = (host: string): string => host.replaceAll(/^\[|\]$/g, '').toLowerCase()

const inUrl = (name: string): string => (name.includes(':') ? `[${name}]` : name)
