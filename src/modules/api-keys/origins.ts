import { compiled } from '#db/queries/compiled.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'

const liveKeys = compiled((db, { origin, now }: { origin: string; now: string }) =>
  db
    .selectFrom('api_key_origin')
    .innerJoin('api_key', (join) =>
      join
        .onRef('api_key.tenant_id', '=', 'api_key_origin.tenant_id')
        .onRef('api_key.id', '=', 'api_key_origin.api_key_id'),
    )
    .select('api_key.id')
    .where('api_key_origin.origin', '=', origin)
    .where('api_key.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('api_key.expires_at', 'is', null), eb('api_key.expires_at', '>', now)]))
    .limit(1),
)

/** Whether a valid publishable key of any institute lists the origin. */
export const isListedOrigin = async (origin: string, now: string, db: SystemDb): Promise<boolean> =>
  (await liveKeys(db, { origin, now })).length > 0
