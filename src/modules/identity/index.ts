import type { Module } from '#kernel/module.ts'
import { identityTables } from './tables.ts'

export { userAuthenticator } from './authenticator.ts'
export { openSession, type SessionLifetime } from './sessions.ts'
export { handOver, readySession, SignedIn, userSummary, type ReadySession } from './sign-in.ts'
export { AccessTokens, makeSigningKey } from './tokens.ts'

export const identityModule: Module = { name: 'identity', tables: identityTables }
