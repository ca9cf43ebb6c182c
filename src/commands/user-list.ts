import { listAccounts, type ListedUser } from '#app/accounts.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

/** Names are other people's words: what would move the cursor or start a line is left out. */
const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '')

/** What a person who belongs to one institute, as nearly all do, is there. */
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

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

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
    const rows = users.map((user) => [user.email, user.fullName, statusOf(user), rolesOf(user)].map(printable))
    for (const line of table([['EMAIL', 'NAME', 'STATUS', 'ROLES'], ...rows])) result(line)
    return 0
  },
}
