import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/sign-in.ts'
import { verifyLicenseToken } from '#modules/licensing/protocol.ts'
import { readPublicKey } from '#modules/licensing/signing.ts'
import { institute } from './institute.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp({ now: new Date().toISOString() })
})
afterAll(() => app.close())

const licenseKey = (word: string) => institute(['license-key', word, '--data-dir', app.dataDir])

test('license-key makes one key, which a running server signs with at once, and which stays', async () => {
  expect(await licenseKey('public')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no licence key here: institute license-key create makes one.\n',
  })
  const { tenant } = await makeInstitute(app)
  const order = { tenantId: tenant.id, maxInstalls: 1 }
  const admin = await platformAdmin(app)
  expect((await admin.post('/platform/licenses', order)).status).toBe(409)

  const { code, stdout, stderr } = await licenseKey('create')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^[\w-]{43}\n$/)
  expect(await licenseKey('public')).toEqual({ code: 0, stdout, stderr: '' })

  const key = readPublicKey(stdout.trim())
  if (!key) throw new Error('no key')
  const { status, body } = await admin.post('/platform/licenses', order)
  expect(status).toBe(201)
  expect(verifyLicenseToken(body.token as string, key)).toMatchObject({ ok: true, value: { licenseId: body.id } })

  expect(await licenseKey('create')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is a licence key already, and it stays: every install believes that one alone.\n',
  })
  expect((await licenseKey('public')).stdout).toBe(stdout)
  expect(await auditOf(app, 'license-key.create')).toMatchObject([
    { actor_type: 'system', channel: 'cli', tenant_id: null, after: { publicKey: key.text, keyId: key.keyId } },
  ])
  const [sealed] = await app.app.database.read
    .selectFrom('sealed_secret')
    .selectAll()
    .where('name', '=', 'license-key')
    .execute()
  expect(sealed?.value.length).toBeGreaterThan(43)
})
