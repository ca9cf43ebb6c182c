import { optOutLink } from '#modules/notifications/preferences/opt-out-link.ts'
import type { Example, Examples, World } from '#kit/examples.ts'

const OWN = 'It is about whoever got the mail.'

/** The link of a mail to somebody without an account. */
const ofLink = async ({ app, institute }: World): Promise<Example> => {
  const { id: tenantId } = institute.tenant
  const who = { email: 'parent@example.org' }
  const { search } = new URL(optOutLink('http://localhost', app.app.vault, { tenantId, locale: 'ar', who }))
  return { query: search }
}

/** As a mail program sends it. */
const oneClick = async (world: World): Promise<Example> => ({
  ...(await ofLink(world)),
  raw: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

export const notificationOptOutExamples: Examples = {
  'notifications.opt-out-page': { branchless: OWN, make: ofLink },
  'notifications.opt-out': { branchless: OWN, make: oneClick },
  'notifications.opt-in': { branchless: OWN, make: oneClick },
}
