import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { membershipsOf } from '#modules/members/index.ts'
import type { IdentityDeps } from './deps.ts'

/**
 * The institute that a sign-in selects by itself: the only active membership; at the domain of an institute, that in
 * this institute and no other. A platform admin selects none, because inside an institute they cannot act for the
 * platform.
 */
export const tenantToOpen = async (
  { tenantOfHost }: Pick<IdentityDeps, 'tenantOfHost'>,
  { everywhere, request }: { everywhere: SystemDb; request: Pick<RequestInfo, 'host'> },
  userId: string,
): Promise<string | null> => {
  const user = everywhere.selectFrom('user').select('is_platform_admin').where('id', '=', userId)
  if ((await user.executeTakeFirst())?.is_platform_admin) return null
  const here = await tenantOfHost(everywhere, request.host)
  const selectable = (await membershipsOf(everywhere, userId)).filter(
    ({ status, tenantId }) => status === 'active' && (here === undefined || tenantId === here),
  )
  return selectable.length === 1 ? (selectable[0]?.tenantId ?? null) : null
}
