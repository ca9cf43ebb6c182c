import type { Examples } from '#kit/examples.ts'
import { mailServer } from './setup.ts'

export const mailExamples: Examples = {
  'mail.read-settings': async () => ({}),
  'mail.change-settings': async () => ({ body: mailServer }),
  // Nothing listens there, and the reply says so.
  'mail.test': async () => ({ body: { server: mailServer, to: 'owner@example.org' } }),
}
