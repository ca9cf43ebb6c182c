import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFiles } from '#app/data-dir/files.ts'
import { moveFiles, type Moved } from '#modules/files/index.ts'
import type { FileStore, StoragePlace, StoredKey } from '#ports/files/port.ts'
import { commandAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { TestApp } from '#kit/app.ts'
import { isDirect, png, put, announced, sha256, stored, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startAppWithBucket, startS3rver, type TestStore } from '#kit/s3.ts'

let store: TestStore
let app: TestApp
let school: TestInstitute
let files: FileStore

beforeAll(async () => {
  store = await startS3rver()
})
afterAll(() => store.close())
beforeEach(async () => {
  app = await startAppWithBucket(store)
  files = await openFiles(app.app.config)
  school = await makeInstitute(app)
})
afterEach(async () => {
  store.fault = () => undefined
  await files.close()
  await app.close()
})

const move = (to: StoragePlace, through: FileStore = files): Promise<Moved> =>
  moveFiles(
    (work) => runInTransaction(app.app.runtime, commandAuditContext('files.move'), (unit) => work(unit.system())),
    { files: through, tenantId: school.tenant.id, to, onProgress: () => {} },
  )

const fill = async (count: number): Promise<Map<string, Buffer>> => {
  const kept = new Map<string, Buffer>()
  for (let n = 0; n < count; n += 1) {
    const bytes = png(`file ${n}`)
    kept.set((await uploaded(app, school.owner, { bytes })).body.id, bytes)
  }
  return kept
}

/** What the API gives for a file, by the address that it names. */
const read = async (id: string): Promise<{ isDirect: boolean; bytes: Buffer }> => {
  const { downloadUrl } = (await school.owner.get(`/files/${id}`)).body
  if (isDirect(downloadUrl)) {
    return { isDirect: true, bytes: Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()) }
  }
  const { pathname, search } = new URL(downloadUrl)
  const got = await fetch(`${app.url}${pathname}${search}`)
  return { isDirect: false, bytes: Buffer.from(await got.arrayBuffer()) }
}

/** A store that does something before a copy of it is stored. */
const beforeCopies = (work: (key: StoredKey, count: number) => Promise<void>): FileStore => {
  let copies = 0
  return new Proxy(files, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      if (name !== 'put') return member.bind(target) as unknown
      return async (key: StoredKey, body: AsyncIterable<Uint8Array>, size?: number) => {
        copies += 1
        await work(key, copies)
        await target.put(key, body, size)
      }
    },
  })
}

