import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { Password } from './password.tsx'
import { AboutYou, Looks } from './profile.tsx'
import { Sessions } from './sessions.tsx'

/** `/account` of whoever manages the platform: what belongs to no institute. */
export const Screen = () => {
  const { account } = useWords()
  const profile = useGet(['/me'], (signal) => answer(api.GET('/me', { signal })))
  return (
    <Page title={account.title}>
      <div className="columns">
        <div>
          <Loaded query={profile}>{(known) => <AboutYou profile={known} />}</Loaded>
          <Password />
        </div>
        <div>
          <Looks />
          <Sessions />
        </div>
      </div>
    </Page>
  )
}
