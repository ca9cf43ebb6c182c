import type { Selectable } from 'kysely'
import { keyOf, type StoragePlace, type StoredKey } from '#ports/files/port.ts'
import type { Tables } from '#kernel/contract/tables.ts'
import type { Download, Signer } from './addresses.ts'
import { attachedIn } from './attach.ts'
import { downloadName } from './media-types.ts'
import type { File } from './schemas.ts'

export type FileRow = Selectable<Tables['file']>

type Placed<K extends string> = { tenant_id: string; place: StoragePlace } & Record<K, string>

/** What the addresses of a file lead to. */
export const downloadOf = (
  row: Pick<FileRow, 'tenant_id' | 'object_name' | 'place' | 'original_name' | 'mime_type' | 'size_bytes' | 'sha256'>,
): Download => ({
  key: objectKey(row),
  name: downloadName(row.original_name, row.mime_type),
  type: row.mime_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
})

/** A file without the address of its bytes; the audit log uses it too. */
export const describeFile = (row: FileRow): Omit<File, 'downloadUrl' | 'downloadUrlExpiresAt'> => {
  const to = attachedIn(row)
  return {
    id: row.id,
    kind: row.kind,
    originalName: row.original_name,
    mimeType: row.mime_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    entityType: to ? ('type' in to ? to.type : to.label) : null,
    entityId: to?.id ?? null,
    createdAt: row.created_at,
  }
}

/** A file as the API returns it, with a signed address for its bytes. */
export const toFile = (row: FileRow, signer: Signer, now: string): File => {
  const { url, expiresAt } = signer.download(downloadOf(row), now)
  return { ...describeFile(row), downloadUrl: url, downloadUrlExpiresAt: expiresAt }
}

export const objectKey = ({ tenant_id: institute, object_name: id, place }: Placed<'object_name'>): StoredKey =>
  keyOf(place, 'objects', institute, id)
export const uploadKey = ({ tenant_id: institute, id, place }: Placed<'id'>): StoredKey =>
  keyOf(place, 'uploads', institute, id)

/** The key by which callers know an upload. */
export const storageKeyOf = (tenantId: string, uploadId: string): string => `${tenantId}/${uploadId}`

const KEY = /^([0-9a-f-]{36})\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** The upload's id; undefined for a key of another institute. */
export const uploadIdIn = (storageKey: string, tenantId: string): string | undefined => {
  const [, institute, id] = KEY.exec(storageKey) ?? []
  return institute === tenantId ? id : undefined
}
