import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { forgetSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { deviceOf } from '../../records/member/device.ts'

type Session = Schemas['SignInSession']

/** More than anybody has. */
const MOST = 100

const end = (id: string) => answer(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }))

export const Sessions = () => {
  const words = useWords()
  const { account } = words
  const format = useFormat()
  const query = useGet(['/auth/sessions'], (signal) =>
    answer(api.GET('/auth/sessions', { params: { query: { limit: MOST } }, signal })),
  )
  const [asked, setAsked] = useState<Session | 'others' | 'everywhere'>()
  const endOne = useChange('sessions', end)
  const everywhere = useChange('signedOut', (_, header) => answer(api.POST('/auth/logout-all', { params: { header } })))
  const endAll = useChange('sessions', (ids: string[]) => Promise.all(ids.map(end)))
  const sessions = query.data?.data.toSorted((a, b) => Number(b.current) - Number(a.current)) ?? []
  const others = sessions.filter(({ current }) => !current).map(({ id }) => id)
  const one = typeof asked === 'object' ? asked : undefined
  const device = one ? deviceOf(words, one) : ''
  const close = () => setAsked(undefined)

  return (
    <Section
      title={account.sessions}
      actions={
        <div className="actions">
          {others.length > 1 && (
            <Button look="quiet" onPress={() => setAsked('others')}>
              {account.endOthers}
            </Button>
          )}
          <Button look="quiet" onPress={() => setAsked('everywhere')}>
            {account.endEverywhere}
          </Button>
        </div>
      }
    >
      <Loaded query={query}>
        {() => (
          <ul className="card" aria-label={account.sessions}>
            {sessions.map((session) => (
              <li key={session.id}>
                <div className="row">
                  <span className="grow">
                    <span className="name">{deviceOf(words, session)}</span>
                    <span className="about">
                      {account.lastUsed(format.moment(session.lastUsedAt))}
                      {session.ip !== null && (
                        <>
                          {' · '}
                          <span className="ltr">{session.ip}</span>
                        </>
                      )}
                    </span>
                  </span>
                  {session.current ? (
                    <Badge meaning="good" icon="tick">
                      {account.here}
                    </Badge>
                  ) : (
                    <Button aria-label={account.endOf(deviceOf(words, session))} onPress={() => setAsked(session)}>
                      {account.end}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Confirm
        title={account.endTitle(device)}
        verb={account.end}
        isOpen={one !== undefined}
        onClose={close}
        onConfirm={async () => {
          if (!one) return
          await endOne.mutateAsync(one.id)
          toast(account.ended(device))
        }}
      >
        <p>{account.endText}</p>
      </Confirm>
      <Confirm
        title={account.endOthersTitle}
        verb={account.endOthers}
        isOpen={asked === 'others'}
        onClose={close}
        onConfirm={async () => {
          await endAll.mutateAsync(others)
          toast(account.othersEnded)
        }}
      >
        <p>{account.endText}</p>
      </Confirm>
      <Confirm
        title={account.endEverywhereTitle}
        verb={account.endEverywhere}
        isDangerous
        isOpen={asked === 'everywhere'}
        onClose={close}
        onConfirm={async () => {
          await everywhere.mutateAsync(undefined)
          await forgetSession()
        }}
      >
        <p>{account.endEverywhereText}</p>
      </Confirm>
    </Section>
  )
}
