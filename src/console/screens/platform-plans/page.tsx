import { Fragment } from 'react'
import { Link } from 'wouter'
import { FEATURE_DEFAULTS } from '../../../shared/feature-defaults.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
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
              {shown.length === 0 ? (
                <div className="card">
                  <Empty>{words.none}</Empty>
                </div>
              ) : (
                <SideBySide plans={shown} />
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** The same lines in each, in the same order: one reads along them from plan to plan, on a phone from card to card. */
const SideBySide = ({ plans }: { plans: readonly Plan[] }) => (
  <ul className="report-cards">
    {plans.map((plan) => (
      <li key={plan.id}>
        <PlanCard plan={plan} />
      </li>
    ))}
  </ul>
)

const PlanCard = ({ plan }: { plan: Plan }) => {
  const { plans: words } = useWords()
  const format = useFormat()
  const { id, name, price, interval, features, quotas, archivedAt } = plan
  return (
    <Section
      title={
        <Link className="link" href={`/platform/plans/${id}`}>
          <bdi>{name}</bdi>
        </Link>
      }
      actions={<span className="soft">{words.prices[interval](format.money(price))}</span>}
    >
      {archivedAt !== null && <Badge>{words.archived}</Badge>}
      <Facts>
        {FEATURES.map((feature) => (
          <Fragment key={feature}>
            <dt>{words.feature[feature]}</dt>
            <dd>
              <Switched is={features[feature]} byDefault={FEATURE_DEFAULTS[feature]} />
            </dd>
          </Fragment>
        ))}
        {QUOTAS.map((quota) => (
          <Fragment key={quota}>
            <dt>{words.quota[quota]}</dt>
            <dd>
              <Limit of={quotas[quota]} isBytes={quota === 'maxStorageBytes'} />
            </dd>
          </Fragment>
        ))}
      </Facts>
    </Section>
  )
}

const Limit = ({ of, isBytes }: { of: number | null; isBytes: boolean }) => {
  const { plans: words } = useWords()
  const format = useFormat()
  if (of === null) return <span className="soft">{words.unlimited}</span>
  return isBytes ? format.bytes(of) : format.number(of)
}

const Switched = ({ is, byDefault }: { is: boolean | null; byDefault: boolean }) => {
  const { plans: words } = useWords()
  if (is === null) return <span className="soft">{words.byDefault(byDefault)}</span>
  return (
    <Badge icon={is ? 'tick' : 'cross'} {...(is && { meaning: 'good' })}>
      {is ? words.on : words.off}
    </Badge>
  )
}
