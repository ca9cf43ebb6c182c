import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { FeatureDisabled } from '#kernel/values/errors.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import { findTenant, TenantArchived, TenantNotFound } from '#modules/tenants/index.ts'
import type { TxtRecords } from '#ports/dns/port.ts'
import { findDomain, inTenantOfDomain, tenantOfDomain } from './lookup.ts'
import { txtNameOf } from './name.ts'
import { checkProof, DomainUnproven } from './proof.ts'
import { NewDomain, TenantDomain } from './schemas.ts'
import {
  addDomain,
  DomainTaken,
  DomainUnverified,
  listDomains,
  makePrimary,
  removeDomain,
  setVerified,
  TooManyDomains,
} from './service.ts'

export interface DomainsDeps {
  txtRecords: TxtRecords
  /** The vendor's own domain, below which subdomains are; undefined: none is configured. */
  zone: string | undefined
}

const tenantOf = async (db: OutsideDb, id: string) => {
  const tenant = await findTenant(db, id)
  if (!tenant) throw TenantNotFound()
  return tenant
}

export const domainEndpoints = ({ txtRecords, zone }: DomainsDeps): readonly Endpoint[] => [
  openRead({
    id: 'platform-domains.list',
    path: '/platform/tenants/{id}/domains',
    summary: 'The domains of an institute',
    description: 'Newest first, verified or not.',
    access: 'platform',
    query: pageQuery({}),
    reply: pageOf(TenantDomain),
    fails: [TenantNotFound],
    handle: async ({ db, inTenant, params, query, cursors }) =>
      listDomains({ db: inTenant(await tenantOf(db, params.id)), query, cursors }),
  }),
  openChange({
    id: 'platform-domains.create',
    method: 'POST',
    path: '/platform/tenants/{id}/domains',
    summary: 'Add a domain to an institute',
    description:
      'A `subdomain` lies below the host of INSTITUTE_BASE_URL (422 otherwise, or while there is none). That zone is the vendor’s own, so it is verified at once, and taken for every other institute. A `custom` domain lies elsewhere (422), needs the institute’s flag `custom_domain` (403 FEATURE_DISABLED), and does nothing until it is verified: until then others may add the same name too, and whoever proves it first has it. A name that the institute has already, or that was verified for another one, is 409, and so are the 101st domain and any of an archived institute.',
    access: 'platform',
    body: NewDomain,
    status: 201,
    reply: TenantDomain,
    fails: [TenantNotFound, TenantArchived, FeatureDisabled, DomainTaken, TooManyDomains],
    handle: async ({ tx, params, body }) => {
      const inTenant = tx.inTenant(await tenantOf(tx.db, params.id))
      return addDomain(inTenant, body, { zone, verifiedFor: await tenantOfDomain(tx, body.domain) })
    },
  }),
  openChange({
    id: 'platform-domains.verify',
    method: 'POST',
    path: '/platform/domains/{id}/verify',
    summary: 'Verify a domain by its TXT record',
    description:
      'One of the TXT records of `_institute-verify.<domain>` must hold the verificationToken and nothing else; a record may be split into strings, and the name may be an alias (CNAME). Else it is 422, with what was found there instead as `details.reason`: no such name, no such record, another value (`details.found`), name servers that failed, or none that answered within 5 seconds. What is verified stays so, and is answered without asking again. 409 when the name was verified for another institute meanwhile. From then on, in cloud mode, who signs in at `https://<domain>` with an active membership in the institute is bound to it, and nobody there is bound to another by itself.',
    access: 'platform',
    reply: TenantDomain,
    fails: [DomainTaken, DomainUnproven],
    prepare: async (context) => {
      const row = await findDomain(context, context.params.id)
      if (row.verified_at === null) checkProof(row, await txtRecords.lookUp(txtNameOf(row.domain)))
    },
    handle: async ({ tx, params }) => setVerified(await inTenantOfDomain(tx, params.id), params.id),
  }),
  openChange({
    id: 'platform-domains.make-primary',
    method: 'POST',
    path: '/platform/domains/{id}/primary',
    summary: 'Make a verified domain the primary one of its institute',
    description:
      'In cloud mode, links in the institute’s invitations and the addresses of its files then begin with `https://<domain>`; the domain must lead to this server, and whoever runs what it leads to could accept invitations. Links that open accounts (a forgotten password, a new address) keep to INSTITUTE_BASE_URL, because an account may belong to several institutes. The domain that was primary before is not any more. 409 for one that is not verified.',
    access: 'platform',
    reply: TenantDomain,
    fails: [DomainUnverified],
    handle: async ({ tx, params }) => makePrimary(await inTenantOfDomain(tx, params.id), params.id),
  }),
  openChange({
    id: 'platform-domains.delete',
    method: 'DELETE',
    path: '/platform/domains/{id}',
    summary: 'Remove a domain from its institute',
    description:
      'Verified or not, the primary one too: links then begin with INSTITUTE_BASE_URL, and the name is free for others.',
    access: 'platform',
    reply: Ok,
    handle: async ({ tx, params }) => removeDomain(await inTenantOfDomain(tx, params.id), params.id),
  }),
]
