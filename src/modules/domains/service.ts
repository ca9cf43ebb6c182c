import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { failure, FeatureDisabled, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { explained } from '#kernel/values/named.ts'
import { count } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockInstitute, TenantArchived } from '#modules/tenants/index.ts'
import { changeRecord, createRecord, deleteRecord, lockRow, lockToDelete, recordOf } from '#runtime/records/records.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { isBelow } from './name.ts'
import { TenantDomain, type NewDomain } from './schemas.ts'

export const DomainTaken = failure(
  'CONFLICT',
  'domain_taken',
  'This domain belongs to the institute already, or was verified for another one.',
)
export const DomainUnverified = failure(
  'CONFLICT',
  'domain_unverified',
  'Only a verified domain can be the primary one: verify it first.',
)

/** The most domains of an institute, whose record shows all of them. */
const MOST_DOMAINS = 100
export const TooManyDomains = failure('CONFLICT', 'too_many_domains', 'The institute has as many domains as may be.', {
  details: {
    schema: explained(v.object({ most: count }), { most: 'How many there may be.' }),
    example: { most: MOST_DOMAINS },
  },
})

const toDomain = shows(TenantDomain)

export const domainRecord = recordOf('tenant_domain', {
  show: toDomain,
  refusals: { unique: { 'tenant_domain(domain)': DomainTaken } },
})

/** A page of an institute's domains, newest first. */
export const listDomains = listOf({
  from: (db) => db.selectFrom('tenant_domain').selectAll(),
  order: newestFirst('tenant_domain'),
  show: toDomain,
})

/** All domains of an institute, newest first. */
export const domainsOf = async (whole: ScopedDb): Promise<TenantDomain[]> => {
  const rows = await whole
    .selectFrom('tenant_domain')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toDomain)
}

/** @throws VALIDATION_ERROR for a name on the wrong side of the vendor's own domain */
const checkKind = ({ domain, kind }: NewDomain, zone: string | undefined): void => {
  const isVendors = zone !== undefined && (domain === zone || isBelow(domain, zone))
  if (kind === 'custom') {
    if (isVendors) throw invalid(['domain'], `Must be the institute’s own: what is below ${zone} is a subdomain.`)
    return
  }
  if (zone === undefined) {
    throw invalid(['kind'], 'There are no subdomains while the server has no address of its own (INSTITUTE_BASE_URL).')
  }
  if (!isBelow(domain, zone)) throw invalid(['domain'], `A subdomain must be below ${zone}.`)
}

interface Adding {
  /** The vendor's own domain, below which subdomains are; undefined: none is configured. */
  zone: string | undefined
  /** The institute for which the name was verified. */
  verifiedFor: string | undefined
}

/** @throws TenantArchived, FeatureDisabled, DomainTaken, TooManyDomains, VALIDATION_ERROR */
export const addDomain = async (tx: Tx, body: NewDomain, { zone, verifiedFor }: Adding): Promise<TenantDomain> => {
  if (tx.tenant.status === 'archived') throw TenantArchived()
  const isCustom = body.kind === 'custom'
  if (isCustom && !tx.tenant.features.custom_domain) throw FeatureDisabled({ feature: 'custom_domain' })
  checkKind(body, zone)
  if (verifiedFor !== undefined) throw DomainTaken()
  await lockInstitute(tx)
  const held = await tx.whole
    .selectFrom('tenant_domain')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (held.count >= MOST_DOMAINS) throw TooManyDomains({ most: MOST_DOMAINS })
  return createRecord(tx, domainRecord, {
    ...body,
    verificationToken: randomBytes(24).toString('base64url'),
    // A subdomain lies below the vendor's own domain, so it needs no proof by DNS.
    verifiedAt: isCustom ? null : tx.now,
    isPrimary: false,
  })
}

/** Stores that the domain was proven. @throws NotFound, DomainTaken when it was verified for another institute */
export const setVerified = async (tx: Tx, id: string): Promise<TenantDomain> => {
  const row = await lockRow(tx, domainRecord, id)
  return changeRecord(tx, domainRecord, row, { verifiedAt: row.verified_at ?? tx.now })
}

/** Makes it the one primary domain of its institute. @throws NotFound, DomainUnverified */
export const makePrimary = async (tx: Tx, id: string): Promise<TenantDomain> => {
  await lockInstitute(tx)
  const row = await lockRow(tx, domainRecord, id)
  if (row.verified_at === null) throw DomainUnverified()
  const before = await tx.whole
    .selectFrom('tenant_domain')
    .select('id')
    .where('is_primary', '=', true)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (before) await changeRecord(tx, domainRecord, await lockRow(tx, domainRecord, before.id), { isPrimary: false })
  return changeRecord(tx, domainRecord, row, { isPrimary: true })
}

/** @throws NotFound */
export const removeDomain = async (tx: Tx, id: string) =>
  deleteRecord(tx, domainRecord, await lockToDelete(tx, domainRecord, id))
