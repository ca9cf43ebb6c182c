import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Choice } from '../../parts/choose.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import type { Overview } from './reads.ts'

type Feature = keyof Schemas['FeatureOverrides']

const CHOICES = { plan: null, on: true, off: false } as const
type Chosen = keyof typeof CHOICES

const chosenOf = (override: boolean | null): Chosen => (override === null ? 'plan' : override ? 'on' : 'off')

/** What is switched on in the institute, by its plan or by a switch of its own. */
export const Features = ({ overview: { tenant, features } }: { overview: Overview }) => {
  const all = useWords()
  const { platform, plans } = all
  const { one: words } = platform
  const change = useChange('tenant', (body: Schemas['FeatureOverrideChanges']) =>
    answer(api.PATCH('/platform/tenants/{id}', { params: { path: { id: tenant.id } }, body: { features: body } })),
  )
  const labels: Record<Chosen, string> = { plan: words.asPlan, on: words.alwaysOn, off: words.alwaysOff }
  return (
    <Section title={words.features}>
      <div className="card">
        <p className="row soft">{words.featuresHint}</p>
        <ul aria-label={words.features}>
          {(Object.keys(plans.feature) as Feature[]).map((feature) => (
            <li key={feature}>
              <div className="row">
                <span className="grow">
                  <span className="name plain">{plans.feature[feature]}</span>{' '}
                  <Badge {...(features[feature] && { meaning: 'good' })}>
                    {features[feature] ? words.isOn : words.isOff}
                  </Badge>
                </span>
                {tenant.status !== 'archived' && (
                  <Choice
                    label={plans.feature[feature]}
                    isLabelUnseen
                    options={(Object.keys(CHOICES) as Chosen[]).map((id) => ({ id, label: labels[id] }))}
                    value={chosenOf(tenant.features[feature])}
                    onChange={(chosen) =>
                      change.mutate(
                        { [feature]: CHOICES[chosen] },
                        {
                          onSuccess: () => toast(all.shell.saved),
                          onError: (error) => toast(explain(all, error)),
                        },
                      )
                    }
                  />
                )}
              </div>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}
