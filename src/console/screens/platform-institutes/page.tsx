import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { isOver, usePlans } from '../../records/platform/reads.ts'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Institute = Schemas['ListedTenant']

const ANY = ''
const STATES = ['active', 'suspended', 'archived'] as const
const MODES = ['cloud', 'self_hosted'] as const

/** The lists that the figures of a month open. */
const MONTHS = ['createdIn', 'cancelledIn', 'archivedIn', 'lockedIn'] as const
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

const one = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((known) => known === value)

/** `/platform/institutes`: the first page of the vendor. */
export const Screen = () => {
  const { platform, platformFigures } = useWords()
  const { institutes: words } = platform
  const format = useFormat()
  const { filters, set } = useFilters(['q', 'state', 'mode', ...MONTHS])
  const ofMonth = MONTHS.find((name) => MONTH.test(filters[name] ?? ''))
  const month = ofMonth && filters[ofMonth]
  const status = one(STATES, filters.state)
  const deploymentMode = one(MODES, filters.mode)
  const query = {
    ...(filters.q && { q: filters.q }),
    ...(status && { status }),
    ...(deploymentMode && { deploymentMode }),
    ...(ofMonth && month && { [ofMonth]: month }),
  }
  const pages = usePages<Institute>(['/platform/tenants', query], (cursor, signal) =>
    answer(
      api.GET('/platform/tenants', { params: { query: { ...query, limit: 50, ...(cursor && { cursor }) } }, signal }),
    ),
  )
  const isNarrowed = Object.keys(query).length > 0
  return (
    <Page
      title={platform.nav.institutes}
      about={ofMonth && month && platformFigures.lists[ofMonth](format.month(month))}
      actions={
        <>
          <Download path="/platform/tenants" query={query} />
          <ButtonLink look="primary" icon="plus" to="/platform/institutes/new">
            {words.add}
          </ButtonLink>
        </>
      }
    >
      {ofMonth && (
        <p>
          <Link href="/platform/institutes" className="link">
            {platformFigures.all}
          </Link>
        </p>
      )}
      <Filters
        search={<SearchField label={words.search} value={filters.q ?? ''} onChange={(q) => set('q', q)} />}
        active={[status, deploymentMode].filter(Boolean).length}
      >
        <Choice
          label={words.state}
          options={[{ id: ANY, label: platform.any }, ...STATES.map((id) => ({ id, label: words.states[id] }))]}
          value={status ?? ANY}
          onChange={(id) => set('state', id)}
        />
        <Choice
          label={words.mode}
          options={[{ id: ANY, label: platform.any }, ...MODES.map((id) => ({ id, label: words.modes[id] }))]}
          value={deploymentMode ?? ANY}
          onChange={(id) => set('mode', id)}
        />
      </Filters>
      <Rows
        pages={pages}
        label={platform.nav.institutes}
        keyOf={({ id }) => id}
        empty={<p>{isNarrowed ? words.noneFound : words.noneYet}</p>}
      >
        {(institute) => <Row institute={institute} />}
      </Rows>
    </Page>
  )
}

const Row = ({ institute }: { institute: Institute }) => {
  const { platform } = useWords()
  const { institutes: words, subscription: states } = platform
  const format = useFormat()
  const plans = usePlans()
  const { id, name, slug, status, deploymentMode, subscription, lastSeenAt } = institute
  const day = subscription && format.date(format.dateOf(subscription.currentPeriodEnd))
  return (
    <Link href={`/platform/institutes/${id}`} className="row">
      <span className="grow">
        <span className="chips">
          <bdi className="name">{name}</bdi>
          {status !== 'active' && (
            <Badge meaning={status === 'suspended' ? 'bad' : 'info'}>{words.states[status]}</Badge>
          )}
          {subscription !== null && subscription.status !== 'active' && (
            <Badge meaning={subscription.status === 'trialing' ? 'info' : 'warn'}>
              {states.states[subscription.status]}
            </Badge>
          )}
        </span>
        <span className="about">
          <Dotted>
            <bdi dir="ltr">{slug}</bdi>
            {deploymentMode === 'self_hosted' && words.modes.self_hosted}
            {subscription === null ? (
              words.noPlan
            ) : (
              <bdi>{plans.data?.find((plan) => plan.id === subscription.planId)?.name ?? '…'}</bdi>
            )}
            {subscription !== null && day !== null && (isOver(subscription) ? words.since(day) : words.until(day))}
          </Dotted>
        </span>
        <span className="about">{lastSeenAt === null ? words.neverSeen : words.seen(format.moment(lastSeenAt))}</span>
      </span>
      <Icon name="forward" />
    </Link>
  )
}
