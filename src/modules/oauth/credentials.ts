import type { Credential } from '#kernel/contract/credential.ts'

/** Authorization code, refresh tokens and access tokens of one grant: a family of one session. */
export const ASSISTANT: Credential = {
  name: 'assistant',
  of: 'member',
  opens:
    'MCP alone, with the rights that the member has at each call: a code for a minute, then tokens for 30 days without use and 90 at most.',
  lasting: true,
  columns: ['oauth_grant.code_challenge', 'auth_session.token_hash', 'auth_session.recent_rotations'],
  purposes: ['oauth-code', 'oauth-refresh-token'],
  ends: [
    'logout_all',
    'password_changed',
    'password_reset',
    'user_disabled',
    'membership_disabled',
    'membership_deleted',
    'role_taken',
    'tenant_locked',
    'tenant_archived',
  ],
  why: 'An assistant goes on when its person signs out in a browser, and no record lets it in; an impersonated session lets none in.',
}

/** What a person agrees by to a change that an assistant asks for. */
export const CONFIRMATION: Credential = {
  name: 'mcp-confirmation',
  of: 'member',
  opens: 'One call of one tool with exactly these arguments, once, for ten minutes, to the caller who asked.',
  lasting: false,
  purposes: ['mcp-confirmation'],
  ends: [],
  why: 'It is of no use without the credential of its caller, which ends by itself.',
}

export const OAUTH_CREDENTIALS: readonly Credential[] = [ASSISTANT, CONFIRMATION]
