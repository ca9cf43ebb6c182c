import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import {
  ApiError,
  failure,
  invalid,
  NotFound,
  PaymentRequired,
  SubscriptionSuspended,
  TenantSuspended,
} from '#kernel/values/errors.ts'
import { content, upload } from '#kernel/values/media.ts'
import { explained } from '#kernel/values/named.ts'
import { integer, Ok, ok } from '#kernel/values/schema.ts'
import type { OutsideDb, ScopedDb } from '#kernel/contract/tables.ts'
import { checkNotArchived, checkNotLocked } from '#kernel/who/tenant-state.ts'
import { CommitWithError, type SystemTx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { WrongSize } from '#ports/files/port.ts'
import { AddressRefused, type Download } from './addresses.ts'
import type { Files } from './deps.ts'
import { arrivalCutoff, discard } from './discard.ts'
import { TAKEN_TYPES } from './media-types.ts'
import { downloadOf, uploadKey } from './record.ts'
import { MAX_BYTES } from './schemas.ts'

const PATH = '//files/{institute}/{id}'

const expires = integer(0)
const signature = v.pipe(v.string(), v.maxLength(100))

/** The query of a signed address. Only the server makes one. */
const queryWords = {
  expires: 'Until when the address is good, in milliseconds since 1970.',
  size: 'How many bytes are sent.',
  type: 'The media type of what is sent.',
  signature: 'By which the server knows the address as its own.',
}

/** The media type of exports. */
const ARCHIVE_TYPE = 'application/zip'

/** Even if a browser takes the file for a page, it runs nothing of it. */
const SANDBOXED = { 'Content-Security-Policy': "default-src 'none'; sandbox" }

export const Superseded = failure(
  'CONFLICT',
  'superseded',
  'The upload was completed or ended while these bytes came; they were thrown away.',
)

interface UploadRef {
  institute: string
  id: string
}

/** The key of an upload whose bytes come to this server. */
const here = ({ institute, id }: UploadRef) => uploadKey({ tenant_id: institute, id, place: 'disk' })

const isPending = async (whole: ScopedDb, id: string): Promise<boolean> =>
  (await whole.selectFrom('file_upload').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** @throws NotFound */
const tenantOf = async (db: OutsideDb, { institute }: UploadRef): Promise<TenantInfo> => {
  const tenant = await findTenant(db, institute)
  if (!tenant) throw NotFound()
  return tenant
}

/**
 * Refuses bytes for a locked institute, because addresses that were given out before the lock are still valid.
 * @throws TENANT_SUSPENDED, SUBSCRIPTION_SUSPENDED, PAYMENT_REQUIRED
 */
const checkTakesBytes = (tenant: TenantInfo, now: string): void => {
  checkNotArchived(tenant)
  checkNotLocked(tenant, { isChange: true, now })
}

/** Records that the bytes have arrived. After a lock, the upload ends instead. @throws NotFound */
const noteReceived = async (tx: SystemTx, { institute, id }: UploadRef): Promise<CommitWithError | undefined> => {
  const tenant = await tenantOf(tx.db, { institute, id })
  const inside = tx.inTenant(tenant)
  try {
    checkTakesBytes(tenant, tx.now)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Its bytes have replaced those that came before, if any did.
    await inside.whole.deleteFrom('file_upload').where('id', '=', id).execute()
    discard(inside, here({ institute, id }))
    return new CommitWithError(error)
  }
  const { numUpdatedRows } = await inside.whole
    .updateTable('file_upload')
    .set({ received_at: tx.now })
    .where('id', '=', id)
    .where('expires_at', '>', arrivalCutoff(tx.now))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) {
    inside.audit({ entityType: 'file_upload', entityId: id })
    return undefined
  }
  // The upload was completed or cancelled while the bytes came, or they came too late: discard them.
  discard(inside, here({ institute, id }))
  return new CommitWithError(Superseded())
}

const findFile = async (whole: ScopedDb, { id }: UploadRef): Promise<Download | undefined> => {
  const row = await whole
    .selectFrom('file')
    .select(['tenant_id', 'object_name', 'place', 'original_name', 'mime_type', 'size_bytes', 'sha256'])
    .where('object_name', '=', id)
    .executeTakeFirst()
  return row && downloadOf(row)
}

/** The signed addresses, which take and give bytes. They check the signature and no other credential. */
export const transferEndpoints = ({
  addresses,
  files,
  alsoOffered,
}: Pick<Files, 'addresses' | 'files' | 'alsoOffered'>): readonly Endpoint[] => [
  openChange({
    id: 'files.send',
    method: 'PUT',
    path: PATH,
    summary: 'Send the bytes of an upload',
    description:
      'The address is made by POST /files/upload-url, with its query. 403 FORBIDDEN with details.reason `signature` for another one, and `expired` once its time is over; 422 for a body of another size or type; 404 for an upload that is completed or ended; 402 or 403 once the institute is locked, also while the bytes come. What is refused leaves nothing behind.',
    access: 'anyone',
    query: explained(
      v.object({ expires, size: integer(1, MAX_BYTES), type: v.pipe(v.string(), v.maxLength(200)), signature }),
      queryWords,
    ),
    body: upload({ types: TAKEN_TYPES, maxBytes: MAX_BYTES }),
    reply: Ok,
    fails: [AddressRefused, TenantSuspended, SubscriptionSuspended, PaymentRequired, Superseded],
    prepare: async ({ params, query, body, db, inTenant, now }) => {
      const { signature: tag, ...signed } = query
      addresses.check({ method: 'PUT', ...params, ...signed }, tag, now)
      checkTakesBytes(await tenantOf(db, params), now)
      if (body.type !== signed.type) throw invalid(['Content-Type'], `Must be ${signed.type}.`)
      if (body.length !== signed.size) throw invalid(['Content-Length'], `Must be ${signed.size}.`)
      if (!(await isPending(inTenant({ id: params.institute }), params.id))) throw NotFound()
      try {
        await files.put(here(params), body.stream, signed.size)
      } catch (error) {
        if (error instanceof WrongSize) throw invalid(['Content-Length'], 'The body had another size.')
        throw error
      }
    },
    handle: async ({ tx, params }) => (await noteReceived(tx, params)) ?? ok,
  }),
  openRead({
    id: 'files.fetch',
    path: PATH,
    summary: 'Download a file',
    description:
      'The address is made by GET /files/{id} or, for the archive of an export, by POST /export, with its query. 403 FORBIDDEN with details.reason `signature` for another one, and `expired` once its time is over; 404 once the file is deleted or replaced, or the export removed. Browsers save the file and run nothing of it. A part can be asked for (Range).',
    access: 'anyone',
    query: explained(v.object({ expires, signature }), queryWords),
    reply: content([...TAKEN_TYPES, ARCHIVE_TYPE]),
    fails: [AddressRefused],
    handle: async ({ params, query, inTenant, now }) => {
      addresses.check({ method: 'GET', ...params, expires: query.expires }, query.signature, now)
      const whole = inTenant({ id: params.institute })
      const found = (await findFile(whole, params)) ?? (await alsoOffered(whole, params.id))
      if (!found) throw NotFound()
      return {
        type: found.type,
        etag: `"${found.sha256}"`,
        download: found.name,
        headers: SANDBOXED,
        body: { size: found.sizeBytes, open: (range) => files.open(found.key, range) },
      }
    },
  }),
]
