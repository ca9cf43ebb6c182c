import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, id, integer, orNull, text, ts, uuid } from '#kernel/values/schema.ts'
import { TAKEN_TYPES } from './media-types.ts'
import { FILE_KINDS, OWNERS, type OwnerTable } from './tables.ts'

const words = {
  kind: 'What it is for.',
  originalName: 'The name under which it is downloaded.',
  mimeType: 'The media type.',
  sizeBytes: 'Bytes, at most 20 MiB.',
  storageKey: 'Names the upload when it is completed.',
  uploadUrl: 'Where the bytes are sent with PUT.',
  sha256: 'The SHA-256 of the bytes, in 64 hexadecimal digits.',
  entityType: 'To what kind of record it is attached, or a word of the caller’s own; null: neither.',
  entityId: 'The record to which it is attached, or what the caller said beside such a word; null: nothing.',
  downloadUrl: 'Where the bytes are, without any other credential.',
  downloadUrlExpiresAt: 'Until when that address is good.',
  fileId: 'A file whose bytes are replaced; without it a new one is made.',
}

/** 20 MiB: the largest file. */
export const MAX_BYTES = 20 * 1024 * 1024

const kind = v.picklist(FILE_KINDS)
const declared = {
  kind,
  originalName: text(255),
  mimeType: v.picklist(TAKEN_TYPES, `Must be one of ${TAKEN_TYPES.join(', ')}.`),
  sizeBytes: integer(1, MAX_BYTES),
}

export const UploadRequest = named('UploadRequest', v.object(declared), words)
export type UploadRequest = v.InferOutput<typeof UploadRequest>

export const UploadAddress = named(
  'UploadAddress',
  v.object({ storageKey: v.string(), uploadUrl: v.string(), expiresAt: ts }),
  { ...words, expiresAt: 'Until when the address takes the bytes.' },
)
export type UploadAddress = v.InferOutput<typeof UploadAddress>

/** The kind of a record that files are attached to. */
export const OwnerType = v.picklist(Object.keys(OWNERS) as OwnerTable[])

const ENTITY_TYPES = [...(Object.keys(OWNERS) as OwnerTable[]), 'user'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

export const isEntityType = (word: string): word is EntityType => (ENTITY_TYPES as readonly string[]).includes(word)

export const Completion = named(
  'UploadCompletion',
  v.object({
    fileId: v.optional(uuid),
    storageKey: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(1024, 'Must have at most 1024 characters.'),
    ),
    sha256: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^[0-9a-f]{64}$/i, 'Must be a SHA-256 in 64 hexadecimal digits.'),
      v.toLowerCase(),
    ),
    ...declared,
    entityType: v.optional(text(100)),
    entityId: v.optional(uuid),
  }),
  words,
)
export type Completion = v.InferOutput<typeof Completion>

export const File = named(
  'File',
  v.object({
    id,
    kind,
    originalName: v.string(),
    mimeType: v.string(),
    sizeBytes: count,
    sha256: v.string(),
    entityType: orNull(v.string()),
    entityId: orNull(id),
    createdAt: ts,
    downloadUrl: v.string(),
    downloadUrlExpiresAt: ts,
  }),
  words,
)
export type File = v.InferOutput<typeof File>
