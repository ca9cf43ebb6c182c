import { Fragment } from 'react'
import { Back } from '../../parts/back.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { isFamilyRole, roleName, usePermissions, useRoles, type Role } from './reads.ts'

/** `/settings/roles/compare`: what one role may do and another may not. */
export const Screen = () => {
  const { members, roles: words } = useWords()
  const roles = useRoles()
  return (
    <>
      <Back to="/settings/roles" label={members.roles} />
      <Page title={words.compare}>
        <div className="narrow">
          <Loaded query={roles}>{(all) => <Compared roles={all.filter(({ key }) => !isFamilyRole(key))} />}</Loaded>
        </div>
      </Page>
    </>
  )
}

const Compared = ({ roles }: { roles: readonly Role[] }) => {
  const all = useWords()
  const { roles: words } = all
  const { filters, set } = useFilters(['first', 'second', 'all'])
  const options = roles.map((role) => ({ id: role.id, label: roleName(all, role) }))
  const first = roles.find(({ id }) => id === filters.first) ?? roles[0]
  const second = roles.find(({ id }) => id === filters.second) ?? roles[1]
  if (!first || !second) return null
  const isWhole = filters.all !== undefined
  return (
    <>
      <div className="filters">
        <Choice label={words.first} options={options} value={first.id} onChange={(id) => set('first', id)} />
        <Choice label={words.second} options={options} value={second.id} onChange={(id) => set('second', id)} />
        <Check isChecked={!isWhole} onChange={(isOn) => set('all', isOn ? '' : '1')}>
          {words.onlyDifferent}
        </Check>
      </div>
      <Differences both={[first, second]} isWhole={isWhole} />
    </>
  )
}

/** A permission to change something brings the one to see it. */
const holds = ({ permissions }: Role, key: Role['permissions'][number]): boolean =>
  permissions.includes(key) ||
  (key.endsWith('.read') && permissions.some((one) => one.split('.')[0] === key.split('.')[0]))

const Differences = ({ both, isWhole }: { both: readonly [Role, Role]; isWhole: boolean }) => {
  const all = useWords()
  const { roles: words, members } = all
  const permissions = usePermissions()
  return (
    <Loaded query={permissions}>
      {(known) => {
        const shown = known.filter(({ key }) => isWhole || holds(both[0], key) !== holds(both[1], key))
        return (
          <div className="card">
            {shown.length === 0 && <Empty>{words.alike}</Empty>}
            {[...new Set(shown.map(({ group }) => group))].map((group) => (
              <Fragment key={group}>
                <h2 className="day-head">{words.groups[group] ?? group}</h2>
                <ul aria-label={words.groups[group] ?? group}>
                  {shown
                    .filter((one) => one.group === group)
                    .map(({ key }) => (
                      <li key={key}>
                        <div className="row">
                          <span className="grow">{members.permissions[key]}</span>
                          <Holding both={both} permission={key} />
                        </div>
                      </li>
                    ))}
                </ul>
              </Fragment>
            ))}
          </div>
        )
      }}
    </Loaded>
  )
}

/** Which of the two may do it. */
const Holding = ({ both, permission }: { both: readonly [Role, Role]; permission: Role['permissions'][number] }) => {
  const all = useWords()
  const [first, second] = both
  const isOfFirst = holds(first, permission)
  const isOfSecond = holds(second, permission)
  if (!isOfFirst && !isOfSecond) return <span className="soft">{all.roles.neither}</span>
  return (
    <span className="chips">
      {isOfFirst && (
        <Badge icon="tick" meaning="good">
          <bdi>{roleName(all, first)}</bdi>
        </Badge>
      )}
      {isOfSecond && (
        <Badge icon="tick" meaning="info">
          <bdi>{roleName(all, second)}</bdi>
        </Badge>
      )}
    </span>
  )
}
