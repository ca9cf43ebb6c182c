import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { ALL_PERMISSIONS } from '#kernel/rights/permissions.ts'
import {
  count,
  emptyableProse,
  expectedVersion,
  id,
  list,
  orNull,
  permission,
  title,
  ts,
} from '#kernel/values/schema.ts'

const words = {
  isSystem: 'Whether every institute starts with it.',
  permissions: 'What the role allows, as GET /permissions lists it.',
  group: 'With which others it is shown.',
  asksSecondFactor:
    'Whether whoever holds it signs in with a second factor (a code or a passkey). Who has set none up yet does that first, and can do nothing else.',
}

/** Without duplicates, in the order of the permission registry. */
const permissions = v.pipe(
  v.array(permission),
  v.maxLength(100, 'Must have at most 100 permissions.'),
  v.transform((given) => ALL_PERMISSIONS.filter((one) => given.includes(one))),
)

export const PermissionInfo = named(
  'PermissionInfo',
  v.object({ key: permission, description: v.string(), group: v.string() }),
  { ...words, key: 'The name of the permission.', description: 'What it allows.' },
)

export const Role = named(
  'Role',
  v.object({
    id,
    key: orNull(v.string()),
    name: v.string(),
    description: orNull(v.string()),
    isSystem: v.boolean(),
    permissions: list(permission),
    asksSecondFactor: v.boolean(),
    version: count,
    createdAt: ts,
    updatedAt: ts,
  }),
  { ...words, key: 'Names a role that every institute starts with; null: the institute made it.' },
)
export type Role = v.InferOutput<typeof Role>

const writable = v.object({ name: title(100), description: v.nullable(emptyableProse(500)), permissions })

export const NewRole = named('NewRole', v.partial(writable, ['description']), words)
export const RoleChanges = named(
  'RoleChanges',
  v.object({ ...v.partial(writable).entries, asksSecondFactor: v.optional(v.boolean()), version: expectedVersion }),
  words,
)
