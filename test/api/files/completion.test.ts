import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import type { ByteRange } from '#kernel/values/media.ts'
import type { FileStore } from '#ports/files/port.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { announced, png, sha256, stored, upload, uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { openXml, withEntries, ZIP_TYPES, zipWithoutSizes } from '#kit/open-xml.ts'

let app: TestApp
let school: TestInstitute
/** Runs before the storage copies an upload to its object. */
let beforeCopy: () => Promise<unknown> = async () => {}
/** What was read of objects since the test began. */
let reads: { bytes: number; parts: number; atOnce: number; mostAtOnce: number }

const watched = (store: FileStore): FileStore => ({
  home: store.home,
  address: (...given) => store.address(...given),
  close: () => store.close(),
  put: (...given) => store.put(...given),
  copy: async (...given) => {
    await beforeCopy()
    return store.copy(...given)
  },
  open: async (key: Parameters<FileStore['open']>[0], range?: ByteRange) => {
    const stream = await store.open(key, range)
    reads.parts += 1
    reads.atOnce += 1
    reads.mostAtOnce = Math.max(reads.mostAtOnce, reads.atOnce)
    const { push } = stream
    stream.push = (chunk: Buffer | null, ...rest) => {
      reads.bytes += chunk?.length ?? 0
      return push.call(stream, chunk, ...rest)
    }
    stream.once('close', () => (reads.atOnce -= 1))
    return stream
  },
  size: (...given) => store.size(...given),
  remove: (...given) => store.remove(...given),
  list: (...given) => store.list(...given),
  sweepUnfinished: (...given) => store.sweepUnfinished(...given),
  discardUnfinished: (...given) => store.discardUnfinished(...given),
})

beforeAll(async () => {
  app = await startApp({ files: watched, config: { ...NO_LIMITS, accessTokenSeconds: 7 * 86_400 } })
  school = await makeInstitute(app)
})
afterAll(() => app.close())
beforeEach(() => {
  reads = { bytes: 0, parts: 0, atOnce: 0, mostAtOnce: 0 }
})

const GONE = { status: 404, body: { error: { code: 'NOT_FOUND' } } }
const WRONG_TYPE = {
  status: 422,
  body: {
    error: { details: { issues: [{ path: ['mimeType'], message: expect.stringContaining('not of this type') }] } },
  },
}

