import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { client, type Client, type Reply } from '#kit/client.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { HeartbeatProxy } from '#kit/heartbeat-proxy.ts'
import { run, Server, type Surroundings } from './program.ts'
import { bodyOf, type Vendor, type VendorLicense } from './vendor.ts'

/** A self-hosted server of the executable on SQLite, whose heartbeats go through a proxy to the vendor. */
export class Install {
  readonly license: VendorLicense
  readonly proxy: HeartbeatProxy
  readonly #surroundings: Surroundings
  #server: Server | undefined
  #ownerToken: string | null = null

  private constructor(license: VendorLicense, proxy: HeartbeatProxy, surroundings: Surroundings) {
    this.license = license
    this.proxy = proxy
    this.#surroundings = surroundings
  }

  /**
   * Sets one up, and puts a new licence in.
   * @param folder is there, and gets the install's own
   */
  static async start(vendor: Vendor, folder: string): Promise<Install> {
    const license = await vendor.newLicense()
    const proxy = await HeartbeatProxy.start(vendor.heartbeatUrl)
    const cwd = path.join(folder, license.id)
    mkdirSync(cwd)
    const env = {
      INSTITUTE_LICENSE_VENDOR_URL: proxy.url,
      INSTITUTE_LICENSE_PUBLIC_KEY: vendor.publicKey,
      INSTITUTE_LICENSE_HEARTBEAT_SEC: '5',
      INSTITUTE_BACKUP_KEEP: '0',
    }
    const install = new Install(license, proxy, { cwd, env })
    try {
      await install.serve()
      const setup = newSetup(setupTokenIn(path.join(cwd, 'data')))
      install.#ownerToken = bodyOf(await install.owner.post('/setup/bootstrap', setup)).accessToken
      await install.heartbeat()
    } catch (error) {
      await install.end()
      throw error
    }
    return install
  }

  /** Signed in as the owner. */
  get owner(): Client {
    return client(this.#server?.url ?? '', this.#ownerToken)
  }

  /** The status of a daily request: 200, or 402 while the institute is locked. */
  async daily(): Promise<number> {
    return (await this.owner.get('/branches')).status
  }

  /** GET /license, which answers while the institute is locked too. */
  async status() {
    return bodyOf(await this.owner.get('/license'))
  }

  /** The kinds of the commands that the vendor does not yet know to be applied here. */
  async pending(): Promise<string[]> {
    return this.license.pending((await this.status()).installId)
  }

  /** Has a heartbeat sent without the wait until the next one: the licence's token is put in again. */
  async heartbeat(): Promise<void> {
    bodyOf(await this.owner.post('/license', { token: this.license.token }))
  }

  enter(unlockToken: string): Promise<Reply> {
    return this.owner.post('/license/unlock', { token: unlockToken })
  }

  async serve(): Promise<void> {
    this.#server = await Server.start([EXECUTABLE, 'serve', '--port', '0'], this.#surroundings)
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    await this.#server?.stop(signal)
  }

  /** @returns the file of a backup, made while the server runs */
  backup(): Promise<string> {
    return this.#command(['backup'])
  }

  /** Stops the server, restores a backup and starts it again. */
  async restore(file: string): Promise<void> {
    await this.stop('SIGTERM')
    await this.#command(['restore', file])
    await this.serve()
  }

  async end(): Promise<void> {
    await this.stop('SIGKILL')
    this.proxy.close()
  }

  async #command(words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run([EXECUTABLE, ...words], this.#surroundings)
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
}
