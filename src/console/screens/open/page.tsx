import { Redirect, useSearchParams } from 'wouter'
import { useGet } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { ownPlaceOf } from '../../records/notification/own-place-of.ts'
import { staffPlaceOf } from '../../records/notification/place-of.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** `/open`: where links of messages lead, on to what each is about; to the inbox where no page shows it. */
export const Screen = () => {
  const { inbox } = useWords()
  const format = useFormat()
  const me = useMe()
  const [params] = useSearchParams()
  const { about: templateKey = '', ...payload } = Object.fromEntries(params)
  const about = { templateKey, payload }
  const place = staffPlaceOf(about, me)
  const own = useGet(
    ['/me/family', 'open', params.toString()],
    async (signal) =>
      (await ownPlaceOf(about, { today: format.today(), dateOf: (instant) => format.dateOf(instant), signal })) ??
      '/inbox',
    { isOff: place !== undefined },
  )
  if (place !== undefined) return <Redirect to={place} replace />
  return (
    <Page title={inbox.title}>
      <Loaded query={own}>{(found) => <Redirect to={found} replace />}</Loaded>
    </Page>
  )
}
