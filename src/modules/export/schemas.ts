import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, id, integer, orNull, ts } from '#kernel/values/schema.ts'
import { EXPORT_STATUSES } from './tables.ts'

export const ExportRequest = named('ExportRequest', v.object({ fresh: v.optional(v.boolean(), false) }), {
  fresh: 'Makes a new one in place of one that has ended.',
})

export const Export = named(
  'Export',
  v.object({
    id,
    status: v.picklist(EXPORT_STATUSES),
    progress: integer(0, 100),
    sizeBytes: orNull(count),
    sha256: orNull(v.string()),
    error: orNull(v.string()),
    createdAt: ts,
    finishedAt: orNull(ts),
    keptUntil: orNull(ts),
    downloadUrl: orNull(v.string()),
    downloadUrlExpiresAt: orNull(ts),
  }),
  {
    status: 'How far it is: only `done` has an archive, and only `failed` an error.',
    progress: 'How much is done, in percent.',
    sizeBytes: 'Bytes of the archive; null: there is none yet.',
    sha256: 'The SHA-256 of the archive, in 64 hexadecimal digits; null: there is none yet.',
    error: 'Why it failed and what to do; null: it did not.',
    createdAt: 'When it was asked for.',
    finishedAt: 'When it ended, well or not; null: it has not ended.',
    keptUntil: 'When the archive is removed; null: it has not ended.',
    downloadUrl: 'Where the archive is, without any other credential; null: there is none.',
    downloadUrlExpiresAt: 'Until when that address is good; null: there is none.',
  },
)
export type Export = v.InferOutput<typeof Export>
