import { randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { Client as PostgresClient } from 'pg'
import { client, type Client, type Reply } from '#kit/client.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { run, Server } from './program.ts'

/** The body of a reply. @throws what the server said where it is no success */
export const bodyOf = ({ status, body }: Reply) => {
  if (status !== 200 && status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** The vendor's server: two processes of the executable on one Postgres. Its people use one, installs call the other. */
export class Vendor {
  /** Signed in as a platform admin, at the process for people. */
  readonly admin: Client
  /** The address of the process for heartbeats. */
  readonly heartbeatUrl: string
  readonly publicKey: string
  readonly #databaseUrl: string
  readonly #stop: () => Promise<void>

  private constructor(begun: {
    admin: Client
    heartbeatUrl: string
    publicKey: string
    databaseUrl: string
    stop: () => Promise<void>
  }) {
    this.admin = begun.admin
    this.heartbeatUrl = begun.heartbeatUrl
    this.publicKey = begun.publicKey
    this.#databaseUrl = begun.databaseUrl
    this.#stop = begun.stop
  }

  /** @param folder is there, and gets the data directories */
  static async start(folder: string): Promise<Vendor> {
    const postgres = await startPostgres()
    const servers: Server[] = []
    const stop = async () => {
      for (const server of servers) await server.stop('SIGKILL')
      await postgres.stop()
    }
    try {
      const { url: databaseUrl } = await createDatabase(postgres.adminUrl)
      const masterKey = randomBytes(32).toString('base64url')
      const at = (dataDir: string) => ({
        cwd: folder,
        env: {
          INSTITUTE_MODE: 'cloud',
          INSTITUTE_LEAVE_SEC: '0',
          INSTITUTE_DATABASE_URL: databaseUrl,
          INSTITUTE_MASTER_KEY: masterKey,
          INSTITUTE_DATA_DIR: path.join(folder, dataDir),
        },
      })
      const serve = async (dataDir: string): Promise<string> => {
        const server = await Server.start([EXECUTABLE, 'serve', '--port', '0'], at(dataDir))
        servers.push(server)
        return server.url ?? ''
      }
      const command = async (words: readonly string[], input?: string): Promise<string> => {
        const { code, stdout, stderr } = await run([EXECUTABLE, ...words], at('for-people'), input)
        if (code !== 0) throw new Error(stderr)
        return stdout.trim()
      }
      const heartbeatUrl = await serve('for-heartbeats')
      const people = client(await serve('for-people'))
      const account = { email: 'operator@vendor.example', password: randomUUID() }
      await command(['platform-admin', 'add', '--email', account.email, '--password-stdin'], account.password)
      await command(['license-key', 'create'])
      const publicKey = await command(['license-key', 'public'])
      const { accessToken } = bodyOf(await people.post('/auth/login', { ...account, client: 'mobile' }))
      return new Vendor({ admin: people.as(accessToken), heartbeatUrl, publicKey, databaseUrl, stop })
    } catch (error) {
      await stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.#stop()
  }

  /** Makes an institute, and a licence for its own servers. */
  async newLicense(): Promise<VendorLicense> {
    const { id: tenantId } = bodyOf(
      await this.admin.post('/platform/tenants', {
        slug: `al-noor-${randomUUID()}`,
        name: 'معهد النور',
        defaultLocale: 'ar',
        timezone: 'Asia/Jerusalem',
        currency: 'ILS',
        deploymentMode: 'self_hosted',
        owner: { email: `${randomUUID()}@example.org`, fullName: 'Noor Haddad' },
      }),
    )
    const { id, token } = bodyOf(await this.admin.post('/platform/licenses', { tenantId, maxInstalls: 3 }))
    return new VendorLicense(this.admin, { id, token, databaseUrl: this.#databaseUrl })
  }
}

interface Seen {
  installId: string
  pendingCommands: { kind: string }[]
}

/** A licence in the hands of the vendor's people. */
export class VendorLicense {
  readonly id: string
  readonly token: string
  readonly #admin: Client
  readonly #databaseUrl: string

  constructor(admin: Client, { id, token, databaseUrl }: { id: string; token: string; databaseUrl: string }) {
    this.id = id
    this.token = token
    this.#admin = admin
    this.#databaseUrl = databaseUrl
  }

  lock(reason: string): Promise<{ id: string }> {
    return this.#post('lock', { reason })
  }

  unlock(): Promise<{ id: string }> {
    return this.#post('unlock')
  }

  async unlockToken(): Promise<string> {
    return (await this.#post('unlock-token')).token
  }

  /** The kinds of the commands that an install has not acknowledged. */
  async pending(installId: string): Promise<string[]> {
    const { data } = bodyOf(await this.#admin.get(`/platform/licenses/${this.id}/installs`))
    const install = (data as Seen[]).find((one) => one.installId === installId)
    return install?.pendingCommands.map(({ kind }) => kind) ?? ['the install is unknown']
  }

  /** The kinds of its commands, in their order, and whether each has the time of its acknowledgement. */
  async commands(): Promise<[kind: string, isAcknowledged: boolean][]> {
    const postgres = new PostgresClient({ connectionString: this.#databaseUrl })
    await postgres.connect()
    try {
      const { rows } = await postgres.query<{ kind: string; acknowledged_at: string | null }>(
        'select kind, acknowledged_at from license_command where license_id = $1 order by seq',
        [this.id],
      )
      return rows.map(({ kind, acknowledged_at }) => [kind, acknowledged_at !== null])
    } finally {
      await postgres.end()
    }
  }

  async #post(what: string, body?: unknown) {
    return bodyOf(await this.#admin.post(`/platform/licenses/${this.id}/${what}`, body))
  }
}
