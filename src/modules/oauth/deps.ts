import type { Queries } from '#kernel/contract/tables.ts'
import type { AccessTokens, SessionLifetime } from '#modules/identity/index.ts'
import { RefreshTokens } from '#modules/identity/index.ts'
import type { TaughtGroups } from '#modules/members/index.ts'
import type { PolicedOutbound } from '#ports/outbound/port.ts'
import type { Clock } from '#kernel/time/clock.ts'
import type { Runtime } from '#runtime/change/transaction.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { ClientDocuments } from './documents.ts'

/** Limits of those who need no credential. */
export interface ClientLimits {
  /** Registrations of clients from one address, in an hour. */
  clientsPerHourOfAddress: number
}

export interface OAuthDeps extends ClientLimits {
  database: Pick<Runtime['database'], 'read' | 'version'>
  clock: Clock
  vault: Vault
  accessTokens: AccessTokens
  /** How long grants live. */
  sessionLifetime: SessionLifetime
  /** Requests a minute of one user. */
  userPerMinute: number
  taughtGroups: TaughtGroups
  /** The address of this server. */
  baseUrl(db: Queries): Promise<string>
  /** Fetches the metadata documents of clients, from public addresses alone. */
  documents: PolicedOutbound
}

/** What the endpoints work with. */
export interface OAuth extends OAuthDeps {
  clients: ClientDocuments
  codes: RefreshTokens
  refreshTokens: RefreshTokens
}

export const oauthOf = (deps: OAuthDeps): OAuth => ({
  ...deps,
  clients: new ClientDocuments(deps.documents, deps.clock),
  codes: new RefreshTokens(deps.vault, 'oauth-code'),
  refreshTokens: new RefreshTokens(deps.vault, 'oauth-refresh-token'),
})

/** The one scope that there is: the rights are those of the member. */
export const SCOPE = 'mcp'

/** The address of MCP, for which access tokens are. */
export const resourceOf = async ({ baseUrl }: Pick<OAuthDeps, 'baseUrl'>, db: Queries): Promise<string> =>
  `${await baseUrl(db)}/mcp`

/** Whether a resource that a client names is that one, however its address is written. */
export const isSameResource = (named: string, resource: string): boolean => {
  const spelled = (text: string) => URL.parse(text)?.href.replace(/\/$/, '')
  return spelled(named) !== undefined && spelled(named) === spelled(resource)
}
