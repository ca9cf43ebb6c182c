import { listAccounts, type ListedUser } from '#app/operator/accounts.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { table } from './table.ts'

/** The status in their institute, because nearly everybody belongs to one; `disabled` if the account is. */
const statusOf = ({ status, memberships }: ListedUser): string => {
  if (status === 'disabled') return status
  const statuses = memberships.map((membership) => membership.status)
  return statuses.includes('active') ? 'active' : (statuses[0] ?? status)
}

const rolesOf = ({ memberships }: ListedUser): string =>
  memberships
    .map(({ tenantSlug, roles }) => {
      const names = roles.map(({ roleName }) => roleName).join(', ')
      return memberships.length > 1 ? `${tenantSlug}: ${names}` : names
    })
    .join('; ')

export const userList: Command = {
  about: 'List who has an account, with roles and status',
  usage: '[--json]',
  settings: ['INSTITUTE_DATA_DIR', 'INSTITUTE_DATABASE_URL'],
  options: { json: { about: 'As JSON, for scripts: an array with an object for each person' } },
  run: async (invocation) => {
    const users = await listAccounts(openConfig(invocation))
    if (invocation.switches.has('json')) {
      result(JSON.stringify(users, null, 2))
      return 0
    }
    if (users.length === 0) tell('Nobody has an account yet.')
    const rows = users.map((user) => [user.email, user.fullName, statusOf(user), rolesOf(user)])
    for (const line of table([['EMAIL', 'NAME', 'STATUS', 'ROLES'], ...rows])) result(line)
    return 0
  },
}
