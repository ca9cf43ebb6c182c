import { createHash, randomBytes } from 'node:crypto'

/** What an invitation's link carries: 32 random bytes; the database only ever sees their hash. */
export const newInvitationToken = (): string => randomBytes(32).toString('base64url')

export const hashInvitationToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
