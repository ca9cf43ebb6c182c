import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { PlanChoice } from '../../records/platform/plan-choice.tsx'
import { isOver, usePlans, type Subscription } from '../../records/platform/reads.ts'
import { SubscriptionState } from '../../records/platform/subscription-state.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { instantOf } from '../../words/zone.ts'
import type { Overview } from './reads.ts'

type Ask = 'give' | 'renew' | 'change' | 'cancel'

/** The plan of the institute, and until when it has it. */
export const SubscriptionSection = ({ overview: { tenant, subscription } }: { overview: Overview }) => {
  const { platform, shell } = useWords()
  const { subscription: words } = platform
  const format = useFormat()
  const [asked, setAsked] = useState<Ask>()
  const close = () => setAsked(undefined)
  const takesOne = subscription === null || subscription.status === 'cancelled'
  const mayChange = tenant.status !== 'archived'
  return (
    <Section
      title={words.title}
      actions={
        mayChange &&
        (takesOne ? (
          <Button look="quiet" icon="plus" onPress={() => setAsked('give')}>
            {words.give}
          </Button>
        ) : (
          <span className="chips">
            <Button onPress={() => setAsked('renew')}>{words.renew}</Button>
            <Menu
              label={shell.more}
              entries={[
                { id: 'change', label: words.change, onSelect: () => setAsked('change') },
                { id: 'cancel', label: words.cancel, isDangerous: true, onSelect: () => setAsked('cancel') },
              ]}
            />
          </span>
        ))
      }
    >
      {subscription === null ? (
        <div className="card">
          <Empty>{words.none}</Empty>
        </div>
      ) : (
        <Terms subscription={subscription} />
      )}
      {asked === 'give' && <Give tenantId={tenant.id} onClose={close} />}
      {asked === 'renew' && subscription && <Renew subscription={subscription} onClose={close} />}
      {asked === 'change' && subscription && <Change subscription={subscription} onClose={close} />}
      {subscription && (
        <Cancel
          subscription={subscription}
          name={tenant.name}
          day={format.date(format.dateOf(subscription.currentPeriodEnd))}
          isOpen={asked === 'cancel'}
          onClose={close}
        />
      )}
    </Section>
  )
}

const Terms = ({ subscription }: { subscription: Subscription }) => {
  const { platform, plans: planWords } = useWords()
  const { subscription: words } = platform
  const format = useFormat()
  const plans = usePlans()
  const { planId, currentPeriodStart, currentPeriodEnd, cancelledAt } = subscription
  const plan = plans.data?.find(({ id }) => id === planId)
  const day = (instant: string): string => format.date(format.dateOf(instant))
  return (
    <Facts>
      <dt>{words.plan}</dt>
      <dd>
        {plan && (
          <>
            <bdi>{plan.name}</bdi>{' '}
            <span className="soft">{planWords.prices[plan.interval](format.money(plan.price))}</span>
          </>
        )}
      </dd>
      <dt>{words.state}</dt>
      <dd>
        <SubscriptionState of={subscription} />
        {cancelledAt !== null && <span className="about">{words.cancelledOn(day(cancelledAt))}</span>}
      </dd>
      <dt>{words.began}</dt>
      <dd>{day(currentPeriodStart)}</dd>
      <dt>{isOver(subscription) ? words.ended : words.ends}</dt>
      <dd>{day(currentPeriodEnd)}</dd>
    </Facts>
  )
}

const STATES = ['active', 'trialing', 'past_due'] as const
const isState = (status: Subscription['status']): status is (typeof STATES)[number] =>
  (STATES as readonly string[]).includes(status)

const Give = ({ tenantId, onClose }: { tenantId: string; onClose: () => void }) => {
  const { platform } = useWords()
  const { subscription: words } = platform
  const format = useFormat()
  const plans = usePlans()
  const give = useChange('subscription', (body: Schemas['NewSubscription'], header) =>
    answer(api.POST('/platform/tenants/{id}/subscription', { params: { path: { id: tenantId }, header }, body })),
  )
  const form = useForm({
    start: {
      planId: null as string | null,
      status: 'active' as (typeof STATES)[number],
      currentPeriodEnd: null as string | null,
    },
    bounds: { planId: { isRequired: true }, currentPeriodEnd: { isRequired: true } },
    missing: { planId: platform.add.missing, currentPeriodEnd: words.endMissing },
    refused: { currentPeriodEnd: words.endPast },
    refusals: { plan_archived: 'planId' },
    send: async ({ planId, status, currentPeriodEnd }) => {
      await give.mutateAsync({ planId: planId ?? '', status, currentPeriodEnd: endOf(currentPeriodEnd, format.zone) })
      toast(words.given(plans.data?.find(({ id }) => id === planId)?.name ?? ''))
      onClose()
    },
  })
  return (
    <Sheet title={words.give} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <PlanChoice label={words.plan} {...form.field('planId')} />
        <Choice
          label={words.state}
          options={STATES.map((id) => ({ id, label: words.states[id] }))}
          {...form.field('status')}
        />
        <DateField label={words.ends} hint={words.endsHint} {...form.field('currentPeriodEnd')} />
      </Form>
    </Sheet>
  )
}

