import { Link } from 'wouter'
import { ButtonLink } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { usePlans, type Plan } from '../../records/platform/reads.ts'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { FEATURES, QUOTAS } from './form.tsx'

/** `/platform/plans`: what each plan switches on and limits, side by side. */
export const Screen = () => {
  const { plans: words } = useWords()
  const plans = usePlans()
  const { filters, set } = useFilters(['all'])
  const isWhole = filters.all !== undefined
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <ButtonLink look="primary" icon="plus" to="/platform/plans/new">
          {words.add}
        </ButtonLink>
      }
    >
      <Loaded query={plans}>
        {(all) => {
          const shown = all.filter(({ archivedAt }) => isWhole || archivedAt === null)
          return (
            <>
              {all.some(({ archivedAt }) => archivedAt !== null) && (
                <div className="filters">
                  <Check isChecked={isWhole} onChange={(isOn) => set('all', isOn ? '1' : '')}>
                    {words.withArchived}
                  </Check>
                </div>
              )}
              <div className="card">{shown.length === 0 ? <Empty>{words.none}</Empty> : <Matrix plans={shown} />}</div>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

const Matrix = ({ plans }: { plans: readonly Plan[] }) => {
  const { plans: words } = useWords()
  const format = useFormat()
  return (
    <div className="matrix">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{words.what}</th>
            {plans.map(({ id, name, price, interval, archivedAt }) => (
              <th key={id} scope="col">
                <Link className="link" href={`/platform/plans/${id}`}>
                  <bdi>{name}</bdi>
                </Link>
                <span className="about">{words.prices[interval](format.money(price))}</span>
                {archivedAt !== null && <Badge>{words.archived}</Badge>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FEATURES.map((feature) => (
            <tr key={feature}>
              <th scope="row">{words.feature[feature]}</th>
              {plans.map(({ id, features }) => (
                <td key={id}>
                  <Switched is={features[feature]} />
                </td>
              ))}
            </tr>
          ))}
          {QUOTAS.map((quota) => (
            <tr key={quota}>
              <th scope="row">{words.quota[quota]}</th>
              {plans.map(({ id, quotas }) => {
                const limit = quotas[quota]
                return (
                  <td key={id}>
                    {limit === null ? (
                      <span className="soft">{words.unlimited}</span>
                    ) : quota === 'maxStorageBytes' ? (
                      format.bytes(limit)
                    ) : (
                      format.number(limit)
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Switched = ({ is }: { is: boolean | null }) => {
  const { plans: words } = useWords()
  if (is === null) return <span className="soft">{words.byDefault}</span>
  return (
    <span className={is ? 'switched on' : 'switched'}>
      <Icon name={is ? 'tick' : 'cross'} /> {is ? words.on : words.off}
    </span>
  )
}
