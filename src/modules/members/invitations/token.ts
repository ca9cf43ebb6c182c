import { createHash, randomBytes } from 'node:crypto'

/** Makes the token for an invitation's link: 32 random bytes. The database stores only its hash. */
export const newInvitationToken = (): string => randomBytes(32).toString('base64url')

export const hashInvitationToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