describe('the files of an institute move', () => {
  test('to the disk and to the bucket again: each is whole, its old bytes go when nobody reads them any more', async () => {
    const kept = await fill(20)
    const bytes = [...kept.values()].reduce((sum, file) => sum + file.length, 0)
    expect(await move('disk')).toEqual({ files: 20, bytes, damaged: [] })
    for (const [id, was] of kept) expect(await read(id)).toEqual({ isDirect: false, bytes: was })
    await app.drain()
    expect(await store.held()).toHaveLength(20)
    await app.pass(3601)
    expect(await store.held()).toEqual([])
    expect(await stored(app)).toHaveLength(20)

    expect(await move('s3')).toMatchObject({ files: 20, damaged: [] })
    await app.pass(3601)
    expect(await stored(app)).toEqual([])
    for (const [id, was] of kept) expect(await read(id)).toEqual({ isDirect: true, bytes: was })
    expect(await move('s3')).toEqual({ files: 0, bytes: 0, damaged: [] })
    await app.pass(3601)
    expect(await store.held()).toHaveLength(20)

    const { data } = (await school.owner.get('/audit?entityType=institute&limit=10')).body
    expect(
      data
        .filter(({ action }: { action: string }) => action === 'files.move')
        .map(({ metadata, channel }: { metadata: unknown; channel: string }) => ({ metadata, channel })),
    ).toEqual([
      { metadata: { filesGoTo: 's3' }, channel: 'cli' },
      { metadata: { filesGoTo: 'disk' }, channel: 'cli' },
    ])
  })

  test('new ones go to the new place at once, also of an upload that began before', async () => {
    const bytes = png('on its way')
    const asked = (await school.owner.post('/files/upload-url', announced(bytes))).body
    expect(isDirect(asked.uploadUrl)).toBe(true)
    await move('disk')
    expect((await put(app, asked.uploadUrl, bytes, 'image/png')).status).toBe(200)
    const { storageKey } = asked
    const done = await school.owner.post('/files/complete', { ...announced(bytes), storageKey, sha256: sha256(bytes) })
    expect(done.status).toBe(201)
    expect(await read(done.body.id)).toEqual({ isDirect: false, bytes })
    const { body } = await uploaded(app, school.owner, { bytes: png('new') })
    expect((await read(body.id)).isDirect).toBe(false)
    await app.pass(7200)
    expect(await store.held()).toEqual([])
    expect(await stored(app)).toHaveLength(2)
  })

  test('where it was interrupted, it goes on, and what it had copied for nothing is removed', async () => {
    const kept = await fill(20)
    const failing = beforeCopies(async (_, count) => {
      if (count > 18) throw new Error('killed')
    })
    await expect(move('disk', failing)).rejects.toThrow('killed')
    expect(await move('disk')).toMatchObject({ files: 4, damaged: [] })
    for (const [id, was] of kept) expect(await read(id)).toEqual({ isDirect: false, bytes: was })
    await app.pass(3601)
    expect(await stored(app)).toHaveLength(20)
    expect(await store.held()).toEqual([])
  })

  test('a file that is deleted or replaced meanwhile stays deleted or replaced', async () => {
    const [gone = '', replaced = ''] = (await fill(2)).keys()
    const changed = png('as it was replaced')
    const changing = beforeCopies(async (_, count) => {
      if (count > 1) return
      await school.owner.delete(`/files/${gone}`)
      expect((await uploaded(app, school.owner, { bytes: changed, fileId: replaced })).status).toBe(201)
    })
    expect((await move('disk', changing)).damaged).toEqual([])
    expect((await school.owner.get(`/files/${gone}`)).status).toBe(404)
    expect((await read(replaced)).bytes).toEqual(changed)
    await move('disk')
    expect(await read(replaced)).toEqual({ isDirect: false, bytes: changed })
    await app.pass(3601)
    expect(await store.held()).toEqual([])
    expect(await stored(app)).toHaveLength(1)
  })

  test('one that is damaged or missing is named and stays; the others move', async () => {
    await move('disk')
    const [damaged = '', missing = '', good = ''] = (await fill(3)).keys()
    const keyOf = async (id: string) => {
      const row = app.app.database.read.selectFrom('file').select('object_name').where('id', '=', id)
      return `objects/${school.tenant.id}/${(await row.executeTakeFirstOrThrow()).object_name}` as const
    }
    await files.put(await keyOf(damaged), Readable.from([Buffer.alloc(png('file 0').length)]))
    await files.remove(await keyOf(missing))
    expect(await move('s3')).toMatchObject({
      files: 1,
      damaged: [`${damaged} (picture.png)`, `${missing} (picture.png)`].toSorted(),
    })
    expect((await read(good)).isDirect).toBe(true)
    expect((await read(damaged)).isDirect).toBe(false)
    await app.pass(3601)
    expect(await store.held()).toHaveLength(1)
  })

  test('a bucket that refuses ends it with a reason; what was moved stays moved', async () => {
    await move('disk')
    const kept = await fill(17)
    let puts = 0
    store.fault = ({ method }) => {
      if (method !== 'PUT') return undefined
      puts += 1
      return puts > 16 ? { status: 403, code: 'AccessDenied' } : undefined
    }
    await expect(move('s3')).rejects.toThrow(/AccessDenied/)
    store.fault = () => undefined
    const places = await Promise.all([...kept.keys()].map(async (id) => (await read(id)).isDirect))
    expect(places.filter(Boolean)).toHaveLength(16)
    expect(await move('s3')).toMatchObject({ files: 1 })
    for (const [id, was] of kept) expect(await read(id)).toEqual({ isDirect: true, bytes: was })
  })

  test('two moves at once do not harm each other', async () => {
    const kept = await fill(20)
    const [one, other] = await Promise.all([move('disk'), move('disk')])
    expect(one.files + other.files).toBe(20)
    expect([...one.damaged, ...other.damaged]).toEqual([])
    const turned = beforeCopies(async (_, count) => {
      if (count === 1) await move('disk')
    })
    await expect(move('s3', turned)).rejects.toThrow('Another command moves these files elsewhere: this one ends.')
    await move('disk')
    for (const [id, was] of kept) expect(await read(id)).toEqual({ isDirect: false, bytes: was })
    await app.pass(3601)
    expect(await stored(app)).toHaveLength(20)
    expect(await store.held()).toEqual([])
  })
})
