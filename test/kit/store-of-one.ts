import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BackupBucket } from '#app/config/config.ts'

/** Starts a store that knows no more than one backup, of the size that it says. It ends with the process. */
export const storeOfOne = async (name: string, bytes: string, size = bytes.length): Promise<BackupBucket> => {
  const found = `<Contents><Key>${name}.age</Key><Size>${size}</Size><LastModified>2026-09-01T00:31:00Z</LastModified></Contents>`
  const store = createServer(({ url = '' }, response) => {
    response.end(url.includes('list-type') ? `<ListBucketResult>${found}</ListBucketResult>` : bytes)
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
