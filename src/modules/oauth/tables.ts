import type { Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** A program that registered itself. Its id is the client id. */
    oauth_client: {
      id: Fixed<string>
      name: Fixed<string>
      uri: Fixed<string | null>
      redirect_uris: Json<string[]>
      /** When somebody allowed it something last; null: never. */
      used_at: string | null
      created_at: Fixed<string>
    }
    /** What a member allowed an assistant. Its id is that of its session, with which it goes. */
    oauth_grant: {
      id: Fixed<string>
      tenant_id: TenantId
      user_id: Fixed<string>
      membership_id: Fixed<string>
      client_id: Fixed<string>
      client_name: Fixed<string>
      client_uri: Fixed<string | null>
      redirect_uri: Fixed<string>
      code_challenge: Fixed<string>
      scope: Fixed<string>
      /** The address that its access tokens are for. */
      resource: Fixed<string>
      /** When its authorization code was exchanged; null: not yet. */
      redeemed_at: string | null
      /** When its user, or whoever manages members, ended it. */
      ended_at: string | null
      created_at: Fixed<string>
    }
  }
}

export const oauthTables: TableRules = {
  oauth_client: { kind: 'system' },
  oauth_grant: { kind: 'tenant', secrets: ['code_challenge'] },
}
