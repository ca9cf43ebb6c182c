import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { DOCUMENT, documentOf, startDocuments } from '#kit/client-documents.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { allow, CALLBACK, exchange } from '#kit/oauth.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { PUBLIC_ONLY } from '#ports/outbound/port.ts'

/** Clients whose id is the address of a document about them (draft-ietf-oauth-client-id-metadata-document). */

let documents: Awaited<ReturnType<typeof startDocuments>>
let app: TestApp
let institute: TestInstitute
let member: TestMember

beforeAll(async () => {
  documents = await startDocuments()
  app = await startApp({ push: documents.policed })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
beforeEach(async () => {
  // Whatever was fetched before is forgotten.
  app.clock.advance(601)
  member = await institute.member({ role: 'owner' })
  documents.asked.splice(0)
  documents.answer(documentOf())
})
afterAll(async () => {
  documents.close()
  await app.close()
})

const look = (clientId = DOCUMENT, redirectUri = CALLBACK, as: Client = member): Promise<Reply> =>
  as.get(`/oauth/consent-context?${new URLSearchParams({ clientId, redirectUri }).toString()}`)
const codeOf = ({ status, body }: Reply): string => `${status} ${body.error?.code}`
const NOT_FOUND = '404 OAUTH_CLIENT_NOT_FOUND'

describe('the document of a client', () => {
  test('says who it is, and lets it in', async () => {
    expect((await look()).body).toMatchObject({
      client: { clientId: DOCUMENT, name: 'Assistant', uri: 'https://assistant.example.org', verified: true },
    })
    const asked = await allow(app, member, institute.tenant.id, { clientId: DOCUMENT })
    expect((await exchange(app, asked)).status).toBe(200)
    expect((await member.get('/me/grants')).body.data[0]).toMatchObject({ clientName: 'Assistant' })
    expect(documents.asked).toEqual([`GET ${DOCUMENT}`])
  })

  test('is used for ten minutes, and then fetched again', async () => {
    await look()
    app.clock.advance(599)
    await look()
    expect(documents.asked).toHaveLength(1)
    app.clock.advance(2)
    documents.answer({ ...documentOf(), redirect_uris: ['https://assistant.example.org/other'] })
    expect(codeOf(await look())).toBe('400 OAUTH_INVALID_REDIRECT_URI')
    expect(documents.asked).toHaveLength(2)
  })

  test('is fetched once for those who ask at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => look()))
    expect(documents.asked).toHaveLength(1)
  })

  test('that is refused is not remembered', async () => {
    documents.answer('', 500)
    expect(codeOf(await look())).toBe(NOT_FOUND)
    documents.answer(documentOf())
    expect((await look()).status).toBe(200)
  })

  test('lists each redirect URI exactly; the port of this computer may vary (RFC 8252, 7.3)', async () => {
    expect((await look(DOCUMENT, 'http://127.0.0.1:41234/callback')).status).toBe(200)
    for (const uri of ['https://assistant.example.org/back/', 'https://assistant.example.org:444/back']) {
      expect(codeOf(await look(DOCUMENT, uri)), uri).toBe('400 OAUTH_INVALID_REDIRECT_URI')
    }
  })
})

describe('a document is refused', () => {
  test.each<[string, unknown, number?, Record<string, string>?]>([
    ['that is not there', '', 404],
    ['of a server that failed', '', 500],
    ['that lies elsewhere', documentOf(), 302, { location: 'https://assistant.example.org/moved.json' }],
    ['that was answered with another success', documentOf(), 203],
    ['that is huge', { ...documentOf(), more: 'x'.repeat(17 * 1024) }],
    ['that is no JSON', '<html>'],
    ['that is no object', [documentOf()]],
    ['of another client', documentOf('https://assistant.example.org/other.json')],
    ['without a redirect URI', { ...documentOf(), redirect_uris: [] }],
    ['with a redirect URI that none may have', { ...documentOf(), redirect_uris: [CALLBACK, 'javascript:alert(1)'] }],
    ['of a client with a secret', { ...documentOf(), token_endpoint_auth_method: 'client_secret_post' }],
    ['of a client that cannot use codes', { ...documentOf(), grant_types: ['client_credentials'] }],
    ['with a name of two lines', { ...documentOf(), client_name: 'Assistant\nof the institute' }],
  ])('%s', async (_, body, status, headers) => {
    documents.answer(body, status, headers)
    expect(codeOf(await look())).toBe(NOT_FOUND)
    // A redirect is not followed.
    expect(documents.asked).toEqual([`GET ${DOCUMENT}`])
  })

  test('that is not UTF-8', async () => {
    documents.answerBy((_, response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d])))
    expect(codeOf(await look())).toBe(NOT_FOUND)
  })

  test('that is slow', async () => {
    documents.answerBy((_, response) => void response.write('{'))
    expect(codeOf(await look())).toBe(NOT_FOUND)
  })

  test('whose server hangs up', async () => {
    documents.answerBy((request) => void request.socket.destroy())
    expect(codeOf(await look())).toBe(NOT_FOUND)
  })

  test.each([
    'http://assistant.example.org/client.json',
    'https://assistant.example.org',
    'https://assistant.example.org/',
    'https://user@assistant.example.org/client.json',
    'https://assistant.example.org/client.json#part',
    'https://assistant.example.org/a/../client.json',
    'https://assistant.example.org/./client.json',
    'https://ASSISTANT.example.org/client.json',
    'https://assistant.example.org:443/client.json',
    ' https://assistant.example.org/client.json',
    'ftp://assistant.example.org/client.json',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'nobody',
    '01890a5d-ac96-774b-bcce-b302099a8057',
  ])('before it is asked for, when the id is %j', async (clientId) => {
    expect(codeOf(await look(clientId))).toBe(NOT_FOUND)
    expect(documents.asked).toEqual([])
  })
})

test('a document at a private address is never asked for, also behind a name', async () => {
  const names: Record<string, string> = {
    'inside.example.org': '192.168.1.5',
    'metadata.example.org': '169.254.169.254',
  }
  const looked: string[] = []
  const resolve = async (host: string) => {
    looked.push(host)
    return [{ address: names[host] ?? '127.0.0.1', family: 4 }]
  }
  const own = await startApp({
    push: { policy: PUBLIC_ONLY, outbound: guardedOutbound({ policy: PUBLIC_ONLY, resolve }) },
  })
  try {
    const { owner } = await makeInstitute(own, { features: { mcp: true } })
    for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '[::1]', '169.254.169.254', '[fd00::1]', '0x7f000001']) {
      const address = new URL(`https://${host}/client.json`).href
      expect(codeOf(await look(address, CALLBACK, owner)), host).toBe(NOT_FOUND)
    }
    expect(looked).toEqual([])
    for (const host of Object.keys(names)) {
      expect(codeOf(await look(`https://${host}/client.json`, CALLBACK, owner)), host).toBe(NOT_FOUND)
    }
    expect(looked).toEqual(Object.keys(names))
  } finally {
    await own.close()
  }
})
