import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { Forbidden, found, NotFound } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { Ok, ok, ts, uuid } from '#kernel/values/schema.ts'
import { previewOf, type Caller } from '#kernel/who/actor.ts'
import { checkAssignments, PermissionEscalation } from '#modules/members/index.ts'
import { ROLE_PREVIEW } from '../credentials.ts'
import type { Identity } from '../deps.ts'
import { openPreview, preparePreview } from '../preview.ts'
import { revokeSession } from '../sessions.ts'
import { sessionOf } from '../sign-in.ts'
import { usableTenant } from '../usable-tenant.ts'

const NewPreview = named('NewRolePreview', v.object({ branchId: v.optional(v.nullable(uuid)) }), {
  branchId: 'The branch for which the role would be given; null, or left out: for the whole institute.',
})

const RolePreview = named('RolePreview', v.object({ accessToken: v.string(), expiresAt: ts }), {
  accessToken: 'Shows what the role sees.',
  expiresAt: 'When it ends by itself.',
})

/** The institute in which the caller manages roles. @throws Forbidden */
const managedTenant = (caller: Caller | null) => {
  const tenant = usableTenant(caller)
  if (!caller || !tenant) throw Forbidden({ reason: 'tenant_not_selected' })
  if (caller.grants.reach('roles.manage') !== 'all') {
    throw Forbidden({ reason: 'permission_missing', permissions: ['roles.manage'] })
  }
  return { tenant, caller }
}

/** Sessions belong to no institute, so what begins and ends them stands beside its endpoints, and looks for the right itself. */
export const previewEndpoints = ({ tokens }: Identity): readonly Endpoint[] => [
  openChange({
    id: 'roles.preview',
    method: 'POST',
    path: '/roles/{id}/preview',
    summary: 'Look at the institute as a role sees it, for 15 minutes',
    description:
      'For whoever holds roles.manage (403), of a role that they could give to somebody (403 PERMISSION_ESCALATION), for one branch or for the whole institute. Answers an access token that reads what somebody would who was given this role just now, who has no records of their own yet: a teacher’s role reaches no group. It changes nothing (403 FORBIDDEN, details.reason previewing), shows nothing of the caller’s account, and neither reads nor makes what goes on after it (addresses of calendars, keys, webhooks, exports, backups). It cannot be renewed. It ends with the caller’s own session (401), and once the role is changed or deleted, or the caller could not give it any more (403, details.reason preview_ended).',
    access: 'user',
    body: NewPreview,
    bodyOptional: true,
    reply: RolePreview,
    credential: ROLE_PREVIEW,
    fails: [PermissionEscalation],
    prepare: ({ caller, now }) => preparePreview(tokens, sessionOf(caller), now),
    handle: async ({ tx, caller: asking, params, body, request, prepared }) => {
      const { tenant, caller } = managedTenant(asking)
      const inside = tx.inTenant(tenant)
      const roleId = params.id
      const branchId = body.branchId ?? null
      await checkAssignments(inside.whole, caller, [{ roleId, branchId }], ['branchId'])
      const role = inside.whole.selectFrom('role').select(['name', 'version']).where('id', '=', roleId)
      const { name, version: roleVersion } = found(await role.executeTakeFirst())
      await openPreview(tx, tokens, { request, own: sessionOf(caller), prepared, roleId, roleVersion, branchId })
      const { sessionId, accessToken, expiresAt } = prepared
      inside.audit({
        entityType: 'role',
        entityId: roleId,
        before: { name },
        metadata: { sessionId, expiresAt, ...(branchId !== null && { branchId }) },
      })
      return { accessToken, expiresAt }
    },
  }),
  openChange({
    id: 'roles.end-preview',
    method: 'DELETE',
    path: '/roles/{id}/preview',
    summary: 'End looking as a role',
    description: 'With the access token of POST /roles/{id}/preview, for the role of which it is. Any other is 404.',
    access: 'user',
    previewedToo: true,
    reply: Ok,
    handle: async ({ tx, caller, params }) => {
      const preview = previewOf(caller)
      if (!caller?.tenant || preview?.roleId !== params.id) throw NotFound()
      const { sessionId } = sessionOf(caller)
      await revokeSession(tx, preview.userId, sessionId)
      const { roleName, roleId } = preview
      tx.inTenant(caller.tenant).audit({
        entityType: 'role',
        entityId: roleId,
        before: { name: roleName },
        metadata: { sessionId },
      })
      return ok
    },
  }),
]
