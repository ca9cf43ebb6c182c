import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { Back } from '../../parts/back.tsx'
import { roleName, useRoles } from './reads.ts'
import { RoleWords } from './role-words.tsx'

/** What each role may do, to choose one for somebody. */
export const Screen = () => {
  const words = useWords()
  const roles = useRoles()
  return (
    <>
      <Back to="/settings/people" label={words.members.title} />
      <Page title={words.members.roles} about={words.members.rolesAbout}>
        <Loaded query={roles}>
          {(all) => (
            <ul className="card">
              {all.map((role) => (
                <li key={role.id}>
                  <div className="row">
                    <div className="grow">
                      <h2 className="role-name">{roleName(words, role)}</h2>
                      {role.description !== null && <p dir="auto">{role.description}</p>}
                      <RoleWords role={role} />
                    </div>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Page>
    </>
  )
}
