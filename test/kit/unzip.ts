import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** Reads a ZIP archive with another program's reader. @returns the bytes of each entry, in the order of the archive */
export const unzip = async (archive: Buffer): Promise<Map<string, Buffer>> => {
  const zip = await fromBufferPromise(archive)
  const entries = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return entries
}

/** Downloads from a signed address. */
export const fetchArchive = async ({ url }: { url: string }, address: string): Promise<Buffer> => {
  const { pathname, search } = new URL(address)
  return Buffer.from(await (await fetch(url + pathname + search)).arrayBuffer())
}
