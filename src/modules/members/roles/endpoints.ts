import { change, openRead, read } from '#kernel/contract/endpoint.ts'
import { VersionConflict } from '#kernel/values/errors.ts'
import { PERMISSIONS } from '#kernel/rights/permissions.ts'
import { Ok, pageOf, pageQuery, shortListQuery } from '#kernel/values/schema.ts'
import { pageFrom } from '#runtime/records/cursors.ts'
import { readRecord } from '#runtime/records/records.ts'
import { PermissionEscalation } from '../escalation.ts'
import { NewRole, PermissionInfo, Role, RoleChanges } from './schemas.ts'
import {
  changeRole,
  createRole,
  deleteRole,
  listRoles,
  RoleImmutable,
  RoleInUse,
  RoleNameTaken,
  roleRecord,
  SystemRoleStays,
} from './service.ts'

export const roleEndpoints = [
  openRead({
    id: 'permissions.list',
    path: '/permissions',
    summary: 'List every permission there is',
    description:
      'By the part of the institute they concern, all in one page unless `limit` is sent. A permission to write brings the one to read the same resource.',
    access: 'user',
    previewedToo: true,
    query: shortListQuery,
    reply: pageOf(PermissionInfo),
    handle: async (context) => pageFrom(PERMISSIONS, ({ key }) => key, context),
  }),
  read({
    id: 'roles.list',
    path: '/roles',
    summary: 'List roles',
    description: 'Newest first. `key` names the roles that every institute has; it is null for those made later.',
    access: ['members.read', 'roles.manage'],
    query: pageQuery({}),
    reply: pageOf(Role),
    handle: listRoles,
  }),
  change({
    id: 'roles.create',
    method: 'POST',
    path: '/roles',
    summary: 'Make a role',
    description:
      'Its permissions must all be held by the caller for the whole institute (403 PERMISSION_ESCALATION; details.permissions names the missing ones). A permission that is named twice counts once.',
    access: 'roles.manage',
    wholeTenant: true,
    body: NewRole,
    status: 201,
    reply: Role,
    fails: [PermissionEscalation, RoleNameTaken],
    handle: ({ tx, caller, body }) => createRole(tx, caller, body),
  }),
  read({
    id: 'roles.read',
    path: '/roles/{id}',
    summary: 'Read a role',
    access: 'roles.manage',
    reply: Role,
    handle: ({ db, params }) => readRecord(db, roleRecord, params.id),
  }),
  change({
    id: 'roles.update',
    method: 'PATCH',
    path: '/roles/{id}',
    summary: 'Change a role',
    description:
      'Holds for everyone who has the role from their next request on. The permissions that are added must be held by the caller for the whole institute. The owner’s role is immutable, but for `asksSecondFactor`, which owners alone change, of every role; the other roles that every institute has can be renamed and given other permissions, but the roles of students and guardians stay without any (422).',
    access: 'roles.manage',
    wholeTenant: true,
    body: RoleChanges,
    reply: Role,
    fails: [RoleImmutable, VersionConflict, PermissionEscalation, RoleNameTaken],
    handle: ({ tx, caller, params, body }) => changeRole(tx, caller, { ...body, id: params.id }),
  }),
  change({
    id: 'roles.delete',
    method: 'DELETE',
    path: '/roles/{id}',
    summary: 'Delete a role that nobody has',
    description:
      '409 while it is assigned, to somebody who is only invited or disabled too. The owner’s role is immutable, and the other roles that every institute has stay (409).',
    access: 'roles.manage',
    wholeTenant: true,
    reply: Ok,
    fails: [RoleImmutable, SystemRoleStays, RoleInUse],
    handle: ({ tx, params }) => deleteRole(tx, params.id),
  }),
]
