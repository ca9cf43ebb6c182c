import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BackupBucket } from '#app/config/config.ts'

interface Held {
  /** What the store says of its size. Default: what it is. */
  size?: number
  /** When the second half of it comes. Default: at once. */
  rest?: Promise<void>
}

/** Starts a store that knows no more than one backup. It ends with the process. */
export const storeOfOne = async (
  name: string,
  bytes: Buffer,
  { size = bytes.length, rest = Promise.resolve() }: Held = {},
): Promise<BackupBucket> => {
  const found = `<Contents><Key>${name}.age</Key><Size>${size}</Size><LastModified>2026-09-01T00:31:00Z</LastModified></Contents>`
  const store = createServer(({ url = '' }, response) => {
    if (url.includes('list-type')) {
      response.end(`<ListBucketResult>${found}</ListBucketResult>`)
      return
    }
    const half = Math.ceil(bytes.length / 2)
    response.write(bytes.subarray(0, half))
    void rest.then(() => response.end(bytes.subarray(half)))
  })
  store.listen(0, '127.0.0.1').unref()
  await once(store, 'listening')
  const host = `127.0.0.1:${(store.address() as AddressInfo).port}`
  const s3 = {
    isPlain: true,
    host,
    bucket: 'al-amal',
    region: 'us-east-1',
    isVirtual: false,
    keyId: 'key',
    secret: 'of it',
  }
  return { s3, under: '' }
}
