import { WrongUsage } from '../command.ts'
import { call, callAll } from './api.ts'

/** What the commands read of the server's replies, which have more: see /docs. */
export interface Tenant {
  id: string
  slug: string
  name: string
  status: string
  deploymentMode: string
  defaultLocale: string
  timezone: string
  currency: string
  lockedAt: string | null
  lockedReason: string | null
  createdAt: string
}

/** An institute that was just added. */
export interface AddedTenant extends Tenant {
  ownerMail: { to: string; kind: 'welcome' | 'notice'; linkExpiresAt: string | null }
}

export interface License {
  id: string
  tenantId: string
  planId: string | null
  token: string
  maxInstalls: number
  state: string
  expiresAt: string | null
  createdAt: string
}

interface Plan {
  id: string
  code: string
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Whether this is an id, and no short name. */
export const isId = (given: string): boolean => UUID.test(given)

/** The address of a tenant. @param given its slug or id @throws an Error when there is none with this slug */
export const tenantPath = async (given: string): Promise<string> => `/platform/tenants/${await tenantIdOf(given)}`

/** @param given a slug or an id @throws an Error when there is none with this slug */
export const tenantIdOf = async (given: string): Promise<string> => {
  if (isId(given)) return given
  const slug = given.trim().toLowerCase()
  const found = await callAll<Tenant>('/platform/tenants', { q: slug })
  const tenant = found.find((one) => one.slug === slug)
  if (!tenant) throw new Error(`There is no institute with the short name ${given}.`)
  return tenant.id
}

/** @param given a code or an id; undefined: no plan @throws an Error when there is none with this code */
export const planIdOf = async (given: string | undefined): Promise<string | undefined> => {
  if (given === undefined || isId(given)) return given
  const plan = (await callAll<Plan>('/platform/plans')).find(({ code }) => code === given.trim().toLowerCase())
  if (!plan) throw new Error(`There is no plan with the code ${given}.`)
  return plan.id
}

/** The code of a plan. @param id null: no plan */
export const planCode = async (id: string | null): Promise<string | null> =>
  id === null ? null : ((await call('GET', `/platform/plans/${id}`)) as Plan).code

/** The address of a licence. @throws WrongUsage */
export const licensePath = (id: string): string => {
  if (!isId(id)) throw new WrongUsage(`${id} is no id of a licence: institute vendor licenses lists them.`)
  return `/platform/licenses/${id}`
}

export const readTenant = async (id: string): Promise<Tenant> =>
  ((await call('GET', `/platform/tenants/${id}`)) as { tenant: Tenant }).tenant

/** An instant as people read it: to the minute, in UTC. */
export const minute = (instant: string | null): string => instant?.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC') ?? '-'
