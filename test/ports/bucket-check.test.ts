import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lookAtBucket } from '#ports/files/s3/check.ts'
import { letPagesIn } from '#ports/files/s3/cors.ts'
import type { S3Settings } from '#ports/files/s3/settings.ts'
import { freePort } from '#kit/free-port.ts'
import { startS3rver, type TestStore } from '#kit/s3.ts'
import { startSwift, whyNoSwift } from '#kit/swift.ts'
import { volume } from '#kit/volume.ts'
import { certificate } from './outbound-kit.ts'

const PAGES = 'https://school.example'

let store: TestStore
let s3: S3Settings

const look = (other: Partial<S3Settings> = {}) => lookAtBucket({ ...s3, ...other }, PAGES)

describe('a look at the bucket', () => {
  beforeAll(async () => {
    store = await startS3rver()
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    s3 = await store.emptyBucket()
  })
  afterEach(() => {
    store.fault = () => undefined
  })

  test('is content when files and pages get in, and leaves nothing there', async () => {
    expect(await look()).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/lets no page of https:\/\/school\.example in.*CORS rule/),
    })
    await letPagesIn(s3, PAGES)
    expect(await look()).toMatchObject({ state: 'ok' })
    expect(await store.held()).toEqual([])
  })

  test('a rule for pages is added once, beside those of others', async () => {
    await letPagesIn(s3, PAGES)
    store.seen.length = 0
    await letPagesIn(s3, PAGES)
    expect(store.seen.map((line) => line.split(' ')[0])).toEqual(['OPTIONS'])
  })

  test.each<[string, Partial<S3Settings>, RegExp]>([
    ['the secret', { secret: 'hunter-two' }, /^the secret of the key S3RVER is another one/],
    ['the key', { keyId: 'NOBODY' }, /^the store does not know the key NOBODY/],
    ['the bucket', { bucket: 'not-there' }, /^there is no bucket not-there: make it/],
    ['the host', { host: 'no-such-host.invalid' }, /^cannot be reached: no-such-host.invalid has no address/],
    ['HTTPS', { isPlain: false }, /does not speak HTTPS there/],
  ])('says what to do about a wrong setting: %s', async (_, other, text) => {
    const seen = await look(other)
    expect(seen).toEqual({ state: 'wrong', text: expect.stringMatching(text) })
    expect(seen.text).not.toContain('hunter-two')
  })

  test('says that nobody vouches for the certificate', async () => {
    const server = createServer(await certificate('store.example', {}), (_, response) => response.end())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const text = expect.stringMatching(/^the certificate of .* is not trusted .*NODE_EXTRA_CA_CERTS/)
    expect(await look({ isPlain: false, host: `127.0.0.1:${port}` })).toEqual({ state: 'wrong', text })
    server.close()
  })

  test('says that nothing listens there', async () => {
    const text = expect.stringMatching(/^cannot be reached: .* takes no connections/)
    expect(await look({ host: `127.0.0.1:${await freePort()}` })).toEqual({ state: 'wrong', text })
  })

  test.each<[string, RegExp, string?]>([
    ['RequestTimeTooSkewed', /^the clock of this server differs/],
    [
      'AuthorizationHeaderMalformed',
      /is in the region eu-central-1, not in us-east-1/,
      '<Region>eu-central-1</Region>',
    ],
    ['AuthorizationHeaderMalformed', /is in another region, not in us-east-1/],
    ['Whatever', /^the store answers Whatever/],
  ])('says what %s means', async (code, text, more = '') => {
    store.fault = () => ({ status: 403, code, more })
    expect(await look()).toEqual({ state: 'wrong', text: expect.stringMatching(text) })
  })

  test.each([
    ['list (s3:ListBucket)', (url: string) => url.includes('list-type')],
    ['put (s3:PutObject)', (url: string, method: string) => method === 'PUT' && !url.includes('list-type')],
    ['get (s3:GetObject)', (url: string, method: string) => method === 'GET' && !url.includes('list-type')],
    ['delete (s3:DeleteObject)', (_: string, method: string) => method === 'DELETE'],
  ])('names the right that is missing: %s', async (right, isMeant) => {
    store.fault = ({ url = '', method = '' }) =>
      isMeant(url, method) ? { status: 403, code: 'AccessDenied' } : undefined
    const { state, text } = await look()
    expect([state, text]).toEqual(['wrong', expect.stringContaining(`may not ${right} in`)])
  })
})

describe('a look at a bucket of swift', () => {
  let reason: string | undefined
  beforeAll(async () => {
    reason = volume(false, true) ? whyNoSwift() : 'swift takes long to start: TEST_VOLUME=full tries it'
    if (reason === undefined) store = await startSwift()
  }, 400_000)
  afterAll(() => (reason === undefined ? store.close() : undefined))

  test('tells a wrong key, a wrong secret, a wrong region and a bucket that is not there', async ({ skip }) => {
    skip(reason !== undefined, reason)
    s3 = store.settings
    expect((await look()).state).not.toBe('wrong')
    const seen: Record<string, string> = {}
    const wrongs: Partial<S3Settings>[] = [
      { keyId: 'test:nobody' },
      { secret: 'x' },
      { bucket: 'not-there' },
      { region: 'eu-west-1' },
    ]
    for (const other of wrongs) seen[Object.keys(other).join('')] = (await look(other)).text
    expect(seen).toEqual({
      keyId: expect.stringMatching(/^the (store does not know the key|secret of the key) test:nobody/),
      secret: expect.stringMatching(/^the secret of the key test:tester is another one/),
      bucket: expect.stringMatching(/^there is no bucket not-there/),
      region: expect.stringMatching(/is in the region us-east-1, not in eu-west-1/),
    })
  })
})
