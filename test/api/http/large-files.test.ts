import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { get, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChange, openRead } from '#kernel/contract/endpoint.ts'
import { newId } from '#kernel/basics/ids.ts'
import { content, upload } from '#kernel/values/media.ts'
import { Ok, ok } from '#kernel/values/schema.ts'
import { DiskFiles } from '#ports/files/disk.ts'
import type { FileStore, StoredKey } from '#ports/files/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { watchMemory } from '#kit/memory.ts'
import { volume } from '#kit/volume.ts'

/**
 * Files larger than the API accepts, through endpoints of the same kind: streaming needs no memory that grows with the
 * file.
 */

const MEGABYTE = 1024 * 1024
const SIZE = volume(320, 2048) * MEGABYTE
/** Streaming takes less, whatever the size; a file that is held in memory takes more. */
const MOST_MEMORY = 200 * MEGABYTE

let app: TestApp
let files: FileStore
/** On a disk, because files in memory would count as the process's memory. */
const root = mkdtempSync(path.join(tmpdir(), 'institute-large-'))
const key: StoredKey = `objects/${newId()}/${newId()}`
const common = { access: 'anyone', summary: 'Planted', path: '//planted' } as const

beforeAll(async () => {
  app = await startApp({
    chance: true,
    modules: [
      {
        name: 'planted',
        endpoints: [
          openChange({
            ...common,
            id: 'planted.send',
            method: 'PUT',
            body: upload({ types: 'any', maxBytes: SIZE }),
            reply: Ok,
            prepare: ({ body }) => files.put(key, body.stream, body.length),
            handle: async () => ok,
          }),
          openRead({
            ...common,
            id: 'planted.fetch',
            reply: content(['application/zip']),
            handle: async () => ({
              type: 'application/zip',
              body: { size: (await files.size(key)) ?? 0, open: (range) => files.open(key, range) },
            }),
          }),
        ],
      },
    ],
  })
  files = new DiskFiles(root)
})
afterAll(async () => {
  await app.close()
  rmSync(root, { recursive: true, force: true })
})

/** So many megabytes, each beginning with its number. */
const megabytes = function* (count: number) {
  for (let n = 0; n < count; n += 1) {
    const next = Buffer.alloc(MEGABYTE)
    next.writeUInt32BE(n)
    yield next
  }
}

const fetched = async (range?: string): Promise<IncomingMessage> => {
  const [response] = await once(get(`${app.url}/planted`, { headers: range ? { range } : {} }), 'response')
  return response as IncomingMessage
}

test(
  `${SIZE / MEGABYTE} MB go up and down, whole and in part, with constant memory`,
  { timeout: 180_000 },
  async () => {
    const memory = watchMemory()
    const sending = request(`${app.url}/planted`, { method: 'PUT', headers: { 'content-length': SIZE } })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    await pipeline(Readable.from(megabytes(SIZE / MEGABYTE)), sending)
    const [sent] = await answered
    expect([sent.statusCode, JSON.parse((await buffer(sent)).toString())]).toEqual([200, ok])
    expect(await files.size(key)).toBe(SIZE)

    let bytes = 0
    for await (const piece of await fetched()) bytes += (piece as Buffer).length
    expect(bytes).toBe(SIZE)
    const part = await fetched(`bytes=${SIZE - MEGABYTE}-`)
    const last = await buffer(part)
    expect([part.statusCode, part.headers['content-range'], last.length, last.readUInt32BE()]).toEqual([
      206,
      `bytes ${SIZE - MEGABYTE}-${SIZE - 1}/${SIZE}`,
      MEGABYTE,
      SIZE / MEGABYTE - 1,
    ])
    expect(memory.end()).toBeLessThan(MOST_MEMORY)
  },
)

test('a client that disconnects in the middle of a large file leaves the storage as it was', async () => {
  const held = (): number[] =>
    readdirSync(path.join(root, '.unfinished')).map((name) => statSync(path.join(root, '.unfinished', name)).size)
  const sending = request(`${app.url}/planted`, { method: 'PUT', headers: { 'content-length': SIZE } })
  sending.on('error', () => {})
  for (const piece of megabytes(20)) if (!sending.write(piece)) await once(sending, 'drain')
  await expect.poll(() => held().some((size) => size > 0)).toBe(true)
  sending.destroy()
  await expect.poll(held).toEqual([])
  expect(await files.size(key)).toBe(SIZE)
})

test('the end of a file of 5 GB is sent alone', async () => {
  const size = 5 * 1024 * MEGABYTE
  const [stored] = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(key.slice(-36)),
  )
  // The bytes that it adds take no room.
  truncateSync(path.join(root, stored as string), size)
  const part = await fetched(`bytes=${size - 5}-`)
  expect([part.statusCode, part.headers['content-range'], (await buffer(part)).length]).toEqual([
    206,
    `bytes ${size - 5}-${size - 1}/${size}`,
    5,
  ])
})
