import type { Locale } from '#shared/locale.ts'
import type { Defaulted, Fixed, Json, TableRules } from '#kernel/contract/tables.ts'

export const EMAIL_TOKEN_KINDS = ['reset_password', 'verify_email'] as const
export type EmailTokenKind = (typeof EMAIL_TOKEN_KINDS)[number]

/** What a session shows that looks at an institute as a role sees it. */
export interface PreviewOf {
  roleId: string
  /** Of the role when it began: once the role was changed, the session has ended. */
  roleVersion: number
  /** null: as the role is given for the whole institute. */
  branchId: string | null
  /** The session from which it was begun, without which it ends. */
  ownSessionId: string
}

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    user: {
      id: Fixed<string>
      email: string
      /** The email in lower case; it is unique. */
      email_key: string
      full_name: string
      phone: string | null
      locale: Locale
      avatar_file_id: string | null
      status: 'active' | 'disabled'
      email_verified: boolean
      password_hash: string | null
      is_platform_admin: boolean
      /** It has something beside its password: an app that shows codes, or a passkey. */
      has_second_factor: Defaulted<boolean>
      created_at: Fixed<string>
      updated_at: string
    }
    /** One sign-in on one device, or one assistant that a user let in, with its family of refresh tokens. */
    auth_session: {
      id: Fixed<string>
      user_id: Fixed<string>
      tenant_id: string | null
      /** mcp: an assistant that acts for the user, by a grant of the module oauth. */
      client: Fixed<'web' | 'mobile' | 'mcp'>
      ip: string | null
      user_agent: string | null
      /** SHA-256 of the current refresh token. */
      token_hash: string
      /** SHA-256 of the tokens that were rotated within the last seconds, oldest first. */
      recent_rotations: Json<{ hash: string; at: string }[]>
      expires_at: string
      /** The session ends at this time at the latest, however often it is used. */
      ends_at: string
      revoked_at: string | null
      impersonator_id: Fixed<string | null>
      /** null: its user works in it. */
      preview: Json<PreviewOf | null>
      /** It began with more than a password: with a code or a passkey; or one was set up in it. */
      has_second_factor: Defaulted<boolean>
      created_at: Fixed<string>
      last_used_at: string
    }
    /** The app of an account that shows codes (TOTP). It counts from `enabled_at` on. */
    second_factor: {
      user_id: Fixed<string>
      sealed_secret: string | null
      /** Of the app that is being set up, until its first code has come. */
      pending_secret: string | null
      /** The half minute whose code was taken last: no code is taken twice. */
      last_step: number | null
      enabled_at: string | null
      created_at: Fixed<string>
    }
    /** What stands in for the app, each once. */
    recovery_code: {
      user_id: Fixed<string>
      code_hash: Fixed<string>
      used_at: string | null
      created_at: Fixed<string>
    }
    passkey: {
      id: Fixed<string>
      user_id: Fixed<string>
      /** By which the device knows it, in base64url. */
      credential_id: Fixed<string>
      /** SubjectPublicKeyInfo, in base64url. */
      public_key: Fixed<string>
      /** The host for which it was made, and at which alone it works. */
      rp_id: Fixed<string>
      name: string
      sign_count: number
      /** Whether its device keeps it in an account of the person's, so that their other devices have it too. */
      is_synced: boolean
      created_at: Fixed<string>
      last_used_at: string | null
    }
    /** What a browser was asked to sign. It is taken once. */
    passkey_challenge: {
      challenge_hash: Fixed<string>
      /** Who adds a passkey; null: somebody signs in. */
      user_id: Fixed<string | null>
      expires_at: string
    }
    /** Wrong passwords at one door: for an email address, with or without an account, or in a session. */
    login_guard: {
      /** The address in lower case, or `session` and its id, or `second factor` and the id of the account. */
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
  user: {
    kind: 'shared',
    insertable: true,
    exported: {
      of: 'membership',
      column: 'user_id',
      columns: ['id', 'email', 'full_name', 'phone', 'locale', 'avatar_file_id', 'status', 'created_at', 'updated_at'],
    },
  },
  auth_session: { kind: 'system' },
  second_factor: { kind: 'system' },
  recovery_code: { kind: 'system' },
  passkey: { kind: 'system' },
  passkey_challenge: { kind: 'system' },
  login_guard: { kind: 'system' },
  email_token: { kind: 'system' },
}
