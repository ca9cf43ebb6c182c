import type { InferOutput } from 'valibot'
import { refusing } from '#db/dialect.ts'
import { ApiError, failure, NotFound } from '#kernel/values/errors.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { createUser, EmailTaken } from '#modules/identity/index.ts'
import { createTenant } from '#modules/provisioning/index.ts'
import { TenantSlugTaken } from '#modules/tenants/index.ts'
import type { Bootstrap } from './schemas.ts'

export const WrongSetupToken = failure(
  'TOKEN_INVALID',
  'wrong_setup_token',
  'This is not the setup token. `institute setup-token` prints it on the server.',
)

/** Deletes the setup token's file after the commit, and retries after a kill: the token must not outlive the set-up. */
export const forgetTokenJob = declareJob('setup.forget-token', noPayload)

export interface BootstrapInput {
  body: InferOutput<typeof Bootstrap>
  passwordHash: string
  tenantId: string
  userId: string
}

/** On an empty server, a taken email or slug means that another bootstrap came first. */
const orNotFound = (error: unknown): never => {
  const isTaken = error instanceof ApiError && (error.spec === EmailTaken.spec || error.spec === TenantSlugTaken.spec)
  throw isTaken ? NotFound() : error
}

/**
 * Creates the institute, its roles, its default branch and its owner in one transaction. Of two concurrent calls one
 * wins and the other gets 404. A self-hosted institute may use every feature that its owner can switch.
 * @throws NotFound once there is an institute
 */
export const bootstrap = async (
  tx: SystemTx,
  { body: { institute, owner }, passwordHash, tenantId, userId }: BootstrapInput,
): Promise<void> => {
  await createUser(tx, {
    id: userId,
    email: owner.email,
    fullName: `${owner.firstName} ${owner.lastName}`,
    locale: institute.defaultLocale,
    // The setup token proves that the owner controls the server, and there may be no mail server yet to confirm by.
    emailVerified: true,
    passwordHash,
  }).catch(orNotFound)
  await createTenant(tx, {
    ...institute,
    id: tenantId,
    deploymentMode: 'self_hosted',
    ownerUserId: userId,
  }).catch(orNotFound)
  await tx.db
    .insertInto('installation')
    .values({ singleton: 1, tenant_id: tenantId, created_at: tx.now })
    .execute()
    .catch(refusing({ unique: { 'installation(singleton)': NotFound } }))
  tx.enqueue(forgetTokenJob, {})
}
