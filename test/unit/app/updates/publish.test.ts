import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lookAt } from '#app/updates/look.ts'
import { NOTHING_SEEN } from '#app/updates/manifest.ts'
import { publishKeys, publishManifest } from '#app/updates/publish.ts'
import { fetchFile, folderSource } from '#app/updates/source.ts'
import { keysDocument, newSigner, NEWS } from '#kit/updates.ts'

let home: string
let folder: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'institute-publish-'))
  folder = path.join(home, 'published')
  writeFileSync(path.join(home, 'archive'), 'a release')
  writeFileSync(path.join(home, 'update-keys.json'), JSON.stringify(pinned))
})
afterEach(() => rmSync(home, { recursive: true }))

const [r1, r2, r3, key, next] = Array.from({ length: 5 }, newSigner)
const root = [r1!, r2!, r3!]
const pinned = keysDocument(1, { root, release: [key!] })
const NOW = new Date('2026-03-02T08:00:00Z')

const publish = (version: string | undefined, { by = key!, now = NOW } = {}) =>
  publishManifest(folder, {
    pinned,
    channel: 'stable',
    signers: [by],
    now,
    validDays: 45,
    release:
      version === undefined
        ? undefined
        : { version, from: '0.1.0', news: NEWS, archives: { 'linux-x64': path.join(home, 'archive') } },
  })

/** What an install of these keys finds. */
const found = (now = NOW) =>
  lookAt(folderSource(folder), {
    programDir: home,
    channel: 'stable',
    version: '0.1.0',
    target: 'linux-x64',
    now: now.getTime(),
    seen: NOTHING_SEEN,
    known: [],
  })

test('what is published is what an install finds and fetches', async () => {
  publish('0.2.0')
  publish('0.3.0')
  const { offer } = await found()
  expect(offer).toMatchObject({ version: '0.3.0', news: NEWS })
  const file = path.join(home, 'fetched')
  await fetchFile(folderSource(folder), offer!.file, file, new AbortController().signal)
  expect(readFileSync(file, 'utf8')).toBe('a release')
})

test('a list is signed anew before it ends, and only grows', async () => {
  expect(() => publish(undefined)).toThrow('no list yet')
  publish('0.2.0')
  const later = new Date('2026-04-10T08:00:00Z')
  expect(publish(undefined, { now: later })).toMatchObject({ sequence: 2, releases: [{ version: '0.2.0' }] })
  expect((await found(new Date('2026-05-20T08:00:00Z'))).offer?.version).toBe('0.2.0')
  for (const version of ['0.2.0', '0.1.9']) expect(() => publish(version, { now: later })).toThrow('is not newer')
  expect(() => publish('0.3.0')).toThrow('the clock of this computer is wrong')
})

test('nothing is published that no install would believe', async () => {
  expect(() => publish('0.2.0', { by: next! })).toThrow('bad_signature')
  publish('0.2.0')
  const second = keysDocument(2, { root, release: [next!] })
  for (const signers of [[r1!], [key!, r1!]]) {
    expect(() => publishKeys(folder, { pinned, next: second, signers })).toThrow('bad_signature')
  }
  publishKeys(folder, { pinned, next: second, signers: [r1!, r3!] })
  expect(() => publishKeys(folder, { pinned, next: second, signers: [r1!, r3!] })).toThrow('is 3')
  expect(() => publish('0.3.0')).toThrow('bad_signature')
  // It goes on from what the former key had published.
  expect(publish('0.3.0', { by: next! })).toMatchObject({ sequence: 2, releases: [{}, { version: '0.2.0' }] })
  expect((await found()).offer?.version).toBe('0.3.0')
})
