import type { Area } from './operations.ts'

// What the contract has and the program does not have yet. Remove what you build; when nothing is left, delete this
// file.

/** Operations under /api/v1. */
export const OPERATIONS_NOT_BUILT: Readonly<Partial<Record<Area, readonly string[]>>> = {
  'OAuth consent': ['GET /oauth/consent-context', 'POST /oauth/consent'],
}

/** Addresses at the server's root. */
export const ROOT_NOT_BUILT: readonly string[] = [
  'POST /mcp',
  'GET /mcp',
  'DELETE /mcp',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'POST /oauth/register',
  'GET /oauth/authorize',
  'POST /oauth/token',
  'POST /oauth/revoke',
]

/** Events that nothing records. */
export const EVENTS_NOT_RECORDED: readonly string[] = []
