import type { Credential } from '#kernel/contract/credential.ts'

export const INSTALL_KEY_CREDENTIAL: Credential = {
  name: 'install-key',
  of: 'server',
  opens: 'Signs the heartbeats of this install, and seals what it knows of its licence beside the database.',
  lasting: true,
  columns: ['installed_license.install_secret'],
  purposes: ['license-install-key', 'license-state'],
  ends: [],
  why: 'It is the server’s own, and nobody is ever shown it.',
}
