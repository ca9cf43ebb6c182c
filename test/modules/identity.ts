import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {},
  records: { userId: ({ institute }) => institute.ownerUserId },
  kept: ({ first, nth, at, later }) => {
    const user_id = first('user')['id']
    const secret = { token_hash: 'hash', expires_at: later, created_at: at }
    return {
      login_guard: [{ email_key: 'a@example.org', failures: [at], touched_at: at }],
      email_token: [{ user_id, kind: 'verify_email', ...secret }],
      auth_session: [{ id: nth(3), user_id, client: 'web', ends_at: later, last_used_at: at, ...secret }],
    }
  },
}
