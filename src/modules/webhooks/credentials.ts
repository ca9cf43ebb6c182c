import type { Credential } from '#kernel/contract/credential.ts'

export const WEBHOOK: Credential = {
  name: 'webhook',
  of: 'institute',
  opens: 'By its secret the receiver knows the sender; what happens in the institute goes there until it is deleted.',
  lasting: true,
  columns: ['webhook_endpoint.secret', 'webhook_endpoint.previous_secret'],
  purposes: ['webhook'],
  ends: [],
  why: 'It is the institute’s, and goes on when whoever made it leaves. Of a locked or archived institute only what happens by itself is sent: nobody can do anything there.',
}
