import { FEATURE_DEFAULTS } from '../../../shared/feature-defaults.ts'
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

const MEGABYTE = 1_000_000
const MEGABYTES = { min: 0, max: Math.floor(BOUNDS.PlanQuotaChanges.maxStorageBytes.max / MEGABYTE), isWhole: true }

/** A limit as people type it: of files in megabytes, and not in bytes. */
const shownQuota = (quota: Quota, plan: Plan | undefined): string => {
  const most = plan?.quotas[quota] ?? null
  if (most === null) return ''
  return String(quota === 'maxStorageBytes' ? Math.round(most / MEGABYTE) : most)
}

/** A limit that was left as it was stays the same to the byte. */
const quotaOf = (quota: Quota, typed: string, plan: Plan | undefined): number | null => {
  if (plan && typed === shownQuota(quota, plan)) return plan.quotas[quota]
  const most = numberOf(typed)
  return most !== null && quota === 'maxStorageBytes' ? most * MEGABYTE : most
}

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
  ...(Object.fromEntries(QUOTAS.map((one) => [one, shownQuota(one, plan)])) as Record<Quota, string>),
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
    bounds: { ...BOUNDS.NewPlan, ...BOUNDS.PlanQuotaChanges, maxStorageBytes: MEGABYTES },
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
        quotas: Object.fromEntries(QUOTAS.map((one) => [one, quotaOf(one, typed[one], plan)])),
      }),
  })
  const switches = (feature: Feature) =>
    [
      { id: 'usual', label: words.byDefault(FEATURE_DEFAULTS[feature]) },
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
        <Segments key={feature} label={words.feature[feature]} options={switches(feature)} {...form.field(feature)} />
      ))}
      <h2>{words.quotas}</h2>
      <p className="soft">{words.quotaHint}</p>
      {QUOTAS.map((quota) => (
        <Field key={quota} label={words.quota[quota]} inputMode="numeric" isLtr {...form.field(quota)} />
      ))}
    </Form>
  )
}
