import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isCopied, isReplaced } from '#app/data-dir/layout.ts'
import { Authority } from '#app/https/authority.ts'
import { constraintsOf, LOCAL_RANGES } from '#app/https/names.ts'
import { HttpsFiles } from '#app/https/state-file.ts'
import { makeLeaf, makeRoot, type Certified } from '#app/https/x509.ts'
import { AT_HOME } from '#kit/app.ts'

const NOW = Date.now()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-https-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const verified = (root: Certified, { chain }: Certified): string => {
  const [rootFile, leafFile] = [path.join(folder, 'root.pem'), path.join(folder, 'leaf.pem')]
  writeFileSync(rootFile, root.chain)
  writeFileSync(leafFile, chain)
  try {
    execFileSync('openssl', ['verify', '-x509_strict', '-CAfile', rootFile, leafFile], { stdio: 'pipe' })
    return 'ok'
  } catch (error) {
    return String((error as { stderr: Buffer }).stderr)
  }
}

test.runIf(hasOpenssl)(
  'the root vouches for its network and the chosen name, and by its constraints for nothing else',
  async () => {
    const names = constraintsOf('school.example.org')
    const root = await makeRoot({ subject: 'בית ספר', names, ranges: LOCAL_RANGES, now: NOW })
    const leaf = (...all: string[]) => makeLeaf(root, { names: all, days: 90, now: NOW })
    const good = ['institute.local', 'localhost', 'pc.lan', 'school.example.org', '192.168.1.20', 'fd00::5', '::1']
    expect(verified(root, await leaf(...good))).toBe('ok')
    for (const bad of ['www.example.com', 'example.org', '8.8.8.8', '2001:db8::1']) {
      expect(verified(root, await leaf('institute.local', bad))).toContain('permitted subtree violation')
    }
  },
)

test('a new start finds the same root; its files are for the program alone', async () => {
  const open = () => {
    const files = new HttpsFiles(folder)
    const clock = { millis: () => NOW, now: () => new Date(NOW).toISOString() }
    return new Authority({ files, clock, machine: AT_HOME, instituteName: async () => 'Alpha' })
  }
  const first = await open().certificate(null)
  expect(await open().certificate(null)).toEqual(first)
  expect(open().root()?.subject).toContain('CN=Alpha')
  expect(new X509Certificate(first.chain).checkIssued(open().root() as X509Certificate)).toBe(true)
  expect(statSync(path.join(folder, 'https/root.pem')).mode & 0o777).toBe(0o600)
})

test('no backup holds the keys, and no restore takes them away', () => {
  expect([isCopied('https'), isReplaced('https')]).toEqual([false, false])
})
