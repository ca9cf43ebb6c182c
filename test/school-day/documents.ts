import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from './caller.ts'
import { each, type Progress } from './day.ts'
import { same, type Find, type Row } from './findings.ts'

const DOCUMENTS = 120
const GIVE_UP_MILLIS = 120_000

/** A document of a student, of some kilobytes, and no two alike. */
const bytesOf = (index: number): Buffer =>
  Buffer.from(`%PDF-1.4\n${`Certificate ${index} `.repeat(200 + index * 20)}\n%%EOF`)

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Sends a request to an address of the storage again until it is answered well. */
const insist = async (caller: Caller, url: string, init: RequestInit): Promise<Response> => {
  const begun = performance.now()
  for (;;) {
    const response = await fetch(url, init).catch(() => undefined)
    if (response?.ok) {
      caller.waited(begun)
      return response
    }
    await response?.arrayBuffer().catch(() => {})
    if (response && response.status < 500) throw new Error(`${init.method ?? 'GET'} of a file: ${response.status}`)
    if (performance.now() - begun > GIVE_UP_MILLIS) throw new Error('the storage does not answer')
    await pause(200)
  }
}

/** The office adds a document to students. @returns them */
export const addDocuments = (caller: Caller, students: readonly Row[], progress: Progress): Promise<Row[]> =>
  each('documents', DOCUMENTS, progress, async (index) => {
    const bytes = bytesOf(index)
    const said = {
      kind: 'document',
      originalName: `Certificate ${index}.pdf`,
      mimeType: 'application/pdf',
      sizeBytes: bytes.length,
    }
    const { uploadUrl, storageKey } = await caller.send('POST', '/files/upload-url', said, `document-${index}`)
    await insist(caller, uploadUrl, { method: 'PUT', body: bytes, headers: { 'content-type': said.mimeType } })
    const entity = { entityType: 'student', entityId: students[index].id }
    const completion = { ...said, storageKey, sha256: hashOf(bytes), ...entity }
    return caller.send('POST', '/files/complete', completion, `document-complete-${index}`)
  })

/** Each document is there once, and its bytes are those that were sent. */
export const checkDocuments = async (caller: Caller, documents: readonly Row[], find: Find): Promise<void> => {
  const [attached, damaged]: [string[], string[]] = [[], []]
  for (const [index, { id, entityId }] of documents.entries()) {
    const files = await caller.all(`/files/of/student/${entityId}`)
    attached.push(...files.map((file: Row) => file.id))
    const { downloadUrl } = await caller.get(`/files/${id}`)
    const bytes = new Uint8Array(await (await insist(caller, downloadUrl, {})).arrayBuffer())
    if (hashOf(bytes) !== hashOf(bytesOf(index))) damaged.push(id)
  }
  const ids = documents.map(({ id }): string => id)
  find('every document is attached once', same(attached, ids), `${attached.length} documents`)
  find('every document has the bytes that were sent', damaged.length === 0, `${damaged.length} damaged`)
}
