import { inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {
    event: ({ at }) => ({ type: text('student.created'), occurred_at: at, body: text('{}') }),
    audit_entry: ({ user, nthId }) => ({
      actor_user_id: user,
      actor_type: text('user'),
      channel: text('web'),
      action: inTurn(['students.create', 'students.update']),
      entity_type: inTurn(['student', 'guardian']),
      entity_id: nthId('student', 'n'),
    }),
  },
  kept: ({ nth, at }) => ({
    job: [
      { id: nth(4), kind: 'mail', lane: 'mail', payload: { to: 'a' }, run_at: at, max_attempts: 3, created_at: at },
    ],
    idempotency_record: [
      {
        caller: 'a',
        key: 'b',
        request_hash: 'c',
        state: 'done',
        status: 201,
        body: '{}',
        started_at: at,
        expires_at: at,
      },
    ],
    sealed_secret: [{ name: 'signing', value: 'sealed', created_at: at }],
  }),
}
