import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import type { TestApp } from './app.ts'
import type { Client } from './client.ts'

export type Entries = ReadonlyMap<string, Buffer>

/**
 * Reads a ZIP archive, with another library than the one that wrote it.
 * @param only the name of the one entry to read
 * @returns the bytes of each entry, in order
 */
export const unzip = async (archive: Buffer, only?: string): Promise<Entries> => {
  const zip = await fromBufferPromise(archive)
  const entries = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    if (only !== undefined && entry.fileName !== only) continue
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return entries
}

/** Downloads from a signed address, whose host is not the test server's. */
export const download = (
  { url }: TestApp,
  address: string,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const { pathname, search } = new URL(address)
  return fetch(url + pathname + search, { headers })
}

/** Makes a new export, and reads its archive. */
export const exportOf = async (app: TestApp, owner: Client): Promise<Entries> => {
  await owner.post('/export', { fresh: true })
  await app.drain()
  const { body } = await owner.post('/export')
  if (body.status !== 'done') throw new Error(`the export ended otherwise: ${JSON.stringify(body)}`)
  return unzip(Buffer.from(await (await download(app, body.downloadUrl)).arrayBuffer()))
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
export const jsonIn = (entries: Entries, name: string): any => {
  const bytes = entries.get(name)
  if (!bytes) throw new Error(`there is no ${name} in the archive`)
  return JSON.parse(bytes.toString())
}

/** Reads CSV as RFC 4180 describes it; a cell without quotes and text is null. */
export const readCsv = (bytes: Buffer | undefined): (string | null)[][] => {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  if (!text.startsWith('\uFEFF') || !text.endsWith('\r\n')) throw new Error('no byte order mark, or no line end')
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  cell.lastIndex = 1
  const rows: (string | null)[][] = [[]]
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [, quoted, plain, end] = cell.exec(text) ?? []
    if (end === undefined) throw new Error(`this is no CSV: ${text.slice(at, at + 40)}`)
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain || null))
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}
