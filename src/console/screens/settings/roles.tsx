import { useState } from 'react'
import { Link } from 'wouter'
import { Back } from '../../parts/back.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { LookAs } from './look-as.tsx'
import { roleName, useHolders, useRoles, type Role } from './reads.ts'
import { RoleWords } from './role-words.tsx'
import { SecondFactorPolicy } from './second-factor-policy.tsx'

/** What each role may do, to choose one for somebody; and the institute's own roles. */
export const Screen = () => {
  const words = useWords()
  const me = useMe()
  const mayManage = me.can('roles.manage')
  const [isLooking, setLooking] = useState(false)
  const roles = useRoles()
  const holders = useHolders()
  return (
    <>
      <Back to="/settings/people" label={words.members.title} />
      <Page
        title={words.members.roles}
        about={words.members.rolesAbout}
        actions={
          <>
            <ButtonLink look="quiet" to="/settings/roles/compare">
              {words.roles.compare}
            </ButtonLink>
            {mayManage && (
              <Button look="quiet" onPress={() => setLooking(true)}>
                {words.looking.begin}
              </Button>
            )}
            {mayManage && (
              <ButtonLink look="primary" icon="plus" to="/settings/roles/new">
                {words.roles.add}
              </ButtonLink>
            )}
          </>
        }
      >
        <Loaded query={roles}>
          {(all) => (
            <ul className="card">
              {all.map((role) => (
                <li key={role.id}>
                  <Row role={role} held={holders.get(role.id)?.length ?? 0} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        {isLooking && roles.data && (
          <LookAs roles={roles.data.filter(({ key }) => key !== 'owner')} onClose={() => setLooking(false)} />
        )}
        {isOwner(me) && roles.data && <SecondFactorPolicy roles={roles.data} />}
      </Page>
    </>
  )
}

const Row = ({ role, held }: { role: Role; held: number }) => {
  const words = useWords()
  return (
    <Link href={`/settings/roles/${role.id}`} className="row">
      <div className="grow">
        <div className="chips">
          <h2 className="role-name">
            <bdi>{roleName(words, role)}</bdi>
          </h2>
          {!role.isSystem && <Badge meaning="info">{words.roles.own}</Badge>}
          {held > 0 && <Badge icon="user">{words.roles.held(held)}</Badge>}
        </div>
        {role.description !== null && <p dir="auto">{role.description}</p>}
        <RoleWords role={role} />
      </div>
      <Icon name="forward" />
    </Link>
  )
}
