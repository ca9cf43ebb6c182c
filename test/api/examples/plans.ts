import type { Client } from '#kit/client.ts'
import type { TestApp } from '#kit/app.ts'
import type { Examples, World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { platformAdmin } from '#kit/platform-admin.ts'

let codes = 0

export const planBody = (more: object = {}) => {
  codes += 1
  return {
    code: `standard-${codes}-${Math.random().toString(36).slice(2)}`,
    name: 'Standard',
    priceMinor: 19_900,
    currency: 'ILS',
    interval: 'monthly',
    features: { mcp: true },
    quotas: { maxStudents: 300, maxStaff: 20 },
    ...more,
  }
}

const created = async (admin: Client, path: string, body: object) => {
  const reply = await admin.post(path, body)
  if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** @returns the plan */
export const newPlan = async (app: TestApp, more: object = {}) =>
  created(await platformAdmin(app), '/platform/plans', planBody(more))

const DAY_MILLIS = 24 * 3600 * 1000

/** The instant so many days from now. */
export const inDays = ({ clock }: Pick<TestApp, 'clock'>, days: number): string =>
  new Date(clock.millis() + days * DAY_MILLIS).toISOString()

/** Gives the institute a subscription of 30 days to a new plan. @returns the subscription */
export const newSubscription = async (app: TestApp, { tenant }: Pick<TestInstitute, 'tenant'>, more: object = {}) =>
  created(await platformAdmin(app), `/platform/tenants/${tenant.id}/subscription`, {
    planId: (await newPlan(app)).id,
    currentPeriodEnd: inDays(app, 30),
    ...more,
  })

const ofPlan = async ({ app }: World) => ({
  as: await platformAdmin(app),
  params: { id: (await newPlan(app)).id as string },
})

const ofSubscription = async ({ app }: World) => {
  const { id } = await newSubscription(app, await makeInstitute(app))
  return { as: await platformAdmin(app), params: { id: id as string } }
}

export const planExamples: Examples = {
  'plan.read': async () => ({}),
  'plans.list': async ({ app }) => ({ as: await platformAdmin(app) }),
  'plans.create': async ({ app }) => ({ as: await platformAdmin(app), body: planBody() }),
  'plans.read': ofPlan,
  'plans.update': async (world) => ({ ...(await ofPlan(world)), body: { quotas: { maxStudents: 500 } } }),
  'plans.archive': ofPlan,
  'subscriptions.list': async ({ app }) => ({
    as: await platformAdmin(app),
    query: '?status=active&expiringWithinDays=60',
  }),
  'subscriptions.create': async ({ app }) => ({
    as: await platformAdmin(app),
    params: { id: (await makeInstitute(app)).tenant.id },
    body: { planId: (await newPlan(app)).id, status: 'trialing', currentPeriodEnd: inDays(app, 14) },
  }),
  'subscriptions.update': async (world) => ({ ...(await ofSubscription(world)), body: { status: 'past_due' } }),
  'subscriptions.renew': async (world) => ({
    ...(await ofSubscription(world)),
    body: { currentPeriodEnd: inDays(world.app, 60) },
  }),
  'subscriptions.cancel': ofSubscription,
}
