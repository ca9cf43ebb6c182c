import { randomBytes, randomUUID } from 'node:crypto'
import { createLicenseKey, findLicenseKey } from '#modules/issuer/index.ts'
import {
  verifyEnvelope,
  signHeartbeat,
  type EnvelopePayload,
  type HeartbeatInput,
} from '#modules/licensing/protocol.ts'
import { newSigningSecret, signerOf, type PublicKey, type Signer } from '#modules/licensing/signing.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { TestApp } from './app.ts'
import type { Reply } from './client.ts'
import type { TestInstitute } from './institute.ts'
import { platformAdmin } from './platform-admin.ts'

/** The key with which a server signs licences, made on the first call. */
export const vendorKeyOf = async ({ app }: TestApp): Promise<PublicKey> => {
  await runInTransaction(app.runtime, systemAuditContext('test.license-key'), async (unit) => {
    await createLicenseKey(unit.system(), app.vault)
  })
  const signer = await findLicenseKey(app.database.read, app.vault)
  if (!signer) throw new Error('no licence key')
  return signer.key
}

/** Gives an institute a licence, for three installs unless `more` says otherwise. */
export const newLicense = async (test: TestApp, { tenant }: Pick<TestInstitute, 'tenant'>, more: object = {}) => {
  const vendor = await vendorKeyOf(test)
  const admin = await platformAdmin(test)
  const { status, body } = await admin.post('/platform/licenses', { tenantId: tenant.id, maxInstalls: 3, ...more })
  if (status !== 201) throw new Error(`POST /platform/licenses: ${status} ${JSON.stringify(body)}`)
  const { token } = body as { token: string }
  const [, claims = ''] = token.split('.')
  const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { jti: string }
  const id = body.id as string
  return { id, token, jti, vendor, path: `/platform/licenses/${id}` }
}
export type TestLicense = Awaited<ReturnType<typeof newLicense>>

/** An install as the vendor's server sees it: what sends heartbeats. */
export class TestInstall {
  readonly installId: string
  readonly key: Signer
  counter = 0
  readonly #test: TestApp
  readonly #license: TestLicense

  constructor(
    test: TestApp,
    license: TestLicense,
    { installId = randomUUID(), key = signerOf(newSigningSecret()) } = {},
  ) {
    this.#test = test
    this.#license = license
    this.installId = installId
    this.key = key
  }

  /** The next heartbeat. */
  next(more: Partial<HeartbeatInput> = {}): HeartbeatInput {
    this.counter = more.counter ?? this.counter + 1
    const now = this.#test.clock.now()
    return {
      installId: this.installId,
      jti: this.#license.jti,
      appVersion: '1.2.0',
      counter: this.counter,
      clientTime: now,
      maxObservedTime: now,
      nonce: randomBytes(12).toString('base64url'),
      ...more,
    }
  }

  /** Sends a heartbeat that this install has signed. */
  send(body: HeartbeatInput | string, key: Signer = this.key): Promise<Reply> {
    const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    return this.#test.send('POST', '/platform/licenses/heartbeat', { raw, headers: signHeartbeat(raw, key) })
  }

  /** Sends a heartbeat that nobody has signed. */
  sendUnsigned(body: HeartbeatInput): Promise<Reply> {
    return this.#test.post('/platform/licenses/heartbeat', body)
  }

  /** Sends the next heartbeat. @returns what the answer says @throws where it is not believed */
  async beat(more: Partial<HeartbeatInput> = {}, key?: Signer): Promise<EnvelopePayload> {
    const body = this.next(more)
    const { status, body: envelope } = await this.send(body, key)
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(envelope)}`)
    const verified = verifyEnvelope(envelope, this.#license.vendor, body)
    if (!verified.ok) throw new Error(verified.reason)
    return verified.value
  }
}
