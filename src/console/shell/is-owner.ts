import type { Schemas } from '../api/schemas.ts'

/** Whether the signed-in person owns the institute. */
export const isOwner = ({ membership }: { membership: Pick<Schemas['MembershipSummary'], 'roles'> }): boolean =>
  membership.roles.some(({ roleKey }) => roleKey === 'owner')
