import { LOCALES } from '#shared/locale.ts'
import type { Option } from '../command.ts'
import { call, callAll } from './api.ts'
import { confirmed, described, issuerCommand, listed, needed, said, YES } from './declare.ts'
import { minute, planIdOf, tenantPath, type AddedTenant, type Tenant } from './records.ts'

const TENANT = 'TENANT'
const REASON: Option = { value: 'TEXT', required: true, about: 'Why; its people are told' }
const DEPLOYMENTS = ['cloud', 'self_hosted']

export const issuerTenants = issuerCommand({
  about: 'List the institutes, the newest first',
  usage: '[--search TEXT] [--status STATUS] [--deployment MODE]',
  options: {
    search: { value: 'TEXT', about: 'In the name or the short name' },
    status: { value: 'STATUS', about: 'In this state only', choices: ['active', 'suspended', 'archived'] },
    deployment: { value: 'MODE', about: 'In the cloud, or on servers of their own', choices: DEPLOYMENTS },
  },
  show: async ({ options: { search, status, deployment } }) => {
    const filters = { q: search, status, deploymentMode: deployment }
    const tenants = await callAll<Tenant>('/platform/tenants', filters)
    return listed(tenants, ['SLUG', 'STATUS', 'DEPLOYMENT', 'CREATED', 'NAME'], (tenant) => [
      tenant.slug,
      tenant.status,
      tenant.deploymentMode,
      minute(tenant.createdAt),
      tenant.name,
    ])
  },
})

interface Overview {
  tenant: Tenant
  subscription: { status: string; currentPeriodEnd: string } | null
  domains: { domain: string }[]
  counts: { members: number; branches: number }
}

export const issuerTenantShow = issuerCommand({
  about: 'Show an institute, by its short name or id',
  usage: TENANT,
  words: 1,
  show: async ({ words: [given = ''] }) => {
    const overview = (await call('GET', await tenantPath(given))) as Overview
    const { tenant, subscription, domains, counts } = overview
    return described(overview, {
      Id: tenant.id,
      Slug: tenant.slug,
      Name: tenant.name,
      Status: tenant.status,
      Deployment: tenant.deploymentMode,
      Created: minute(tenant.createdAt),
      Locked: minute(tenant.lockedAt),
      Reason: tenant.lockedReason,
      Language: tenant.defaultLocale,
      Timezone: tenant.timezone,
      Currency: tenant.currency,
      Subscription: subscription && `${subscription.status} until ${minute(subscription.currentPeriodEnd)}`,
      Domains: domains.map(({ domain }) => domain).join(', ') || null,
      Members: counts.members,
      Branches: counts.branches,
    })
  },
})

const mailSentence = ({ to, kind, linkExpiresAt }: AddedTenant['ownerMail']): string =>
  kind === 'welcome'
    ? `A mail to ${to} welcomes its owner, with a link to choose a password until ${minute(linkExpiresAt)}.`
    : `${to} has an account already: a mail without a link says that it is now the owner’s.`

export const issuerTenantCreate = issuerCommand({
  about: 'Add an institute with its owner, who is sent a mail; says which',
  usage: 'SLUG --name NAME --owner-email EMAIL …',
  words: 1,
  options: {
    name: { value: 'NAME', about: 'The name of the institute' },
    'owner-email': { value: 'EMAIL', about: 'With which the owner signs in' },
    'owner-name': { value: 'NAME', about: 'The name of the owner' },
    locale: { value: 'LOCALE', about: 'The language of the institute', choices: LOCALES },
    timezone: { value: 'ZONE', about: 'Such as Asia/Jerusalem' },
    currency: { value: 'CODE', about: 'Such as ILS' },
    deployment: { value: 'MODE', about: 'Without it: cloud', choices: DEPLOYMENTS },
    plan: { value: 'PLAN', about: 'Subscribes it to this plan, by code or id' },
  },
  show: async (invocation) => {
    const option = (name: string) => needed('vendor tenant-create', invocation, name)
    const { words, options } = invocation
    const tenant = (await call('POST', '/platform/tenants', {
      slug: words[0],
      name: option('name'),
      owner: { email: option('owner-email'), fullName: option('owner-name') },
      defaultLocale: option('locale'),
      timezone: option('timezone'),
      currency: option('currency'),
      deploymentMode: options.deployment,
      planId: await planIdOf(options.plan),
    })) as AddedTenant
    const { slug, id, ownerMail } = tenant
    return said(tenant, `${slug} is added, with the id ${id}. ${mailSentence(ownerMail)}`)
  },
})

export const issuerTenantLock = issuerCommand({
  about: 'Lock an institute: its people can sign in, see why, and take their data along',
  usage: `${TENANT} --reason TEXT [--yes]`,
  words: 1,
  options: { reason: REASON, yes: YES },
  show: async (invocation) => {
    const { words, options } = invocation
    const [given = ''] = words
    const path = await tenantPath(given)
    await confirmed(invocation, 'This bars everybody of the institute from their work.', given)
    const tenant = (await call('POST', `${path}/lock`, { reason: options.reason })) as Tenant
    return said(tenant, `${tenant.slug} is locked.`)
  },
})

export const issuerTenantUnlock = issuerCommand({
  about: 'Unlock an institute',
  usage: TENANT,
  words: 1,
  show: async ({ words: [given = ''] }) => {
    const tenant = (await call('POST', `${await tenantPath(given)}/unlock`)) as Tenant
    return said(tenant, `${tenant.slug} is not locked.`)
  },
})

export const issuerTenantArchive = issuerCommand({
  about: 'Archive an institute for good: nothing is deleted, and it is never opened again',
  usage: `${TENANT} [--yes]`,
  words: 1,
  options: { yes: YES },
  show: async (invocation) => {
    const [given = ''] = invocation.words
    const path = await tenantPath(given)
    await confirmed(invocation, 'The institute is never opened again.', given)
    const tenant = (await call('POST', `${path}/archive`)) as Tenant
    return said(tenant, `${tenant.slug} is archived.`)
  },
})
