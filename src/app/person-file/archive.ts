import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ByteRange, Streamed } from '#kernel/values/media.ts'
import type { FileStore, StoredKey } from '#ports/files/port.ts'

/** What goes into the archive beside the texts: a stored file of this many bytes. */
export interface StoredEntry {
  path: string
  key: StoredKey
  size: number
}

interface Contents {
  texts: Readonly<Record<string, string>>
  stored: readonly StoredEntry[]
  now: string
}

/** The archive with its size. Nothing in it is compressed, so that the size is known before a byte is read. */
const begin = async (store: FileStore, { texts, stored, now }: Contents): Promise<{ zip: ZipFile; size: number }> => {
  const zip = new ZipFile()
  const options = { mtime: new Date(now), mode: 0o100600, compress: false }
  for (const [path, text] of Object.entries(texts)) zip.addBuffer(Buffer.from(text), path, options)
  for (const { path, key, size } of stored) {
    zip.addReadStreamLazy(path, { ...options, size }, (give) => {
      store.open(key).then(
        (stream) => give(null, stream),
        (error: unknown) => give(error, Readable.from([])),
      )
    })
  }
  // The types do not know that it is called with the size.
  const size = await new Promise<number>((resolve) =>
    zip.end({ forceZip64Format: false, comment: '' }, resolve as () => void),
  )
  return { zip, size }
}

const bytesOf = async function* (zip: ZipFile, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let at = 0
  const stream = zip.outputStream as Readable
  zip.on('error', (error: Error) => stream.destroy(error))
  for await (const part of stream) {
    const bytes = part as Buffer
    const wanted = bytes.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
    at += bytes.length
    if (wanted.length > 0) yield wanted
    if (at > end) return
  }
}

/** A ZIP that is written while it is sent: of its files no more than a piece is in memory. */
export const archiveOf = async (store: FileStore, contents: Contents): Promise<Streamed> => {
  const { size } = await begin(store, contents)
  return {
    size,
    open: async (range = { start: 0, end: size - 1 }) => bytesOf((await begin(store, contents)).zip, range),
  }
}
