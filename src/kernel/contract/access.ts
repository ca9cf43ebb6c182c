import type { Permission } from '#kernel/rights/permissions.ts'

/**
 * Who may call an endpoint:
 * - a permission, or a list of permissions of which one is enough: a member or a secret key that holds it;
 * - `tenant`: any caller inside an institute, with or without permissions, including API keys;
 * - `owner`: a member with the owner's role;
 * - `publishable`: a publishable key, from one of its origins;
 * - `user`: a signed-in user, with or without a chosen institute;
 * - `platform`: a platform admin;
 * - `anyone`: the endpoint ignores credentials.
 */
export type TenantAccess = Permission | readonly Permission[] | 'tenant' | 'owner' | 'publishable'
export type OpenAccess = 'user' | 'platform' | 'anyone'
export type Access = TenantAccess | OpenAccess