describe('a completion', () => {
  const completionOf = (bytes: Buffer, more: Record<string, string> = {}) =>
    upload(app, school.owner, bytes, { originalName: 'a', ...more })

  test.each<[what: string, type: string, bytes: Buffer]>([
    ['HTML called an image', 'image/png', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG called PNG', 'image/png', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PNG called JPEG', 'image/jpeg', png()],
    ['a program called PDF', 'application/pdf', Buffer.from('MZ\u0090\0\u0003\0\0\0', 'latin1')],
    [
      'text called a document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      Buffer.from('hello'),
    ],
    ['a PNG called CSV', 'text/csv', png()],
    ['a NUL in CSV', 'text/csv', Buffer.from('one\0two')],
    ['the beginning of a PNG alone', 'image/png', png().subarray(0, 4)],
  ])('of %s is 422, and makes no file', async (_, mimeType, bytes) => {
    const completion = await completionOf(bytes, { mimeType })
    const before = (await stored(app)).filter((key) => key.startsWith('objects/'))
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(WRONG_TYPE)
    expect((await stored(app)).filter((key) => key.startsWith('objects/'))).toEqual(before)
  })

  test.each([
    'text/html',
    'text/plain',
    'image/svg+xml',
    'image/avif',
    'application/zip',
    'video/mp4',
    'application/x-msdownload',
    'application/octet-stream',
    'IMAGE/PNG',
  ])('of the type %s cannot begin', async (mimeType) => {
    const reply = await school.owner.post('/files/upload-url', { ...announced(png()), mimeType })
    expect(reply).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ['mimeType'] }] } } } })
  })

  test('of a key that no upload has is 404, whatever its last part is', async () => {
    const completion = await completionOf(png('none'))
    for (const last of ['x', 'not-an-id', newId()]) {
      const storageKey = `${school.tenant.id}/${last}`
      expect(await school.owner.post('/files/complete', { ...completion, storageKey })).toMatchObject(GONE)
    }
  })

  test('is tried at most ten times; then the bytes must be sent again', async () => {
    const completion = await completionOf(png('tries'))
    const wrong = { ...completion, sha256: sha256(Buffer.from('other')) }
    const replies = await Promise.all(Array.from({ length: 14 }, () => school.owner.post('/files/complete', wrong)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([404, 404, 404, 404, ...Array(10).fill(422)])
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(GONE)
  })

  test('of text accepts any bytes but NUL, whatever they begin with', async () => {
    for (const bytes of [Buffer.from('BM,height\n1,2'), Buffer.from('שם;ציון\nנועה;90'), Buffer.from([0xc7, 0xe1])]) {
      const reply = await uploaded(app, school.owner, { bytes, mimeType: 'text/csv', originalName: 'list.csv' })
      expect(reply.status).toBe(201)
    }
  })

  test('fails on a server that was suspended in the middle: nothing is made, and it can be sent again', async () => {
    const completion = await completionOf(png('still'))
    beforeCopy = async () => {
      beforeCopy = async () => {}
      app.clock.advance(1800)
    }
    const reply = await school.owner.post('/files/complete', completion)
    expect(reply).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } })
    expect(reply.body.error.message).toContain('cannot write to its storage')
    expect((await school.owner.post('/files/complete', completion)).status).toBe(201)
    // The job removes the object that the completion had made.
    await app.pass(3600)
    const { files } = await app.app.database.read
      .selectFrom('file')
      .select((eb) => eb.fn.countAll<number>().as('files'))
      .executeTakeFirstOrThrow()
    expect((await stored(app)).filter((key) => key.startsWith('objects/'))).toHaveLength(files)
  })

  test('that repeats an API request with its key returns the same reply', async () => {
    const completion = await completionOf(png('repeat'))
    const headers = { 'idempotency-key': newId() }
    const [first, second] = [
      await school.owner.send('POST', '/files/complete', { body: completion, headers }),
      await school.owner.send('POST', '/files/complete', { body: completion, headers }),
    ]
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
  })
})

describe('an Office document', () => {
  const { docx, xlsx } = ZIP_TYPES
  const reply = (bytes: Buffer, mimeType: string) => uploaded(app, school.owner, { bytes, mimeType })

  test.each([
    ['a text', docx, {}],
    ['a workbook', xlsx, {}],
    ['a workbook whose types stand last', xlsx, { typesLast: true }],
    ['a text that is not compressed', docx, { compress: false }],
    ['a text of 300 parts', docx, { parts: 300, typesLast: true }],
  ])('is taken as what it is: %s', async (_, type, options) => {
    expect((await reply(await openXml(type, options), type)).status).toBe(201)
  })

  test.each<[what: string, type: string, bytes: () => Promise<Buffer>]>([
    ['another one', docx, () => openXml(xlsx)],
    ['an archive without types', docx, () => openXml(undefined)],
    ['one whose types unpack to megabytes', docx, () => openXml(docx, { typesBytes: 4 * 1024 * 1024 })],
    ['one that is cut off', docx, async () => (await openXml(docx)).subarray(0, -30)],
    ['one without its directory', docx, async () => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(90)])],
    [
      'one whose directory lies beyond the end',
      docx,
      async () => {
        const bytes = await openXml(docx)
        bytes.writeUInt32LE(0xfffffff0, bytes.length - 6)
        return bytes
      },
    ],
    ['one without sizes', docx, async () => zipWithoutSizes(1023)],
  ])('is refused for %s', async (_, type, bytes) => {
    expect(await reply(await bytes(), type)).toMatchObject(WRONG_TYPE)
  })
})

