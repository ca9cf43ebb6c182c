import type { Locale } from '#kernel/actor.ts'
import type { Fixed, Json, TableRules } from '#kernel/tables.ts'

export const EMAIL_TOKEN_KINDS = ['reset_password', 'verify_email'] as const
export type EmailTokenKind = (typeof EMAIL_TOKEN_KINDS)[number]

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
      /** SHA-256 of the ones before it that were rotated a moment ago, oldest first. */
      recent_rotations: Json<{ hash: string; at: string }[]>
      expires_at: string
      /** However often it is used, the session ends here. */
      ends_at: string
      revoked_at: string | null
      impersonator_id: Fixed<string | null>
      created_at: Fixed<string>
      last_used_at: string
    }
    /** Login attempts for one address, known or not. */
    login_guard: {
      email_key: Fixed<string>
      failures: Json<string[]>
      locked_until: string | null
      touched_at: string
    }
    email_token: {
      user_id: Fixed<string>
      kind: Fixed<EmailTokenKind>
      token_hash: string
      expires_at: string
      created_at: string
    }
  }
}

export const identityTables: TableRules = {
  user: { kind: 'shared', insertable: true },
  auth_session: { kind: 'system' },
  login_guard: { kind: 'system' },
  email_token: { kind: 'system' },
}
