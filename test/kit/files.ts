import { createHash } from 'node:crypto'
import { filesOf } from '#app/data-dir/files.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { TestApp } from './app.ts'
import type { Client, Reply } from './client.ts'

/** The smallest PNG image; different `more` gives different files. */
export const png = (more = ''): Buffer =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from(more),
  ])

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export interface Announced {
  kind: string
  originalName: string
  mimeType: string
  sizeBytes: number
}

/** The body of POST /files/upload-url: a PNG document, unless `more` says otherwise. */
export const announced = (bytes: Buffer, more: Partial<Announced> = {}): Announced => ({
  kind: 'document',
  originalName: 'picture.png',
  mimeType: 'image/png',
  sizeBytes: bytes.length,
  ...more,
})

/** Replaces the host of a signed address, which is not the test server's. */
export const local = (address: string): string => {
  const { pathname, search } = new URL(address)
  return `/${pathname}${search}`
}

/** Splits a signed address, for an example. */
export const partsOf = (address: string): { params: { institute: string; id: string }; query: string } => {
  const { pathname, search } = new URL(address)
  const [, , institute = '', id = ''] = pathname.split('/')
  return { params: { institute, id }, query: search }
}

/** Sends bytes to a signed address: the server's, or that of a bucket. */
export const put = async (app: TestApp, address: string, bytes: Buffer, type: string): Promise<{ status: number }> => {
  const headers = { 'content-type': type }
  return isDirect(address)
    ? fetch(address, { method: 'PUT', body: new Uint8Array(bytes), headers })
    : app.send('PUT', local(address), { raw: bytes, headers })
}

/** Whether an address is that of a bucket. */
export const isDirect = (address: string): boolean => new URL(address).searchParams.has('X-Amz-Signature')

/** Requests an upload address and sends the bytes to it. @returns the body for the completion */
export const upload = async (app: TestApp, client: Client, bytes: Buffer, more: Partial<Announced> = {}) => {
  const body = announced(bytes, more)
  const { body: asked, status } = await client.post('/files/upload-url', body)
  if (status !== 200) throw new Error(`no address to upload to: ${JSON.stringify(asked)}`)
  const { status: sent } = await put(app, asked.uploadUrl, bytes, body.mimeType)
  if (sent !== 200) throw new Error(`the upload was refused: ${sent}`)
  return { ...body, storageKey: asked.storageKey as string, sha256: sha256(bytes) }
}

/** Uploads a file and completes it. */
export const uploaded = async (
  app: TestApp,
  client: Client,
  {
    bytes = png(newId()),
    ...more
  }: Partial<Announced> & { bytes?: Buffer; entityType?: string; entityId?: string; fileId?: string } = {},
): Promise<Reply> => {
  const { entityType, entityId, fileId, ...said } = more
  const completion = await upload(app, client, bytes, said)
  return client.post('/files/complete', { ...completion, entityType, entityId, fileId })
}

/** The keys of everything in the storage, sorted. */
export const stored = async ({ dataDir }: Pick<TestApp, 'dataDir'>): Promise<string[]> => {
  const keys: string[] = []
  for (const area of ['uploads', 'objects'] as const) {
    for await (const { key } of filesOf({ dataDir }).list(area)) keys.push(key)
  }
  return keys.toSorted()
}
