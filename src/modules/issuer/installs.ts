import { shows } from '#kernel/values/fields.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { PageQuery } from '#runtime/records/cursors.ts'
import { systemListOf, type ListContext } from '#runtime/records/lists.ts'
import { findRow } from '#runtime/records/records.ts'
import { commandsAfter } from './commands.ts'
import type { Licenses } from './licenses.ts'
import { LicenseInstall, LicenseSignal } from './schemas.ts'

/** Newest first, without what stands in other tables. */
const pageOfRows = systemListOf({
  from: (db) => db.selectFrom('license_install').selectAll(),
  filters: { licenseId: 'license_install.license_id' },
  order: {
    columns: ['license_install.first_seen_at', 'license_install.id'],
    direction: 'desc',
    position: (row) => [row.first_seen_at, row.id],
  },
  show: (row) => row,
})

export const findInstall = ({ db }: SystemTx, licenseId: string, installId: string) =>
  db
    .selectFrom('license_install')
    .selectAll()
    .where('license_id', '=', licenseId)
    .where('install_id', '=', installId)
    .executeTakeFirst()

/** When installs of these institutes last sent a heartbeat, by the ids of the institutes. */
export const lastHeartbeatsOf = async (
  db: OutsideDb,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (tenantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('license')
    .innerJoin('license_install', 'license_install.license_id', 'license.id')
    .select(['license.tenant_id', (eb) => eb.fn.max('license_install.last_seen_at').as('at')])
    .where('license.tenant_id', 'in', tenantIds)
    .groupBy('license.tenant_id')
    .execute()
  return new Map(rows.map(({ tenant_id, at }) => [tenant_id, at]))
}

const signalsOf = async (db: OutsideDb, installIds: readonly string[]) => {
  if (installIds.length === 0) return []
  return db
    .selectFrom('license_signal')
    .selectAll()
    .where('license_install_id', 'in', installIds)
    .orderBy('detected_at', 'desc')
    .orderBy('kind')
    .execute()
}

/** The names of these installs in the vendor's zone, by the ids of the installs. */
const lanNamesOf = async (db: OutsideDb, installIds: readonly string[]) => {
  if (installIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('license_lan_name')
    .select(['license_install_id', 'label', 'asked_at'])
    .where('license_install_id', 'in', installIds)
    .execute()
  return new Map(rows.map((row) => [row.license_install_id, row]))
}

const showSignal = shows(LicenseSignal)

/** The installs of a licence, the latest first. @throws NotFound */
export const listInstalls = async (
  { record, zone }: Pick<Licenses, 'record'> & { zone: string | undefined },
  { params, ...request }: ListContext<OutsideDb> & { query: PageQuery; params: { licenseId: string } },
): Promise<Page<LicenseInstall>> => {
  const { db, query } = request
  const { licenseId } = params
  await findRow(db, record, licenseId)
  const { data, nextCursor } = await pageOfRows({ ...request, query: { ...query, licenseId } })
  const ids = data.map(({ id }) => id)
  const signals = Map.groupBy(await signalsOf(db, ids), (signal) => signal.license_install_id)
  const names = await lanNamesOf(db, ids)
  const acknowledged = Math.min(...data.map((row) => row.acknowledged_seq))
  const commands = data.length === 0 ? [] : await commandsAfter(db, licenseId, acknowledged)
  const show = shows(LicenseInstall, {
    signals: ({ id }: { id: string }) => (signals.get(id) ?? []).map(showSignal),
    lanName: ({ id }: { id: string }) => {
      const named = names.get(id)
      return named && zone !== undefined ? { name: `${named.label}.${zone}`, askedAt: named.asked_at } : null
    },
    pendingCommands: ({ acknowledged_seq: seen }: { acknowledged_seq: number }) =>
      commands
        .filter(({ seq }) => seq > seen)
        .map(({ id, kind, reason, issued_at: issuedAt }) => ({ id, kind, reason, issuedAt })),
  })
  return { data: data.map(show), nextCursor }
}
