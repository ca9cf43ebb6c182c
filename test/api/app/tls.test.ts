import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '#kit/app.ts'

let folder: string
let files: { certFile: string; keyFile: string }
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-tls-'))
  files = { certFile: path.join(folder, 'cert.pem'), keyFile: path.join(folder, 'key.pem') }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const issue = async (name: string) => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { algorithm: 'sha256' })
  writeFileSync(files.certFile, cert)
  writeFileSync(files.keyFile, key)
}

/** Requests over a new connection. @returns the status, and the subject of the certificate */
const ask = (url: string): Promise<{ status: number | undefined; name: unknown; cookie: string[] | undefined }> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/health/live`, { agent: false, rejectUnauthorized: false }, (reply) => {
      const { subject } = (reply.socket as TLSSocket).getPeerCertificate()
      reply
        .resume()
        .on('end', () => resolve({ status: reply.statusCode, name: subject.CN, cookie: reply.headers['set-cookie'] }))
    })
    sent.on('error', reject).end()
  })

test('the server speaks HTTPS with the given files, and loads a renewed pair while it runs', async () => {
  await issue('first')
  const app = await startApp({ config: { tls: files } })
  const url = app.url.replace('http:', 'https:')
  expect(await ask(url)).toMatchObject({ status: 200, name: 'first' })
  // Nothing is chosen in the console then.
  expect(app.app.https.isOpen).toBe(false)
  await expect(fetch(`${app.url}/api/v1/health/live`)).rejects.toThrow('fetch failed')

  await issue('second')
  app.app.lookAtCertificate()
  expect(await ask(url)).toMatchObject({ status: 200, name: 'second' })

  // Half of a renewal: the key does not belong to the certificate yet.
  const { private: other } = await generate([{ name: 'commonName', value: 'other' }])
  writeFileSync(files.keyFile, other)
  app.app.lookAtCertificate()
  expect(await ask(url)).toMatchObject({ status: 200, name: 'second' })
  rmSync(files.certFile)
  app.app.lookAtCertificate()
  expect(await ask(url)).toMatchObject({ status: 200, name: 'second' })
  await app.close()
})

test('files that are no certificate and key stop the start, with a line that names them', async () => {
  writeFileSync(files.certFile, 'no certificate')
  await expect(startApp({ config: { tls: files } })).rejects.toThrow(
    /^INSTITUTE_TLS_CERT=.*cert\.pem and INSTITUTE_TLS_KEY=.*key\.pem: must be a certificate \(with its chain\) and its key in PEM/,
  )
})
