import { Fragment } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFeatures } from '../../records/feature/reads.ts'
import { SubscriptionState } from '../../records/platform/subscription-state.tsx'
import { amountOf, limitName } from '../../records/plan/limits.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { License } from './license.tsx'
import { readLicense, useUpdates } from './reads.ts'

type PlanUse = Schemas['PlanUse']

/** `/settings/plan`: what is agreed with the vendor, how much of it is used, and what a lock would mean. */
export const Screen = () => {
  const { plan: words, server, settings } = useWords()
  const use = useGet(['/plan'], (signal) => answer(api.GET('/plan', { signal })))
  const license = useGet(['/license'], readLicense)
  // In the cloud there are no updates, and no licence.
  const isOwnServer = !useUpdates().isError
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page title={settings.items.plan.title} about={words.about}>
        <div className="narrow">
          <Loaded query={use}>
            {({ subscription, limits }) => (
              <>
                {!(isOwnServer && subscription === null) && (
                  <Section title={words.subscription}>
                    <Subscription of={subscription} />
                  </Section>
                )}
                {isOwnServer && (
                  <Section title={server.license}>
                    <Loaded query={license}>{(data) => <License license={data} />}</Loaded>
                  </Section>
                )}
                <Section title={words.used}>
                  <Limits of={limits} />
                </Section>
              </>
            )}
          </Loaded>
          <Section title={words.features} actions={<ToFeatures />}>
            <Features />
          </Section>
          <Section title={words.lock}>
            <Lock isOwnServer={isOwnServer} />
          </Section>
        </div>
      </Page>
    </>
  )
}

const Subscription = ({ of }: { of: PlanUse['subscription'] }) => {
  const { plan: words, plans, platform } = useWords()
  const format = useFormat()
  if (of === null) return <p className="card padded">{words.none}</p>
  const { planName, status, price, interval, currentPeriodStart, currentPeriodEnd } = of
  const day = (moment: string) => <bdi className="fixed">{format.longDate(format.dateOf(moment))}</bdi>
  return (
    <>
      <Facts>
        <dt>{platform.subscription.plan}</dt>
        <dd>
          <bdi>{planName}</bdi>
        </dd>
        <dt>{platform.subscription.state}</dt>
        <dd>
          <SubscriptionState of={{ status }} />
        </dd>
        <dt>{platform.subscription.began}</dt>
        <dd>{day(currentPeriodStart)}</dd>
        <dt>{status === 'expired' ? platform.subscription.ended : platform.subscription.ends}</dt>
        <dd>{day(currentPeriodEnd)}</dd>
        <dt>{words.price}</dt>
        <dd>{plans.prices[interval](format.money(price))}</dd>
      </Facts>
      <p className="small below">{words.renewal[status]}</p>
    </>
  )
}

const Limits = ({ of }: { of: PlanUse['limits'] }) => {
  const all = useWords()
  const { plan: words } = all
  const format = useFormat()
  const amount = (limit: Schemas['PlanLimitUse']['limit'], count: number) => amountOf(format, limit, count)
  return (
    <>
      <Facts>
        {of.map(({ limit, most, used, state }) => (
          <Fragment key={limit}>
            <dt>{limitName(all, limit)}</dt>
            <dd>
              <span className="chips">
                <Used
                  most={most === null ? null : amount(limit, most)}
                  used={used === null ? null : amount(limit, used)}
                />
                {state !== 'ok' && <Badge meaning={state === 'full' ? 'bad' : 'warn'}>{words[state]}</Badge>}
              </span>
            </dd>
          </Fragment>
        ))}
      </Facts>
      {of.some(({ most }) => most !== null) && <p className="small below">{words.more}</p>}
    </>
  )
}

const Used = ({ most, used }: { most: string | null; used: string | null }) => {
  const { plan: words } = useWords()
  if (used === null) return <span>{most === null ? words.unlimitedPace : words.upTo(most)}</span>
  return <span>{most === null ? words.unlimited(used) : words.of(used, most)}</span>
}

const ToFeatures = () => {
  const { settings } = useWords()
  return (
    <ButtonLink look="quiet" to="/settings/features">
      {settings.items.features.title}
    </ButtonLink>
  )
}

/** Every feature, called as where it is switched on; what the vendor alone switches, in the vendor's words. */
const Features = () => {
  const { plans, features: words } = useWords()
  const titles: Partial<Record<string, { title: string }>> = words.each
  const features = useFeatures()
  return (
    <Loaded query={features}>
      {(on) => (
        <Facts>
          {(Object.keys(plans.feature) as (keyof typeof plans.feature)[]).map((feature) => (
            <Fragment key={feature}>
              <dt>{titles[feature]?.title ?? plans.feature[feature]}</dt>
              <dd>
                <Badge icon={on[feature] ? 'tick' : 'cross'} {...(on[feature] && { meaning: 'good' })}>
                  {on[feature] ? plans.on : plans.off}
                </Badge>
              </dd>
            </Fragment>
          ))}
        </Facts>
      )}
    </Loaded>
  )
}

const Lock = ({ isOwnServer }: { isOwnServer: boolean }) => {
  const { plan: words } = useWords()
  const stays = [...words.lockStays, ...(isOwnServer ? [words.lockStaysServer] : [])]
  return (
    <>
      <p className="spaced">{words.lockText}</p>
      <ul className="card" aria-label={words.lock}>
        {words.lockStops.map((one) => (
          <Point key={one} icon="cross" text={one} />
        ))}
        {stays.map((one) => (
          <Point key={one} icon="tick" text={one} />
        ))}
      </ul>
    </>
  )
}

const Point = ({ icon, text }: { icon: 'cross' | 'tick'; text: string }) => (
  <li className="row">
    <Icon name={icon} />
    <span className="grow">{text}</span>
  </li>
)
