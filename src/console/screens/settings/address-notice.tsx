import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { addressToSet } from './typed.ts'

/** Once for a page: an address does not change while somebody works. */
const FRESH_MILLIS = 10 * 60_000

/** People are sent to an address that is not the server's any more, or opens on its own computer alone. */
export const Screen = () => {
  const { server: words } = useWords()
  const [isAsked, setAsked] = useState(false)
  // In the cloud it is not there.
  const { data } = useGet(['/server/address'], (signal) => answer(api.GET('/server/address', { signal })), {
    freshMillis: FRESH_MILLIS,
  })
  const change = useChange('settings', (baseUrl: string) => answer(api.PATCH('/settings', { body: { baseUrl } })))
  const wanted = data && addressToSet(data, location.origin)
  if (!data || wanted === undefined) return null
  const tell = data.whose === 'strange' ? words.moved : words.alone
  return (
    <Notice meaning="warn" icon="globe">
      <span className="grow">
        {tell(data.url, location.origin)}
        {data.isFixed && <> {words.movedFixed}</>}
      </span>
      {!data.isFixed && (
        <Button look="quiet" onPress={() => setAsked(true)}>
          {words.setAddress}
        </Button>
      )}
      <Confirm
        title={words.setTitle(wanted)}
        verb={words.setAddress}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await change.mutateAsync(wanted)
          toast(words.setDone(wanted))
        }}
      >
        <p className="soft">{words.setText}</p>
        <p className="soft">{words.setUnsent}</p>
      </Confirm>
    </Notice>
  )
}