describe('the look at bytes is bounded:', () => {
  const completing = async (bytes: Buffer, mimeType: string, kind = 'document') => {
    const completion = await upload(app, school.owner, bytes, { mimeType, kind })
    return () => school.owner.post('/files/complete', completion)
  }
  const LARGEST_DIRECTORY = 1024 * 1024
  const SMALL = 128 * 1024

  test('of what does not begin as its type, nothing but the beginning is read', async () => {
    const complete = await completing(zipWithoutSizes(1023), 'image/png', 'avatar')
    const replies = await Promise.all(Array.from({ length: 10 }, complete))
    for (const reply of replies) expect(reply).toMatchObject(WRONG_TYPE)
    expect(reads).toMatchObject({ bytes: 10 * 12, parts: 10, mostAtOnce: 1 })
  })

  test('an archive is read once, and its end, however many entries it has', async () => {
    const bytes = zipWithoutSizes(1023)
    const complete = await completing(bytes, ZIP_TYPES.docx)
    expect(await complete()).toMatchObject(WRONG_TYPE)
    expect(reads.bytes).toBeLessThan(bytes.length + SMALL)
    expect(reads.parts).toBeLessThan(6)
  })

  test('no more than a mebibyte of a directory is read, and of the part that says the type', async () => {
    const bytes = await openXml(ZIP_TYPES.docx, { parts: 40, typesLast: true, commentBytes: 60_000 })
    const complete = await completing(bytes, ZIP_TYPES.docx)
    expect(await complete()).toMatchObject(WRONG_TYPE)
    expect(reads.bytes).toBeLessThan(bytes.length + LARGEST_DIRECTORY + SMALL)
  })

  test('no more than 10,000 entries are looked at', async () => {
    const bytes = await openXml(ZIP_TYPES.docx)
    const completions = [9_000, 10_000].map((count) => completing(withEntries(bytes, count), ZIP_TYPES.docx))
    const replies = await Promise.all(completions.map(async (complete) => (await complete)()))
    expect(replies.map(({ status }) => status)).toEqual([201, 422])
  })

  test('a picture of very many chunks is read once', async () => {
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('teXt'), Buffer.alloc(4)])
    const head = png()
    const bytes = Buffer.concat([head.subarray(0, 33), ...Array<Buffer>(100_000).fill(chunk), head.subarray(33)])
    const complete = await completing(bytes, 'image/png')
    expect((await complete()).status).toBe(201)
    expect(reads).toMatchObject({ bytes: bytes.length + 12, parts: 2 })
  })

  test('an upload is looked at by one of several calls at a time; those after it find it completed', async () => {
    const complete = await completing(Buffer.concat([png(), Buffer.alloc(3 * 1024 * 1024)]), 'image/png')
    const replies = await Promise.all(Array.from({ length: 10 }, complete))
    expect(reads.mostAtOnce).toBe(1)
    const [made, ...more] = replies.filter(({ status }) => status === 201)
    expect(more).toEqual([])
    for (const refused of replies.filter((one) => one !== made)) {
      expect(refused).toMatchObject({ status: 409, body: { error: { details: { fileId: made?.body.id } } } })
    }
  })

  test('a call that waited while the bytes were removed says that the upload is completed', async () => {
    const complete = await completing(png('waits'), 'image/png')
    let first: ReturnType<typeof complete> | undefined
    beforeCopy = async () => {
      beforeCopy = async () => {}
      first = complete()
      // It waits for its turn when this one goes on.
      for (let turns = 0; turns < 50; turns += 1) await turn()
    }
    expect((await complete()).status).toBe(201)
    await app.drain()
    expect(await first).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  })
})

describe('an upload that is not completed', () => {
  test('is deleted with its bytes a day after it was requested', async () => {
    const completion = await upload(app, school.owner, png('late'))
    await app.pass(24 * 3600 - 1)
    await sweep()
    expect(await stored(app)).toContain(`uploads/${completion.storageKey}`)
    await app.pass(2)
    await sweep()
    expect(await stored(app)).not.toContain(`uploads/${completion.storageKey}`)
    expect(await school.owner.post('/files/complete', completion)).toMatchObject(GONE)
  })

  const sweep = async (): Promise<void> => {
    const job = { kind: 'files.sweep', lane: 'files.sweep', payload: {}, max_attempts: 5 }
    await app.app.database.write((db) =>
      db
        .insertInto('job')
        .values({
          ...job,
          id: newId(),
          tenant_id: null,
          run_at: app.clock.now(),
          lease_until: null,
          unique_key: null,
          last_error: null,
          created_at: app.clock.now(),
          finished_at: null,
        })
        .execute(),
    )
    await app.drain()
  }
})
