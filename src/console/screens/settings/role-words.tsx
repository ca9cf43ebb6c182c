import { useWords } from '../../words/language.tsx'
import { isFamilyRole, type Role } from './reads.ts'

type Permission = Role['permissions'][number]

/** The permissions that a reader needs to be told: one to write brings the one to read. */
const told = (permissions: readonly Permission[]): Permission[] => {
  const brought = new Set(
    permissions.filter((one) => !one.endsWith('.read')).map((one) => `${one.split('.')[0] ?? ''}.read`),
  )
  return permissions.filter((one) => !brought.has(one))
}

/** With so few left out, it is shorter to say what a role may not do. */
const FEW = 6

/** What a role may do, in words. */
export const RoleWords = ({ role }: { role: Role }) => {
  const { members: words } = useWords()
  const all = Object.keys(words.permissions) as Permission[]
  const missing = all.filter((one) => !role.permissions.includes(one))
  if (isFamilyRole(role.key)) return <p className="small">{words.familyMay}</p>
  if (missing.length === 0) return <p className="small">{words.mayAll}</p>
  if (role.permissions.length === 0) return <p className="small">{words.mayNothing}</p>
  const [lead, shown] =
    missing.length <= FEW
      ? [words.mayAllBut, missing]
      : [role.key === 'teacher' ? words.mayInOwnGroups : words.may, told(role.permissions)]
  return (
    <div className="small">
      <p>{lead}</p>
      <ul className="bullets">
        {shown.map((one) => (
          <li key={one}>{words.permissions[one]}</li>
        ))}
      </ul>
    </div>
  )
}
