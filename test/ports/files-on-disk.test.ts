import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { link, open, rename, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { StorageProblem } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import { DiskFiles } from '#ports/files/disk.ts'
import type { Area, FileStore, StoredKey } from '#ports/files/port.ts'
import { filesUnder } from './file-adapters.ts'

vi.mock('node:fs/promises', { spy: true })

const MEGABYTE = 1024 * 1024

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup()
})

const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-files-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const institute = newId()
const keyIn = (area: Area): StoredKey => `${area}/${institute}/${newId()}`

const putText = (store: FileStore, key: StoredKey, text: string): Promise<void> =>
  store.put(key, Readable.from([Buffer.from(text)]), Buffer.byteLength(text))
const textOf = async (store: FileStore, key: StoredKey): Promise<string> =>
  (await buffer(await store.open(key))).toString()
const all = async (store: FileStore, area: Area) => {
  const found = []
  for await (const file of store.list(area, institute)) found.push(file)
  return found
}

describe('files on a disk', () => {
  const isRoot = process.getuid?.() === 0

  test('are for the owner’s eyes only', async () => {
    const root = path.join(makeFolder(), 'files')
    const store = new DiskFiles(root)
    const [upload, object] = [keyIn('uploads'), keyIn('objects')]
    await putText(store, upload, 'x')
    await store.copy(upload, object)
    const names = ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]
    const modes = names.map((name) => {
      const found = statSync(path.join(root, name))
      return `${found.isFile() ? 'file' : 'folder'} ${(found.mode & 0o777).toString(8)}`
    })
    expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']))
  })

  test('have their names on the disk: after a file got its name its folder is synced', async () => {
    const root = path.join(makeFolder(), 'files')
    const store = new DiskFiles(root)
    const key = keyIn('objects')
    await putText(store, key, 'before')
    const handle = await open(root)
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync')
    await handle.close()
    for (const spied of [open, rename]) vi.mocked(spied as typeof open).mockClear()
    await putText(store, key, 'after')
    const [named = 0] = vi.mocked(rename).mock.invocationCallOrder
    const place = String(vi.mocked(rename).mock.calls[0]?.[1])
    const opened = vi.mocked(open).mock
    const ofFolder = opened.settledResults.flatMap(({ value }, at) =>
      opened.calls[at]?.[0] === path.dirname(place) ? [value] : [],
    )
    const synced = sync.mock.contexts.flatMap((of, at) =>
      ofFolder.includes(of) ? [sync.mock.invocationCallOrder[at] ?? 0] : [],
    )
    expect(Math.max(...synced)).toBeGreaterThan(named)
    sync.mockRestore()
  })

  test('foreign files are ignored, and unfinished ones are removed by their age', async () => {
    const root = path.join(makeFolder(), 'files')
    const store = new DiskFiles(root)
    await putText(store, keyIn('objects'), 'x')
    const shard = `${institute}/ff`
    mkdirSync(path.join(root, 'objects', shard), { recursive: true })
    writeFileSync(path.join(root, 'objects', shard, 'notes.txt'), 'somebody else’s')
    symlinkSync('/etc/passwd', path.join(root, 'objects', shard, newId()))
    writeFileSync(path.join(root, 'objects/odd'), 'x')
    expect(await all(store, 'objects')).toHaveLength(1)
    const [old, fresh] = ['old', 'fresh'].map((name) => path.join(root, '.unfinished', name)) as [string, string]
    for (const file of [old, fresh]) writeFileSync(file, 'half')
    utimesSync(old, new Date('2026-03-01T07:59:59Z'), new Date('2026-03-01T07:59:59Z'))
    utimesSync(fresh, new Date('2026-03-01T08:00:00Z'), new Date('2026-03-01T08:00:00Z'))
    await store.sweepUnfinished('2026-03-01T08:00:00.000Z')
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true])
  })

  test('leave the last 200 MB of a disk to others', async () => {
    const root = path.join(makeFolder(), 'files')
    const store = new DiskFiles(root)
    const free = async (bytes: number) =>
      vi.mocked(statfs).mockResolvedValueOnce(Object.assign(await statfs('/'), { bavail: bytes / 1024, bsize: 1024 }))
    await free(200 * MEGABYTE + 1024)
    await putText(store, keyIn('uploads'), 'x'.repeat(1024))
    await free(200 * MEGABYTE)
    await expect(putText(store, keyIn('uploads'), 'x'.repeat(1024))).rejects.toThrow('the disk is nearly full')
    expect(filesUnder(root)).toHaveLength(1)
  })

  test(
    'a full disk is reported and leaves nothing behind; with free space, writes work again',
    { timeout: 60_000 },
    async ({ skip }) => {
      skip(!isRoot, 'only root can mount a small disk')
      const folder = makeFolder()
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', folder])
      cleanups.push(() => void execFileSync('umount', ['--lazy', folder]))
      const root = path.join(folder, 'files')
      const store = new DiskFiles(root)
      // Simulates a disk that fills up during the write.
      const roomy = Object.assign(await statfs('/'), { bavail: 2 ** 40, bsize: 1 })
      for (let n = 0; n < 3; n += 1) vi.mocked(statfs).mockResolvedValueOnce(roomy)
      const kept = keyIn('objects')
      await putText(store, kept, 'kept')
      const many = (): Promise<void> =>
        store.put(
          keyIn('uploads'),
          Readable.from(Array.from({ length: 6 }, () => Buffer.alloc(MEGABYTE, 1))),
          6 * MEGABYTE,
        )
      writeFileSync(path.join(folder, 'ballast'), Buffer.alloc(4 * MEGABYTE))
      const refusal: unknown = await many().catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(StorageProblem)
      expect((refusal as Error).message).toBe('the disk is full')
      expect(filesUnder(root)).toHaveLength(1)
      expect(readFileSync(path.join(root, filesUnder(root)[0] as string), 'utf8')).toBe('kept')
      rmSync(path.join(folder, 'ballast'))
      await many()
      expect(await all(store, 'uploads')).toHaveLength(1)
    },
  )

  test('are copied byte by byte where the disk knows no links', async () => {
    const root = path.join(makeFolder(), 'files')
    const store = new DiskFiles(root)
    const [upload, object] = [keyIn('uploads'), keyIn('objects')]
    await putText(store, upload, 'byte by byte')
    vi.mocked(link).mockRejectedValueOnce(Object.assign(new Error('no links here'), { code: 'EPERM' }))
    await store.copy(upload, object)
    expect(await textOf(store, object)).toBe('byte by byte')
    const [one, other] = filesUnder(root).map((name) => statSync(path.join(root, name)))
    expect([one?.ino === other?.ino, one?.mode, filesUnder(root).length]).toEqual([false, other?.mode, 2])
  })
})
