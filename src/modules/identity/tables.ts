import type { Locale } from '#kernel/actor.ts'
import type { Fixed, TableRules } from '#kernel/tables.ts'

declare module '#kernel/tables.ts' {
  interface Tables {
    user: {
      id: Fixed<string>
      email: string
      /** The email in lower case, by which it is unique. */
      email_key: string
      full_name: string
      phone: string | null
      locale: Locale
      avatar_file_id: string | null
      status: 'active' | 'disabled'
      email_verified: boolean
      password_hash: string | null
      is_platform_admin: boolean
      created_at: Fixed<string>
      updated_at: string
    }
    /** A family of refresh tokens: one sign-in on one device. */
    auth_session: {
      id: Fixed<string>
      user_id: Fixed<string>
      tenant_id: string | null
      client: Fixed<'web' | 'mobile'>
      ip: string | null
      user_agent: string | null
      /** SHA-256 of the one refresh token that is good now. */
      token_hash: string
      /** SHA-256 of the one before it, and when it was rotated. */
      previous_hash: string | null
      rotated_at: string | null
      expires_at: string
      /** However often it is used, the session ends here. */
      ends_at: Fixed<string>
      revoked_at: string | null
      impersonator_id: Fixed<string | null>
      created_at: Fixed<string>
      last_used_at: string
    }
  }
}

export const identityTables: TableRules = {
  user: { kind: 'shared' },
  auth_session: { kind: 'system' },
}
