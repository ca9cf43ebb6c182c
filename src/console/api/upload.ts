import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import { answer, api, type Schemas } from './client.ts'
import { ownAddress } from './own-address.ts'
import { Problem, problemOf } from './problem.ts'

type FileType = Schemas['UploadRequest']['mimeType']

const PICTURES: readonly FileType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** For the dialog in which one chooses a file. */
export const PICTURE_TYPES: readonly string[] = PICTURES

const isPicture = (type: string): type is FileType => PICTURES.includes(type as FileType)

/** Why a file cannot be taken as a picture; undefined: it can. */
export const pictureFault = ({ type, size }: File, mostBytes: number): 'type' | 'size' | undefined => {
  if (!isPicture(type)) return 'type'
  return size > mostBytes ? 'size' : undefined
}

/**
 * Sends a picture to the server. @returns the id of its file @throws Problem
 * @param file one without a fault
 */
export const uploadPicture = async (file: File): Promise<string> => {
  const mimeType = file.type as FileType
  const about = { kind: 'attachment' as const, originalName: file.name || 'picture', mimeType, sizeBytes: file.size }
  const { storageKey, uploadUrl } = await answer(api.POST('/files/upload-url', { body: about }))
  const sent = await fetch(ownAddress(uploadUrl), {
    method: 'PUT',
    headers: { 'Content-Type': mimeType },
    body: file,
  }).catch(() => {
    throw new Problem(0)
  })
  if (!sent.ok) throw await problemOf(sent)
  // Not crypto.subtle, which a plain http address of the local network lacks.
  const hash = bytesToHex(sha256(new Uint8Array(await file.arrayBuffer())))
  const { id } = await answer(api.POST('/files/complete', { body: { ...about, storageKey, sha256: hash } }))
  return id
}
