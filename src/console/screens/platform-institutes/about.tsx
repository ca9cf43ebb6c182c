import { LOCALES } from '../../../shared/locale.ts'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Editable } from '../../parts/editable.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { ZoneChoice } from '../../parts/zone-choice.tsx'
import { useCurrencies } from '../../records/platform/currencies.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { OWN_NAMES } from '../../words/locale.ts'
import { cityOf } from '../../words/zones.ts'
import type { Overview } from './reads.ts'

type Changes = Schemas['TenantChanges']

const AUTO_LOCKS = ['inherit', 'on', 'off'] as const

/** What the institute is: each fact is changed where it stands. */
export const About = ({ overview: { tenant, counts } }: { overview: Overview }) => {
  const { platform } = useWords()
  const { one: words, add, institutes } = platform
  const format = useFormat()
  const currencies = useCurrencies()
  const { id, name, slug, defaultLocale, timezone, currency, deploymentMode, autoLockOverride, createdAt } = tenant
  const change = useChange('tenant', (body: Changes) =>
    answer(api.PATCH('/platform/tenants/{id}', { params: { path: { id } }, body })),
  )
  const save =
    tenant.status === 'archived'
      ? undefined
      : (changes: (typed: string) => Changes) => async (typed: string) => {
          await change.mutateAsync(changes(typed))
        }
  return (
    <Section title={words.about}>
      <Facts>
        <Editable
          label={add.name}
          value={name}
          bound={BOUNDS.TenantChanges.name}
          onSave={save?.((typed) => ({ name: typed }))}
        />
        <dt>{add.slug}</dt>
        <dd>
          <bdi dir="ltr">{slug}</bdi>
        </dd>
        <dt>{institutes.mode}</dt>
        <dd>{institutes.modes[deploymentMode]}</dd>
        <dt>{words.members}</dt>
        <dd>{format.number(counts.members)}</dd>
        <dt>{words.branches}</dt>
        <dd>{format.number(counts.branches)}</dd>
        <dt>{words.since}</dt>
        <dd>{format.date(format.dateOf(createdAt))}</dd>
        <Editable
          label={add.language}
          value={defaultLocale}
          shown={OWN_NAMES[defaultLocale]}
          options={LOCALES.map((locale) => ({ id: locale, label: OWN_NAMES[locale] }))}
          onSave={save?.((typed) => ({ defaultLocale: typed as Changes['defaultLocale'] }))}
        />
        <Editable
          label={add.zone}
          value={timezone}
          shown={<bdi>{cityOf(timezone, format.locale)}</bdi>}
          choice={(choice) => <ZoneChoice {...choice} />}
          onSave={save?.((typed) => ({ timezone: typed }))}
        />
        <Editable
          label={add.currency}
          value={currency}
          shown={currencies.find((one) => one.id === currency)?.label}
          options={currencies}
          onSave={save?.((typed) => ({ currency: typed as Changes['currency'] }))}
        />
        <Editable
          label={words.autoLock}
          value={autoLockOverride}
          shown={words.autoLocks[autoLockOverride]}
          options={AUTO_LOCKS.map((one) => ({ id: one, label: words.autoLocks[one] }))}
          hint={words.autoLockHint}
          onSave={save?.((typed) => ({ autoLockOverride: typed as Changes['autoLockOverride'] }))}
        />
      </Facts>
    </Section>
  )
}
