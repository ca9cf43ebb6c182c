import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import type { Schemas } from '../../api/schemas.ts'
import { Back } from '../../parts/back.tsx'
import { Check } from '../../parts/choose.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFeatures, type Feature } from '../../records/feature/reads.ts'
import { useWords } from '../../words/language.tsx'
import type { Words } from '../../words/words.ts'
import { AllGrants } from './all-grants.tsx'
import { useSettings } from './reads.ts'

type Switched = keyof Words['features']['each']

/** `/settings/features`: what the institute has, in words, each with its switch, and the assistants that are let in. */
export const Screen = () => {
  const { features: words, settings } = useWords()
  const features = useFeatures()
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page title={settings.items.features.title} about={words.about}>
        <div className="narrow">
          <Loaded query={features}>
            {(on) => (
              <>
                <Switches on={on} />
                {on.mcp && <AllGrants />}
              </>
            )}
          </Loaded>
        </div>
      </Page>
    </>
  )
}

const Switches = ({ on }: { on: Schemas['FeatureFlags'] }) => {
  const all = useWords()
  const { features: words, settings } = all
  const change = useChange('feature', (changes: Partial<Record<Feature, boolean>>) =>
    answer(api.PATCH('/feature-flags', { body: changes })),
  )
  const turn = (feature: Switched, isOn: boolean) => {
    const { title } = words.each[feature]
    const onError = (error: unknown) => toast(explain(all, error))
    change.mutate(
      { [feature]: isOn },
      {
        onSuccess: () =>
          toast(isOn ? words.on(title) : words.off(title), () => change.mutate({ [feature]: !isOn }, { onError })),
        onError,
      },
    )
  }
  return (
    <ul className="card" aria-label={settings.items.features.title}>
      {(Object.keys(words.each) as Switched[]).map((feature) => (
        <li key={feature} className="padded">
          <Check isChecked={on[feature]} onChange={(isOn) => turn(feature, isOn)}>
            <b>{words.each[feature].title}</b>
          </Check>
          <div className="sub-checks">
            <p className="small">{words.each[feature].text}</p>
            {feature === 'mcp' && on.mcp && <Address />}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What an assistant is told to find this server. */
const Address = () => {
  const { features: words } = useWords()
  const { data } = useSettings()
  if (!data) return null
  return (
    <div className="below">
      <Copied label={words.address} hint={words.addressHint} text={`${data.baseUrl ?? location.origin}/mcp`} />
      <p className="small below">
        <a className="guide-link" href="/docs/guide/assistants">
          {words.guide}
        </a>
      </p>
    </div>
  )
}
