import { BOUNDS } from '../../api/bounds.ts'
import type { Schemas } from '../../api/client.ts'
import { Choice, Segments } from '../../parts/choose.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { useCurrencies } from '../../records/platform/currencies.ts'
import type { Plan } from '../../records/platform/reads.ts'
import { useWords } from '../../words/language.tsx'
import type { Words } from '../../words/words.ts'

type Feature = keyof Words['plans']['feature']
type Quota = keyof Words['plans']['quota']

export const FEATURES: readonly Feature[] = [
  'basic_reports',
  'advanced_reports',
  'courses_video',
  'whatsapp_notifications',
  'sms_notifications',
  'byo_email_provider',
  'byo_push_provider',
  'integration_api',
  'mcp',
  'custom_domain',
]

export const QUOTAS: readonly Quota[] = [
  'maxStudents',
  'maxStaff',
  'maxBranches',
  'maxGroups',
  'maxCourses',
  'maxMonthlyMessages',
  'maxStorageBytes',
  'maxApiKeys',
  'apiRateLimitPerMin',
]

const SWITCHES = { usual: null, on: true, off: false } as const
type Switch = keyof typeof SWITCHES
const switchOf = (is: boolean | null | undefined): Switch =>
  is === null || is === undefined ? 'usual' : is ? 'on' : 'off'

type Typed = {
  code: string
  name: string
  priceMinor: number | null
  currency: Schemas['Currency']
  interval: Plan['interval']
} & Record<Feature, Switch> &
  Record<Quota, string>

const startOf = (plan: Plan | undefined): Typed => ({
  code: plan?.code ?? '',
  name: plan?.name ?? '',
  priceMinor: plan?.price.amountMinor ?? null,
  currency: plan?.price.currency ?? 'ILS',
  interval: plan?.interval ?? 'monthly',
  ...(Object.fromEntries(FEATURES.map((one) => [one, switchOf(plan?.features[one])])) as Record<Feature, Switch>),
  ...(Object.fromEntries(QUOTAS.map((one) => [one, String(plan?.quotas[one] ?? '')])) as Record<Quota, string>),
})

interface PlanFormProps {
  /** undefined: a new one. */
  plan?: Plan
  verb?: string
  send: (plan: Schemas['NewPlan']) => Promise<unknown>
}

/** What a plan costs, switches on and limits. */
export const PlanForm = ({ plan, verb, send }: PlanFormProps) => {
  const { plans: words } = useWords()
  const currencies = useCurrencies()
  const form = useForm<Typed>({
    start: () => startOf(plan),
    bounds: { ...BOUNDS.NewPlan, ...BOUNDS.PlanQuotaChanges },
    missing: words.missing,
    wrong: Object.fromEntries(QUOTAS.map((quota) => [quota, words.wrongNumber])),
    refusals: { plan_code_taken: 'code' },
    send: (typed) =>
      send({
        code: typed.code.trim(),
        name: typed.name.trim(),
        priceMinor: typed.priceMinor ?? 0,
        currency: typed.currency,
        interval: typed.interval,
        features: Object.fromEntries(FEATURES.map((one) => [one, SWITCHES[typed[one]]])),
        quotas: Object.fromEntries(QUOTAS.map((one) => [one, numberOf(typed[one])])),
      }),
  })
  const switches = [
    { id: 'usual', label: words.byDefault },
    { id: 'on', label: words.on },
    { id: 'off', label: words.off },
  ] as const
  return (
    <Form form={form} {...(verb !== undefined && { verb })} label={words.title}>
      <Field label={words.name} {...form.field('name')} />
      <Field label={words.code} hint={words.codeHint} isLtr {...form.field('code')} />
      <MoneyField label={words.amount} currency={form.typed.currency} {...form.field('priceMinor')} />
      <Choice label={words.currency} options={currencies} {...form.field('currency')} />
      <Segments
        label={words.interval}
        options={(['monthly', 'yearly'] as const).map((id) => ({ id, label: words.intervals[id] }))}
        {...form.field('interval')}
      />
      <h2>{words.features}</h2>
      {FEATURES.map((feature) => (
        <Segments key={feature} label={words.feature[feature]} options={switches} {...form.field(feature)} />
      ))}
      <h2>{words.quotas}</h2>
      <p className="soft">{words.quotaHint}</p>
      {QUOTAS.map((quota) => (
        <Field key={quota} label={words.quota[quota]} inputMode="numeric" isLtr {...form.field(quota)} />
      ))}
    </Form>
  )
}
