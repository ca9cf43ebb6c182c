import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { FEATURE_FLAGS, type FeatureFlags } from '#kernel/rights/features.ts'
import { shows } from '#kernel/values/fields.ts'
import { named } from '#kernel/values/named.ts'
import { found } from '#kernel/values/errors.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import { currency, id, locale, orNull, ts } from '#kernel/values/schema.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, lockRow, recordOf, type LockedRow, type Row, type Wanted } from '#runtime/records/records.ts'
import { FLAG_WORDS, flags } from './feature-flags.ts'
import { searchedBy } from './search.ts'

export const TENANT_WORDS = {
  status: 'active; suspended: it is locked, and every request in it is refused; archived: it is closed for good.',
  deploymentMode: 'Where the institute runs: with others in a cloud, or on a server of its own.',
  autoLockOverride:
    'Whether it is locked by itself 7 days after its subscription has ended: as the platform does by default (inherit: it does not), on or off.',
  lockedAt: 'When it was locked; null: it is not.',
  lockedReason: 'Why it was locked; null: it is not, or nobody said.',
  lockedByPlatformAdminId: 'The platform admin who locked it; null: it is not, or it was locked automatically.',
  createdBy: 'The account that made it; null: not known.',
  features: 'The features that are switched for this institute alone, whatever its plan has.',
}

const FeatureOverrides = named(
  'FeatureOverrides',
  flags(orNull(v.boolean())),
  Object.fromEntries(
    Object.entries(FLAG_WORDS).map(([flag, meaning]) => [flag, meaning.replace(/\.$/, '; null: as its plan has it.')]),
  ),
)

/** An institute as the platform sees it. */
export const Tenant = named(
  'Tenant',
  v.object({
    id,
    slug: v.string(),
    name: v.string(),
    status: v.picklist(['active', 'suspended', 'archived']),
    defaultLocale: locale,
    timezone: v.string(),
    currency,
    deploymentMode: v.picklist(['cloud', 'self_hosted']),
    autoLockOverride: v.picklist(['inherit', 'on', 'off']),
    lockedAt: orNull(ts),
    lockedReason: orNull(v.string()),
    lockedByPlatformAdminId: orNull(id),
    createdBy: orNull(id),
    features: FeatureOverrides,
    createdAt: ts,
    updatedAt: ts,
  }),
  TENANT_WORDS,
)
export type Tenant = v.InferOutput<typeof Tenant>

export const toTenant = shows(Tenant, {
  features: (row: { feature_overrides: Partial<FeatureFlags> }) =>
    Object.fromEntries(FEATURE_FLAGS.map((flag) => [flag, row.feature_overrides[flag] ?? null])) as Tenant['features'],
})

/** A record of the institute's row that shows it in another way, for modules that change parts of it. */
export const tenantShownAs = <Reply>(show: (row: Row<'tenant'>) => Reply) =>
  recordOf('tenant', { show, derived: searchedBy })

const tenantRecord = tenantShownAs(toTenant)

/** An institute as the platform sees it. @throws NotFound */
export const readTenant = async (db: OutsideDb, tenantId: string): Promise<Tenant> =>
  toTenant(found(await db.selectFrom('tenant').selectAll().where('id', '=', tenantId).executeTakeFirst()))

/** Serializes changes of institute-wide rules. Take this lock before any other. */
export const lockInstitute = async ({ whole }: Tx): Promise<void> => {
  await forNoKeyUpdate(whole, whole.selectFrom('tenant').select('id')).execute()
}

/** Locks the institute's own row for update. */
export const tenantForUpdate = (tx: Tx): Promise<LockedRow<'tenant'>> => lockRow(tx, tenantRecord, tx.tenant.id)

type TenantChanges = Pick<
  Wanted<'tenant', 'search_text'>,
  | 'name'
  | 'defaultLocale'
  | 'timezone'
  | 'currency'
  | 'autoLockOverride'
  | 'featureOverrides'
  | 'status'
  | 'lockedAt'
  | 'lockedReason'
  | 'lockedByPlatformAdminId'
  | 'archivedAt'
>

/** Ends a change of the institute's own row; see `changeRecord`. */
export const changeTenant = (tx: Tx, row: LockedRow<'tenant'>, changes: TenantChanges): Promise<Tenant> =>
  changeRecord(tx, tenantRecord, row, changes)
