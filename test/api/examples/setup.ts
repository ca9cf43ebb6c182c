import type { Examples, World } from '#kit/examples.ts'
import { newSetup } from '#kit/setup.ts'

export const newInstitute = ({ app, serial }: Pick<World, 'app' | 'serial'>) =>
  newSetup(app.app.setupToken.ensure(), {
    institute: { slug: `noor-${serial}`, baseUrl: 'https://school.example.org' },
    owner: { email: `owner-${serial}@example.org` },
  })

/** Nothing listens there. */
export const mailServer = {
  host: '127.0.0.1',
  port: 1,
  encryption: 'starttls',
  user: 'office@noor.example.org',
  password: 'p@ss/w:rd#1',
  sender: 'office@noor.example.org',
}

export const setupExamples: Examples = {
  'health.live': async () => ({}),
  'health.ready': async () => ({}),
  'setup.status': async () => ({}),
  'setup.check': async ({ app }) => ({ headers: { 'x-setup-token': app.app.setupToken.ensure() } }),
  'setup.mail': async ({ app }) => ({ headers: { 'x-setup-token': app.app.setupToken.ensure() } }),
  'setup.save-mail': async ({ app }) => ({ body: { setupToken: app.app.setupToken.ensure(), mail: mailServer } }),
  'setup.try-mail': async ({ app }) => ({
    body: { setupToken: app.app.setupToken.ensure(), to: 'owner@example.org', locale: 'ar', institute: 'معهد النور' },
  }),
  'setup.next-steps': async () => ({}),
  'setup.bootstrap': async (world) => ({ body: newInstitute(world) }),
}
