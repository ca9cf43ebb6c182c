import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The setup token of a server that is not set up yet. */
export const setupTokenIn = (dataDir: string): string => readFileSync(path.join(dataDir, 'setup-token'), 'utf8').trim()

export const OWNER = {
  email: 'owner@example.org',
  password: 'olive tree by the gate',
  firstName: 'Noor',
  lastName: 'Haddad',
}

/** The body of POST /setup/bootstrap. */
export const newSetup = (setupToken: string, { institute = {}, owner = {} } = {}) => ({
  setupToken,
  institute: {
    slug: 'al-noor',
    name: 'معهد النور',
    defaultLocale: 'ar',
    timezone: 'Asia/Jerusalem',
    currency: 'ILS',
    ...institute,
  },
  owner: { ...OWNER, ...owner },
})
