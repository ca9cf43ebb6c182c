import { Back } from '../../parts/back.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
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
      <Table both={[first, second]} isWhole={isWhole} />
    </>
  )
}

/** A permission to change something brings the one to see it. */
const holds = ({ permissions }: Role, key: Role['permissions'][number]): boolean =>
  permissions.includes(key) ||
  (key.endsWith('.read') && permissions.some((one) => one.split('.')[0] === key.split('.')[0]))

const Table = ({ both, isWhole }: { both: readonly [Role, Role]; isWhole: boolean }) => {
  const all = useWords()
  const { roles: words, members } = all
  const permissions = usePermissions()
  return (
    <Loaded query={permissions}>
      {(known) => {
        const shown = known.filter(({ key }) => isWhole || holds(both[0], key) !== holds(both[1], key))
        if (shown.length === 0) {
          return (
            <div className="card">
              <Empty>{words.alike}</Empty>
            </div>
          )
        }
        return (
          <div className="card">
            <table className="table compared">
              <thead>
                <tr>
                  <th scope="col">
                    <span className="unseen">{words.permission}</span>
                  </th>
                  {both.map((role, at) => (
                    // The two may be one.
                    // oxlint-disable-next-line react/no-array-index-key
                    <th key={at} scope="col">
                      <bdi>{roleName(all, role)}</bdi>
                    </th>
                  ))}
                </tr>
              </thead>
              {[...new Set(shown.map(({ group }) => group))].map((group) => (
                <tbody key={group}>
                  <tr>
                    <th colSpan={3} scope="colgroup" className="subject">
                      {words.groups[group] ?? group}
                    </th>
                  </tr>
                  {shown
                    .filter((one) => one.group === group)
                    .map(({ key }) => (
                      <tr key={key}>
                        <th scope="row">{members.permissions[key]}</th>
                        {both.map((role, at) => (
                          // oxlint-disable-next-line react/no-array-index-key
                          <td key={at}>
                            {holds(role, key) && <Icon name="tick" />}
                            <span className="unseen">{holds(role, key) ? words.yes : words.no}</span>
                          </td>
                        ))}
                      </tr>
                    ))}
                </tbody>
              ))}
            </table>
          </div>
        )
      }}
    </Loaded>
  )
}
