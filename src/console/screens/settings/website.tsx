import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { Back } from '../../parts/back.tsx'
import { NewSite } from './new-site.tsx'
import { siteOf, useSettings, useSites } from './reads.ts'

type ApiKey = Schemas['ApiKey']

/** The form for the institute's own website: which websites have it, and one line for another one. */
export const Screen = () => {
  const { website: words, settings } = useWords()
  const { can } = useMe()
  const sites = useSites()
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page title={words.title} about={words.about}>
        <div className="narrow">
          {can('settings.manage') && <IsOpen />}
          <NewSite />
          <Section title={words.sites}>
            <Loaded query={sites}>
              {(keys) => (
                <div className="card">
                  {keys.length === 0 ? (
                    <Empty>{words.sitesNone}</Empty>
                  ) : (
                    <ul aria-label={words.sites}>
                      {keys.map((key) => (
                        <li key={key.id}>
                          <Site site={key} />
                        </li>
                      ))}
                    </ul>
                  )}
                </div>
              )}
            </Loaded>
          </Section>
        </div>
      </Page>
    </>
  )
}

/** Whether families may register themselves now. It takes effect at once. */
const IsOpen = () => {
  const all = useWords()
  const { website: words } = all
  const settings = useSettings()
  const change = useChange('settings', (enabled: boolean) =>
    answer(api.PATCH('/settings', { body: { registration: { enabled } } })),
  )
  const isOn = change.isPending ? change.variables : settings.data?.registration.enabled
  if (isOn === undefined) return null
  const onError = (error: unknown) => toast(explain(all, error))
  const set = (enabled: boolean) => {
    const undo = () => change.mutate(!enabled, { onError })
    change.mutate(enabled, { onSuccess: () => toast(enabled ? words.opened : words.closed, undo), onError })
  }
  return (
    <div className="card padded">
      <Check isChecked={isOn} onChange={set}>
        {words.isOpen}
      </Check>
      <p className="small">{words.isOpenAbout}</p>
    </div>
  )
}

const Site = ({ site }: { site: ApiKey }) => {
  const { website: words } = useWords()
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const name = siteOf(site)
  const end = useChange('site', () => answer(api.DELETE('/api-keys/{id}', { params: { path: { id: site.id } } })))
  return (
    <div className="row">
      <span className="grow">
        <span className="name ltr-text">{name}</span>
        <span className="about">
          {site.lastUsedAt === null ? words.neverUsed : words.lastUsed(format.moment(site.lastUsedAt))}
        </span>
      </span>
      <Button aria-label={words.endOf(name)} onPress={() => setAsked(true)}>
        {words.end}
      </Button>
      <Confirm
        title={words.endTitle(name)}
        verb={words.end}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await end.mutateAsync(undefined)
          toast(words.ended(name))
        }}
      >
        <p>{words.endText}</p>
      </Confirm>
    </div>
  )
}
