import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import { answer, api, type Schemas } from './client.ts'
import { Intents, isAnswered, stepOf } from './intents/intent.ts'
import { ownAddress } from './own-address.ts'
import { sendFile } from './send-file.ts'

type FileType = Schemas['UploadRequest']['mimeType']

const PICTURES: readonly FileType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** For the dialog in which one chooses a file. */
export const PICTURE_TYPES: readonly string[] = PICTURES

const isPicture = (type: string): type is FileType => PICTURES.includes(type as FileType)

type Fault = 'type' | 'size'

/** Why a file cannot be taken as a picture; undefined: it can. */
export const pictureFault = ({ type, size }: File, mostBytes: number): Fault | undefined => {
  if (!isPicture(type)) return 'type'
  return size > mostBytes ? 'size' : undefined
}

export interface Upload {
  file: File
  type: FileType
  kind: Schemas['UploadRequest']['kind']
  /** The record that it is attached to. */
  of?: { entityType: string; entityId: string }
  /** Hears how much of it is sent, from 0 to 1. */
  onSent?: (share: number) => void
}

const uploads = new Intents()

/**
 * Sends a file without a fault to the server. Where an answer is lost on the way, sending the same again makes one file.
 * @returns its id @throws Problem
 */
export const uploadFile = (upload: Upload): Promise<string> => {
  const { file, type: mimeType, kind, of } = upload
  const about = { kind, originalName: file.name || 'file', mimeType, sizeBytes: file.size }
  // Several files may be on their way at a time.
  const name = [about.originalName, file.size, file.lastModified, of?.entityId].join('/')
  return uploads.of(name).once({ ...about, ...of }, async (header) => {
    const { storageKey, uploadUrl } = await answer(api.POST('/files/upload-url', { params: { header }, body: about }))
    const refusal: unknown = await sendFile(file, {
      address: ownAddress(uploadUrl),
      headers: { 'Content-Type': mimeType },
      onSent: upload.onSent,
    }).catch((error: unknown) => {
      if (!isAnswered(error)) throw error
      return error
    })
    // Not crypto.subtle, which a plain http address of the local network lacks.
    const hash = bytesToHex(sha256(new Uint8Array(await file.arrayBuffer())))
    const body = { ...about, ...of, storageKey, sha256: hash }
    const params = { header: stepOf(header, 'complete') }
    try {
      const { id } = await answer(api.POST('/files/complete', { params, body }))
      return id
    } catch (error) {
      // Bytes are refused too where they have become a file whose answer was lost: then there was one just now.
      throw isAnswered(error) ? (refusal ?? error) : error
    }
  })
}

/** @returns the id of its file @throws Problem @param file one without a fault */
export const uploadPicture = (file: File, kind: 'attachment' | 'avatar'): Promise<string> =>
  uploadFile({ file, type: file.type as FileType, kind })
