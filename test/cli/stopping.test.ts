import { expect, test } from 'vitest'
import { png, sha256 } from '#kit/files.ts'
import { setupTokenIn } from '#kit/setup.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

const OWNER = { email: 'owner@example.org', password: 'olive tree by the gate', firstName: 'Noor', lastName: 'Haddad' }
const INSTITUTE = { slug: 'a', name: 'A', defaultLocale: 'en', timezone: 'Asia/Jerusalem', currency: 'ILS' }

test('after a download the program stops as fast as without one', { timeout: 60_000 }, async () => {
  const dataDir = makeFolder()
  const server = await startProgram(dataDir)
  const post = async (where: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
    return (await (await fetch(`${server.url}/api/v1${where}`, init)).json()) as any
  }
  const here = (address: string) => server.url + new URL(address).pathname + new URL(address).search
  const setupToken = setupTokenIn(dataDir)
  const { accessToken } = await post('/setup/bootstrap', { setupToken, institute: INSTITUTE, owner: OWNER })
  const file = { kind: 'document', originalName: 'a.png', mimeType: 'image/png', sizeBytes: png().length }
  const { storageKey, uploadUrl } = await post('/files/upload-url', file, accessToken)
  await fetch(here(uploadUrl), { method: 'PUT', headers: { 'content-type': 'image/png' }, body: new Uint8Array(png()) })
  const { downloadUrl } = await post('/files/complete', { ...file, storageKey, sha256: sha256(png()) }, accessToken)
  const download = await fetch(here(downloadUrl))
  expect(Buffer.from(await download.arrayBuffer()).equals(png())).toBe(true)

  const asked = performance.now()
  expect(await server.stop()).toBe(0)
  // A reply may take half a minute to be read, and a body as long to arrive.
  expect(performance.now() - asked).toBeLessThan(15_000)
})
