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
import { link, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StorageProblem } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { DiskFiles } from '#ports/files/disk.ts'
import { watchMemory } from '#kit/memory.ts'
import { NoSuchFile, partsOf, WrongSize, type Area, type FileStore, type StoredKey } from '#ports/files/port.ts'
import { volume } from '#kit/volume.ts'

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

/** All adapters: how to open an empty store, and how to list all files that it contains. */
const adapters: { name: string; open: () => { store: FileStore; held: () => string[] } }[] = [
  {
    name: 'disk',
    open: () => {
      const root = path.join(makeFolder(), 'files')
      return { store: new DiskFiles(root), held: () => filesUnder(root) }
    },
  },
]

const filesUnder = (root: string): string[] =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(path.join(root, name)).isFile(),
      )
    : []

const institute = newId()
const keyIn = (area: Area): StoredKey => `${area}/${institute}/${newId()}`

const putText = (store: FileStore, key: StoredKey, text: string): Promise<void> =>
  store.put(key, Readable.from([Buffer.from(text)]), Buffer.byteLength(text))
const textOf = async (store: FileStore, key: StoredKey): Promise<string> =>
  (await buffer(await store.open(key))).toString()
const all = async (store: FileStore, area: Area) => {
  const found = []
  for await (const file of store.list(area)) found.push(file)
  return found
}

