import { Link } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { isOver, useInstituteNames, usePlans, type Subscription } from '../../records/platform/reads.ts'
import { SubscriptionState } from '../../records/platform/subscription-state.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'

const ANY = ''
const STATES = ['active', 'trialing', 'past_due', 'expired', 'cancelled'] as const
const WITHIN = [7, 14, 30, 90]

/** `/platform/renewals`: whose subscription ends, and when. */
export const Screen = () => {
  const { platform } = useWords()
  const { renewals: words, subscription: states } = platform
  const format = useFormat()
  const plans = usePlans()
  const { filters, set } = useFilters(['state', 'within'])
  const status = STATES.find((known) => known === filters.state)
  const within = WITHIN.find((days) => String(days) === filters.within)
  const query = { ...(status && { status }), ...(within !== undefined && { expiringWithinDays: within }) }
  const pages = usePages<Subscription>(['/platform/subscriptions', query], (cursor, signal) =>
    answer(
      api.GET('/platform/subscriptions', {
        params: { query: { ...query, limit: 50, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  const nameOf = useInstituteNames(pages.rows)
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Download
          path="/platform/subscriptions"
          query={{ ...(status && { status }), ...(within !== undefined && { expiringWithinDays: String(within) }) }}
        />
      }
    >
      <div className="filters">
        <Choice
          label={words.within}
          options={[
            { id: ANY, label: words.anyTime },
            ...WITHIN.map((days) => ({ id: String(days), label: words.days(days) })),
          ]}
          value={within === undefined ? ANY : String(within)}
          onChange={(id) => set('within', id)}
        />
        <Choice
          label={states.state}
          options={[{ id: ANY, label: platform.any }, ...STATES.map((id) => ({ id, label: states.states[id] }))]}
          value={status ?? ANY}
          onChange={(id) => set('state', id)}
        />
      </div>
      <Rows pages={pages} label={words.title} keyOf={({ id }) => id} empty={<p>{words.none}</p>}>
        {(subscription) => {
          const { tenantId, planId, currentPeriodEnd } = subscription
          const day = format.date(format.dateOf(currentPeriodEnd))
          return (
            <Link href={`/platform/institutes/${tenantId}`} className="row">
              <span className="grow">
                <span className="chips">
                  <bdi className="name">{nameOf(tenantId)}</bdi>
                  <SubscriptionState of={subscription} />
                </span>
                <span className="about">
                  <Dotted>
                    <bdi>{plans.data?.find(({ id }) => id === planId)?.name ?? '…'}</bdi>
                    {isOver(subscription) ? platform.institutes.since(day) : platform.institutes.until(day)}
                  </Dotted>
                </span>
              </span>
              <Icon name="forward" />
            </Link>
          )
        }}
      </Rows>
    </Page>
  )
}
