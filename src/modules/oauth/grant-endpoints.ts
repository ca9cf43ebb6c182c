import { change, openChange, openRead, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { found, NotFound } from '#kernel/values/errors.ts'
import { Ok, ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { sessionOf } from '#modules/identity/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { OAuth } from './deps.ts'
import {
  AssistantGrant,
  endGrant,
  findGrant,
  listGrantsOfInstitute,
  listGrantsOfMember,
  listGrantsOfUser,
  MemberAssistantGrant,
} from './grants.ts'

export const grantEndpoints = ({ database }: OAuth): readonly Endpoint[] => [
  openRead({
    id: 'me.list-grants',
    path: '/me/grants',
    summary: 'List the assistants that act for the user',
    description: 'In all their institutes, newest first, without those that ended.',
    access: 'user',
    query: pageQuery({}),
    reply: pageOf(AssistantGrant),
    handle: async ({ everywhere, caller, ...context }) =>
      listGrantsOfUser({ ...context, db: everywhere }, sessionOf(caller).userId),
  }),
  openChange({
    id: 'me.end-grant',
    method: 'DELETE',
    path: '/me/grants/{id}',
    summary: 'End what an assistant was allowed',
    description: 'From its next request on it is refused. One that has ended is 404.',
    access: 'user',
    reply: Ok,
    handle: async ({ tx, caller, params }) => {
      const { userId } = sessionOf(caller)
      const { tenantId } = found(await findGrant(tx.everywhere, params.id))
      const tenant = found(await findTenant(tx.db, tenantId))
      if (!(await endGrant(tx.inTenant(tenant), params.id, { userId }))) throw NotFound()
      return ok
    },
  }),
  read({
    id: 'members.list-all-grants',
    path: '/assistant-grants',
    summary: 'List the assistants that act for anybody in the institute',
    description:
      'Newest first, without those that ended. DELETE /members/{id}/grants/{grantId} ends one, with its membershipId.',
    access: 'members.manage',
    wholeTenant: true,
    query: pageQuery({}),
    reply: pageOf(MemberAssistantGrant),
    handle: async ({ tenant, ...context }) => listGrantsOfInstitute({ ...context, db: database.read }, tenant.id),
  }),
  read({
    id: 'members.list-grants',
    path: '/members/{id}/grants',
    summary: 'List the assistants that act for a member',
    description: 'In this institute, newest first, without those that ended.',
    access: 'members.manage',
    wholeTenant: true,
    query: pageQuery({}),
    reply: pageOf(AssistantGrant),
    handle: async ({ db, tenant, params, ...context }) => {
      const member = db.selectFrom('membership').select('id').where('id', '=', params.id)
      const { id: membershipId } = found(await member.executeTakeFirst())
      return listGrantsOfMember({ ...context, db: database.read }, { tenantId: tenant.id, membershipId })
    },
  }),
  change({
    id: 'members.end-grant',
    method: 'DELETE',
    path: '/members/{id}/grants/{grantId}',
    summary: 'End what a member allowed an assistant',
    description: 'From its next request on it is refused. One that has ended is 404.',
    access: 'members.manage',
    wholeTenant: true,
    reply: Ok,
    handle: async ({ tx, params }) => {
      if (!(await endGrant(tx, params.grantId, { membershipId: params.id }))) throw NotFound()
      return ok
    },
  }),
]
