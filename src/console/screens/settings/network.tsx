import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Qr } from '../../parts/qr.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { Https } from './https.tsx'
import { LanName } from './lan-name.tsx'

/** Where others open the program: for a phone's camera, to type, and as a poster for the wall. */
export const Screen = () => {
  const { network: words, settings } = useWords()
  const address = useGet(['/server/address'], (signal) => answer(api.GET('/server/address', { signal })))
  const best = address.data?.ways[0]
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page
        title={words.title}
        about={words.about}
        actions={
          best && (
            <Button look="primary" icon="print" onPress={() => window.print()}>
              {words.print}
            </Button>
          )
        }
      >
        <div className="narrow">
          <Loaded query={address}>
            {({ ways: [first, ...others] }) =>
              first === undefined ? (
                <Notice meaning="warn" icon="globe">
                  <span className="grow">{words.none}</span>
                </Notice>
              ) : (
                <>
                  <Poster url={first.url} isLocal={first.isLocal} name={others.find(({ url }) => isName(url))?.url} />
                  {others.length > 0 && (
                    <Section title={words.also}>
                      <ul className="card not-printed" aria-label={words.also}>
                        {others.map(({ url, isLocal }) => (
                          <li key={url} className="row">
                            <span className="grow">
                              <bdi className="name ltr">{url}</bdi>
                              <span className="about">
                                {isName(url) ? words.ofName : isLocal ? words.ofNetwork : words.ofAll}
                              </span>
                            </span>
                          </li>
                        ))}
                      </ul>
                    </Section>
                  )}
                </>
              )
            }
          </Loaded>
          <LanName />
          <Https />
        </div>
      </Page>
    </>
  )
}

const isName = (url: string): boolean => new URL(url).hostname.endsWith('.local')

/** As people type it. */
const typed = (url: string): string => url.replace(/^http:\/\//, '')

const Poster = ({ url, isLocal, name }: { url: string; isLocal: boolean; name: string | undefined }) => {
  const { network: words } = useWords()
  const { institute } = useMe()
  return (
    <section className="card poster" aria-label={words.poster}>
      <h2>{institute.name}</h2>
      <Qr text={url} label={words.code(url)} />
      <ol>
        {isLocal && <li>{words.join}</li>}
        <li>{words.scan}</li>
        <li>
          {words.type}
          <bdi className="typed ltr">{typed(url)}</bdi>
          {name !== undefined && (
            <>
              {words.or}
              <bdi className="typed ltr">{typed(name)}</bdi>
            </>
          )}
        </li>
      </ol>
    </section>
  )
}
