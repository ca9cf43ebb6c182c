import type { Credential } from '#kernel/contract/credential.ts'

export const RUNTIME_CREDENTIALS: readonly Credential[] = [
  {
    name: 'idempotent-reply',
    of: 'user',
    opens: 'What a change answered once, to the same caller with the same key and the same request, for a day.',
    lasting: false,
    columns: ['idempotency_record.body', 'idempotency_record.sealed'],
    purposes: ['idempotent-reply'],
    ends: [],
    why: 'A repeat needs the credential of its caller, is refused like the first request would be, and what it hands out is as good as that is by then.',
  },
  {
    name: 'server-secret',
    of: 'server',
    opens: 'The keys that the server signs access tokens, push messages and licences with.',
    lasting: true,
    columns: ['sealed_secret.value'],
    ends: [],
    why: 'They are the server’s own, and nobody is ever shown one.',
  },
]
