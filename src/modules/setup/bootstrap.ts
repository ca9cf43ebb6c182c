import type { InferOutput } from 'valibot'
import { refusing } from '#db/dialect.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import { effectiveFeatures } from '#kernel/features.ts'
import type { TenantInfo } from '#kernel/actor.ts'
import type { SystemTx } from '#kernel/unit-of-work.ts'
import { createBranch } from '#modules/branches/index.ts'
import { openSession, type ReadySession, type SessionLifetime } from '#modules/identity/index.ts'
import { addMember, seedSystemRoles } from '#modules/members/index.ts'
import type { Bootstrap } from './schemas.ts'
import './tables.ts'

export const WrongSetupToken = failure(
  'TOKEN_INVALID',
  'wrong_setup_token',
  'This is not the setup token. `institute setup-token` prints it on the server.',
)

/** What the default branch is called until somebody renames it. */
const MAIN_BRANCH = { ar: 'الفرع الرئيسي', he: 'הסניף הראשי', en: 'Main branch' }

export interface BootstrapInput {
  body: InferOutput<typeof Bootstrap>
  passwordHash: string
  ready: ReadySession
  tenantId: string
  lifetime: SessionLifetime
}

/**
 * Makes the institute, its roles, its default branch and its owner, signed in, in one transaction. Of two at once one
 * wins, the other gets 404. A self-hosted install may use every feature that its owner can switch.
 * @throws NotFound once there is an institute
 */
export const bootstrap = async (tx: SystemTx, input: BootstrapInput): Promise<void> => {
  const { institute, owner } = input.body
  const { userId } = input.ready.session
  await tx.db
    .insertInto('user')
    .values({
      id: userId,
      email: owner.email,
      email_key: owner.email.toLowerCase(),
      full_name: `${owner.firstName} ${owner.lastName}`,
      phone: null,
      locale: institute.defaultLocale,
      avatar_file_id: null,
      status: 'active',
      // The wizard's setup token came from the server itself, and there may be no mail yet to ask by.
      email_verified: true,
      password_hash: input.passwordHash,
      is_platform_admin: false,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing({ unique: { 'user(email_key)': NotFound } }))
  await tx.db
    .insertInto('tenant')
    .values({
      id: input.tenantId,
      slug: institute.slug,
      name: institute.name,
      status: 'active',
      default_locale: institute.defaultLocale,
      timezone: institute.timezone,
      currency: institute.currency,
      deployment_mode: 'self_hosted',
      auto_lock_override: 'inherit',
      locked_at: null,
      locked_reason: null,
      locked_by_platform_admin_id: null,
      created_by: userId,
      feature_overrides: {},
      settings: institute.baseUrl ? { baseUrl: institute.baseUrl } : {},
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing({ unique: { 'tenant(slug)': NotFound } }))
  await tx.db
    .insertInto('installation')
    .values({ singleton: 1, tenant_id: input.tenantId, created_at: tx.now })
    .execute()
    .catch(refusing({ unique: { 'installation(singleton)': NotFound } }))

  const tenant: TenantInfo = {
    id: input.tenantId,
    slug: institute.slug,
    name: institute.name,
    status: 'active',
    lockedAt: null,
    deploymentMode: 'self_hosted',
    defaultLocale: institute.defaultLocale,
    timezone: institute.timezone,
    currency: institute.currency,
    features: effectiveFeatures({}),
  }
  const inTenant = tx.inTenant(tenant)
  const roles = await seedSystemRoles(inTenant)
  await addMember(inTenant, { userId, roleId: roles.owner })
  await createBranch(inTenant, { name: MAIN_BRANCH[institute.defaultLocale], isDefault: true })
  await openSession(tx, input.ready.session, input.lifetime)
  inTenant.audit({ entityType: 'tenant', entityId: tenant.id, after: { ...institute, ownerUserId: userId } })
  tx.enqueue('setup.forget-token', {})
}
