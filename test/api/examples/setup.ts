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

/**
 * A server on which a backup lies ready. It is not laid: `test/cli/restore-by-browser` does that, with a program that
 * steps aside.
 */
const readyToRestore = ({ app: { app } }: World): string => {
  const { restoring } = app
  Object.defineProperty(restoring, 'canRestore', { value: true, configurable: true })
  restoring.check = () => {}
  restoring.begin = async () => {}
  return app.setupToken.ensure()
}

/** Nothing is at its address: the reply says so. */
const STORE = {
  address: 'http://127.0.0.1:9',
  region: 'eu-central-1',
  bucket: 'school-backups',
  folder: 'school',
  keyId: 'AKIAEXAMPLE',
  secret: 'an example',
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
  'setup.read-restore': async ({ app }) => ({ headers: { 'x-setup-token': app.app.setupToken.ensure() } }),
  'setup.send-backup': async (world) => ({
    raw: Buffer.from('a backup'),
    headers: { 'x-setup-token': readyToRestore(world), 'content-type': 'application/gzip' },
  }),
  'setup.read-bucket': async (world) => ({ body: { setupToken: readyToRestore(world), store: STORE } }),
  'setup.fetch-from-bucket': async (world) => ({
    body: { setupToken: readyToRestore(world), store: STORE, copy: 'nightly-2026-09-01T00-30-00-000Z.tar.gz' },
  }),
  'setup.check-backup': async (world) => ({ body: { setupToken: readyToRestore(world) } }),
  'setup.restore': async (world) => ({ body: { setupToken: readyToRestore(world) } }),
  'setup.bootstrap': async (world) => ({ body: newInstitute(world) }),
}