/** A period goes on to the end of its last day. */
const endOf = (day: string | null, zone: string): string => instantOf(day ?? '', '23:59', zone)

interface SheetOfOne {
  subscription: Subscription
  onClose: () => void
}

const Renew = ({ subscription, onClose }: SheetOfOne) => {
  const { subscription: words } = useWords().platform
  const format = useFormat()
  const renew = useChange('subscription', (currentPeriodEnd: string, header) =>
    answer(
      api.POST('/platform/subscriptions/{id}/renew', {
        params: { path: { id: subscription.id }, header },
        body: { currentPeriodEnd },
      }),
    ),
  )
  const form = useForm({
    start: { currentPeriodEnd: null as string | null },
    bounds: { currentPeriodEnd: { isRequired: true } },
    missing: words.endMissing,
    refused: {
      currentPeriodEnd: isOver(subscription)
        ? words.endPast
        : words.endNotLater(format.date(format.dateOf(subscription.currentPeriodEnd))),
    },
    send: async ({ currentPeriodEnd }) => {
      await renew.mutateAsync(endOf(currentPeriodEnd, format.zone))
      toast(words.renewed(format.date(currentPeriodEnd ?? '')))
      onClose()
    },
  })
  return (
    <Sheet title={words.renew} isOpen onClose={onClose}>
      <Form form={form} verb={words.renew} onCancel={onClose}>
        <DateField label={words.ends} hint={words.endsHint} {...form.field('currentPeriodEnd')} autoFocus />
      </Form>
    </Sheet>
  )
}

const Change = ({ subscription, onClose }: SheetOfOne) => {
  const { platform } = useWords()
  const { subscription: words } = platform
  const format = useFormat()
  const { id, planId, status, currentPeriodEnd } = subscription
  const change = useChange('subscription', (body: Schemas['SubscriptionChanges']) =>
    answer(api.PATCH('/platform/subscriptions/{id}', { params: { path: { id } }, body })),
  )
  const former = format.dateOf(currentPeriodEnd)
  const form = useForm<{ planId: string | null; status: Subscription['status']; currentPeriodEnd: string | null }>({
    start: { planId, status, currentPeriodEnd: former },
    bounds: { currentPeriodEnd: { isRequired: true } },
    missing: words.endMissing,
    refused: { currentPeriodEnd: words.endNotLater(format.date(format.dateOf(subscription.currentPeriodStart))) },
    refusals: { plan_archived: 'planId', subscription_move_refused: 'status' },
    send: async (typed) => {
      await change.mutateAsync({
        ...(typed.planId !== null && typed.planId !== planId && { planId: typed.planId }),
        ...(typed.status !== status && { status: typed.status }),
        ...(typed.currentPeriodEnd !== former && {
          currentPeriodEnd: endOf(typed.currentPeriodEnd, format.zone),
        }),
      })
      toast(words.changed)
      onClose()
    },
  })
  const states = isState(status) ? STATES : [status, ...STATES]
  return (
    <Sheet title={words.changeTitle} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <PlanChoice label={words.plan} {...form.field('planId')} />
        <Choice
          label={words.state}
          options={states.map((one) => ({ id: one, label: words.states[one] }))}
          {...form.field('status')}
        />
        <DateField label={words.ends} hint={words.endsHint} {...form.field('currentPeriodEnd')} />
      </Form>
    </Sheet>
  )
}

const Cancel = ({
  subscription: { id },
  name,
  day,
  isOpen,
  onClose,
}: SheetOfOne & { name: string; day: string; isOpen: boolean }) => {
  const { subscription: words } = useWords().platform
  const cancel = useChange('subscription', (_: void, header) =>
    answer(api.POST('/platform/subscriptions/{id}/cancel', { params: { path: { id }, header } })),
  )
  return (
    <Confirm
      title={words.cancelTitle(name)}
      verb={words.cancel}
      isDangerous
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await cancel.mutateAsync()
        toast(words.cancelled)
      }}
    >
      <p>{words.cancelText(day)}</p>
    </Confirm>
  )
}
