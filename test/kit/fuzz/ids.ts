import type { Example, World } from '../examples.ts'
import type { Ids } from './values.ts'

/** The ids that requests may name, by the property that names them; including those of a foreign institute. */
export const idsOf = (world: World, foreign: World, examples: readonly Example[]): Ids => {
  const found = new Map<string, string[]>([['', []]])
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) {
      found.set(name, [...(found.get(name) ?? []), value])
      found.get('')?.push(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) add(Array.isArray(value) ? name : key, inner)
    }
  }
  const { tenant, ownerUserId, roles } = world.institute
  add('', { tenantId: tenant.id, branchId: world.branchId, userId: ownerUserId, roleId: Object.values(roles) })
  add('', { branchId: foreign.branchId })
  for (const { params, body } of examples) add('', { params, body })
  return found
}