describe.each(adapters)('files ($name)', ({ open }) => {
  let store: FileStore
  let held: () => string[]
  beforeEach(() => {
    ;({ store, held } = open())
  })

  test('a stored file can be read, completely and in ranges, and is listed', async () => {
    const key = keyIn('uploads')
    await putText(store, key, 'good morning')
    expect(await textOf(store, key)).toBe('good morning')
    expect((await buffer(await store.open(key, { start: 5, end: 11 }))).toString()).toBe('morning')
    expect((await buffer(await store.open(key, { start: 0, end: 0 }))).toString()).toBe('g')
    expect(await store.size(key)).toBe(12)
    expect(await all(store, 'uploads')).toEqual([{ key, size: 12, writtenAt: expect.stringMatching(/^20.*Z$/) }])
    expect(await all(store, 'objects')).toEqual([])
  })

  test('an empty file is one', async () => {
    const key = keyIn('objects')
    await store.put(key, Readable.from([]), 0)
    expect(await store.size(key)).toBe(0)
    expect(await textOf(store, key)).toBe('')
  })

  test('a missing file has no size, cannot be opened or copied, and can be removed', async () => {
    const key = keyIn('objects')
    expect(await store.size(key)).toBeUndefined()
    await expect(store.open(key)).rejects.toThrow(NoSuchFile)
    await expect(store.copy(keyIn('uploads'), key)).rejects.toThrow(NoSuchFile)
    await store.remove(key)
    expect(await all(store, 'objects')).toEqual([])
    expect(held()).toEqual([])
  })

  test.each([
    ['more', 11],
    ['fewer', 13],
  ])('a stream of %s bytes than were said leaves nothing, and what was there before stays', async (_, said) => {
    const [fresh, taken] = [keyIn('uploads'), keyIn('uploads')]
    await putText(store, taken, 'before')
    for (const key of [fresh, taken]) {
      await expect(store.put(key, Readable.from([Buffer.from('good morning')]), said)).rejects.toThrow(WrongSize)
    }
    expect(await store.size(fresh)).toBeUndefined()
    expect(await textOf(store, taken)).toBe('before')
    expect(held()).toHaveLength(1)
  })

  test('a stream that breaks off leaves nothing, and says what broke it', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(MEGABYTE)
        throw new Error('the caller is gone')
      })(),
    )
    await expect(store.put(keyIn('uploads'), broken, 2 * MEGABYTE)).rejects.toThrow('the caller is gone')
    expect(held()).toEqual([])
  })

  test('a second put takes the place of the first; a copy made before stays as it was', async () => {
    const [upload, object] = [keyIn('uploads'), keyIn('objects')]
    await putText(store, upload, 'first')
    await store.copy(upload, object)
    await putText(store, upload, 'second')
    expect([await textOf(store, upload), await textOf(store, object)]).toEqual(['second', 'first'])
    await store.remove(upload)
    expect(await textOf(store, object)).toBe('first')
  })

  test('of two puts at once under one key one remains, whole', async () => {
    const key = keyIn('uploads')
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(3 * MEGABYTE))
    await Promise.all(texts.map((text) => putText(store, key, text)))
    expect(texts).toContain(await textOf(store, key))
    expect(held()).toHaveLength(1)
  })

  test('a stream of unknown size is stored whole, or not at all when it fails', async () => {
    const key = keyIn('exports')
    const parts = ['good ', 'morning', '']
    await store.put(key, Readable.from(parts.map((part) => Buffer.from(part))))
    expect(await textOf(store, key)).toBe('good morning')
    expect(await all(store, 'exports')).toMatchObject([{ key, size: 12 }])
    const failing = (async function* () {
      yield Buffer.from('evening')
      throw new Error('it broke')
    })()
    await expect(store.put(key, failing)).rejects.toThrow('it broke')
    expect(await textOf(store, key)).toBe('good morning')
    expect(held()).toHaveLength(1)
  })

  test('what was begun under a key is discarded, and the call that wrote it fails', async () => {
    const [key, other] = [keyIn('exports'), keyIn('exports')]
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = async function* () {
      yield Buffer.from('half')
      await gate
      yield Buffer.from(' more')
    }
    const [mine, theirs] = [store.put(key, slow()), store.put(other, slow())]
    await expect.poll(() => held().length).toBe(2)
    await store.discardUnfinished(key)
    expect(held()).toHaveLength(1)
    go()
    await expect(mine).rejects.toThrow()
    await theirs
    expect(await store.size(key)).toBeUndefined()
    expect(await textOf(store, other)).toBe('half more')
    await store.discardUnfinished(key)
  })

  test('a file that is removed can still be read by those who have opened it', async () => {
    const key = keyIn('objects')
    await store.put(key, Readable.from([Buffer.alloc(8 * MEGABYTE, 7)]), 8 * MEGABYTE)
    const stream = await store.open(key)
    await store.remove(key)
    expect((await buffer(stream)).equals(Buffer.alloc(8 * MEGABYTE, 7))).toBe(true)
    expect(held()).toEqual([])
  })

  test.each([
    ['', ''],
    ['a step up', `objects/${institute}/../../master-key`],
    ['an absolute path', '/etc/passwd'],
    ['a step up in place of the institute', `objects/../${newId()}`],
    ['a step up in place of the id', `objects/${institute}/..`],
    ['another area', `.uploads/${institute}/${newId()}`],
    ['no institute', `objects/${newId()}`],
    ['a NUL', `objects/${institute}/${newId()}\0`],
    ['a line break behind it', `objects/${institute}/${newId()}\n`],
    ['a slash behind it', `objects/${institute}/${newId()}/`],
    ['capitals', `objects/${institute}/${newId().toUpperCase()}`],
    ['an encoded slash', `objects/${institute}%2F${newId()}`],
  ])('a key that is none is refused: %s', async (_, text) => {
    const key = text as StoredKey
    const refusal = 'this is no key of a file'
    expect(() => partsOf(key)).toThrow(refusal)
    await expect(store.put(key, Readable.from([Buffer.from('x')]), 1)).rejects.toThrow(refusal)
    await expect(store.open(key)).rejects.toThrow(refusal)
    await expect(store.size(key)).rejects.toThrow(refusal)
    await expect(store.remove(key)).rejects.toThrow(refusal)
    await expect(store.copy(key, keyIn('objects'))).rejects.toThrow(refusal)
    await expect(store.copy(keyIn('uploads'), key)).rejects.toThrow(refusal)
    expect(held()).toEqual([])
  })

  test('a large file goes in and out, and out again by a part, with flat memory', { timeout: 180_000 }, async () => {
    const size = volume(600, 2048) * MEGABYTE
    const chunk = Buffer.alloc(MEGABYTE)
    const generated = function* () {
      for (let n = 0; n < size / MEGABYTE; n += 1) {
        // Each chunk is a new buffer, so that memory grows if the store keeps chunks.
        const next = Buffer.from(chunk)
        next.writeUInt32BE(n)
        yield next
      }
    }
    const memory = watchMemory()
    const key = keyIn('objects')
    await store.put(key, Readable.from(generated()), size)
    let bytes = 0
    for await (const part of (await store.open(key)) as AsyncIterable<Buffer>) {
      if (bytes % MEGABYTE === 0 && part.readUInt32BE() !== bytes / MEGABYTE) throw new Error('other bytes came back')
      bytes += part.length
    }
    const end = await buffer(await store.open(key, { start: size - MEGABYTE, end: size - 1 }))
    const grown = memory.end()
    expect(bytes).toBe(size)
    expect([end.length, end.readUInt32BE()]).toEqual([MEGABYTE, size / MEGABYTE - 1])
    expect(grown).toBeLessThan(200 * MEGABYTE)
  })
})

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
