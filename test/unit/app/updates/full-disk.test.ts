import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { layRelease } from '#app/updates/lay.ts'
import { stagedIn } from '#app/updates/places.ts'
import { folderSource, webSource } from '#app/updates/source.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import { seal } from '#app/updates/envelope.ts'
import { newSigner, NEWS } from '#kit/updates.ts'
import { SmallDisk, whyNoSmallDisk } from '#kit/small-disk.ts'

const why = whyNoSmallDisk()
if (why !== undefined) console.log(`A full disk during the download of an update is skipped: ${why}`)

const MEGABYTE = 1024 * 1024
const BYTES = randomBytes(3 * MEGABYTE)
const FILE = { url: 'files/release', size: BYTES.length, sha256: createHash('sha256').update(BYTES).digest('hex') }

/** A server of static files that knows ranges. */
const SERVER = {
  get: async ({ headers }: { headers: Record<string, string> }) => {
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(headers.Range ?? '') ?? []
    return { ok: true, status: 206, body: BYTES.subarray(Number(from), Number(to) + 1) }
  },
} as unknown as Outbound

const onStick = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-stick-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'files'))
  writeFileSync(path.join(folder, FILE.url), BYTES)
  return folderSource(folder)
}

test.skipIf(why !== undefined).each([
  ['from the vendor', () => webSource('http://vendor.example', SERVER)],
  ['from a stick', onStick],
])(
  'a disk that fills while a version comes %s: nothing of it stays, and how much is missing is said',
  async (_, open) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-full-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const disk = new SmallDisk(dataDir, 64)
    writeFileSync(path.join(dataDir, 'institute.db'), 'what was there')
    disk.leave(2)
    const lay = (free: () => Promise<number>) =>
      layRelease(open(), {
        dataDir,
        offer: { version: '0.2.0', news: NEWS, file: FILE },
        envelope: seal('manifest', {}, [newSigner()]),
        chain: [],
        free,
        signal: new AbortController().signal,
      })
    // There was room when it began.
    await expect(lay(async () => 1e12)).rejects.toMatchObject({
      reason: 'disk_full',
      detail: `the disk of ${dataDir} needs 18 MB, and has 2 MB`,
    })
    expect(existsSync(stagedIn(dataDir).folder)).toBe(false)
    expect(disk.freeBytes).toBe(2 * MEGABYTE)

    disk.makeRoom()
    await lay(async () => 1e12)
    expect(existsSync(stagedIn(dataDir).release)).toBe(true)
  },
)
