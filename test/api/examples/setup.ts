import type { Examples, World } from '#kit/examples.ts'
import { newSetup } from '#kit/setup.ts'

export const newInstitute = ({ app, serial }: Pick<World, 'app' | 'serial'>) =>
  newSetup(app.app.setupToken.ensure(), {
    institute: { slug: `noor-${serial}`, baseUrl: 'http://192.168.1.20:8080' },
    owner: { email: `owner-${serial}@example.org` },
  })

export const setupExamples: Examples = {
  'health.live': async () => ({}),
  'health.ready': async () => ({}),
  'setup.status': async () => ({}),
  'setup.bootstrap': async (world) => ({ body: newInstitute(world) }),
}
