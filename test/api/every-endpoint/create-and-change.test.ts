import { expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { unwrapped } from '#http/bodies/bounds.ts'
import { startApp } from '#kit/app.ts'

/**
 * Every field that the PATCH of a record takes, its POST takes too: otherwise the POST would drop the field without a
 * word.
 */

const { app } = await startApp()
const { endpoints } = app
await app.close()

/** The fields that POST does not take although PATCH does, and why. `version` names a record that exists. */
const LATER_ONLY: Record<string, Record<string, string>> = {
  'branches.update': { isActive: 'a branch is opened in use; the contract’s POST /branches has no such field' },
  'leads.update': { status: 'a lead begins as new' },
  'lessons.update': { sectionId: 'POST names the section in its path' },
  'members.update': { status: 'POST /members invites somebody; there is no membership yet' },
  'platform-tenants.update': {
    autoLockOverride: 'the vendor decides it about an institute that exists',
    features: 'the plan says which features a new institute has',
  },
  'platform-users.update': { status: 'a new account is active' },
  'roles.update': { asksSecondFactor: 'an owner asks it of a role that people hold; whoever may make roles does not' },
  'sessions.update': { status: 'a session begins as scheduled', reason: 'of a cancellation' },
}

/** The POST that makes the records of a PATCH. */
const creationOf = ({ id }: Endpoint): Endpoint | undefined => {
  const [module] = id.split('.')
  return endpoints.find((one) => one.method === 'POST' && [`${module}.create`, `${module}.invite`].includes(one.id))
}

const fieldsOf = ({ body }: Endpoint): string[] => Object.keys((body && unwrapped(body).entries) ?? {})

const pairs = endpoints.flatMap((patch) => {
  const post = patch.method === 'PATCH' ? creationOf(patch) : undefined
  return post ? [[patch.id, patch, post] as const] : []
})

test.each(pairs)('%s takes no more than the POST of its records, but for reasoned exceptions', (id, patch, post) => {
  const given = fieldsOf(post)
  const missing = fieldsOf(patch).filter((field) => field !== 'version' && !given.includes(field))
  expect(missing.toSorted()).toEqual(Object.keys(LATER_ONLY[id] ?? {}).toSorted())
})

test('every PATCH of records that a POST makes is among these', () => {
  const alone = endpoints.filter(({ id, method }) => method === 'PATCH' && !pairs.some(([of]) => of === id))
  expect(alone.map(({ id }) => id).toSorted()).toEqual([
    'feature-flags.update',
    'me.rename-passkey',
    'me.update',
    'server.change-updates',
    'settings.update',
  ])
})
