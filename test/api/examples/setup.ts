import type { Examples, World } from '#kit/examples.ts'

export const newInstitute = ({ app, serial }: Pick<World, 'app' | 'serial'>) => ({
  setupToken: app.app.setupToken.ensure(),
  institute: {
    slug: `noor-${serial}`,
    name: 'معهد النور',
    defaultLocale: 'ar',
    timezone: 'Asia/Jerusalem',
    currency: 'ILS',
    baseUrl: 'http://192.168.1.20:8080',
  },
  owner: {
    email: `owner-${serial}@example.org`,
    password: 'a long enough phrase',
    firstName: 'Noor',
    lastName: 'Haddad',
  },
})

export const setupExamples: Examples = {
  'health.live': async () => ({}),
  'health.ready': async () => ({}),
  'setup.status': async () => ({}),
  'setup.bootstrap': async (world) => ({ body: newInstitute(world) }),
}
