import { useLocation } from 'wouter'
import { LOCALES } from '../../../shared/locale.ts'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { ZoneChoice } from '../../parts/zone-choice.tsx'
import { useCurrencies } from '../../records/platform/currencies.ts'
import { PlanChoice } from '../../records/platform/plan-choice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { OWN_NAMES } from '../../words/locale.ts'

type NewInstitute = Schemas['NewPlatformTenant']

const MODES = ['cloud', 'self_hosted'] as const

/** `/platform/institutes/new`: an institute and its owner. */
export const Screen = () => {
  const { platform } = useWords()
  const { add: words, institutes } = platform
  const format = useFormat()
  const [, go] = useLocation()
  const currencies = useCurrencies()
  const add = useChange('tenant', (body: NewInstitute, header) =>
    answer(api.POST('/platform/tenants', { params: { header }, body })),
  )
  const form = useForm({
    start: {
      name: '',
      slug: '',
      fullName: '',
      email: '',
      defaultLocale: format.locale,
      timezone: format.zone,
      currency: 'ILS' as NewInstitute['currency'],
      deploymentMode: 'cloud' as (typeof MODES)[number],
      planId: '',
    },
    bounds: { ...BOUNDS.NewPlatformTenant, ...BOUNDS.NewTenantOwner, planId: {} },
    missing: words.missing,
    refusals: { tenant_slug_taken: 'slug', disabled_account: 'email', plan_archived: 'planId' },
    send: async ({ fullName, email, planId, timezone, ...typed }) => {
      const added = await add.mutateAsync({
        ...typed,
        timezone,
        owner: { fullName, email },
        ...(planId !== '' && { planId }),
      })
      toast(words.done(added.name, added.ownerMail.to))
      go(`/platform/institutes/${added.id}`)
    },
  })
  return (
    <>
      <Back to="/platform/institutes" label={platform.nav.institutes} />
      <Page title={institutes.add} hasOwnFocus>
        <div className="card padded narrow">
          <Form form={form} verb={institutes.add} label={institutes.add}>
            <Field label={words.name} {...form.field('name')} autoFocus />
            <Field label={words.slug} hint={words.slugHint} isLtr {...form.field('slug')} />
            <Field label={words.ownerName} {...form.field('fullName')} />
            <Field label={words.ownerEmail} hint={words.ownerHint} type="email" isLtr {...form.field('email')} />
            <PlanChoice label={words.plan} none={words.noPlan} {...form.field('planId')} />
            <Choice
              label={institutes.mode}
              options={MODES.map((id) => ({ id, label: institutes.modes[id] }))}
              {...form.field('deploymentMode')}
            />
            <Choice
              label={words.language}
              options={LOCALES.map((id) => ({ id, label: OWN_NAMES[id] }))}
              {...form.field('defaultLocale')}
            />
            <ZoneChoice label={words.zone} {...form.field('timezone')} autoFocus={false} />
            <Choice label={words.currency} options={currencies} {...form.field('currency')} />
          </Form>
        </div>
      </Page>
    </>
  )
}
