import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { deviceOf } from '../../records/member/device.ts'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Session = Schemas['MemberSession']

const nameOf = ({ fullName, email }: Session): string => fullName || email

/** `/settings/people/signed-in`: on which devices the members are signed in; `?member=`: on which one of them is. */
export const Screen = () => {
  const { signedIn: words, title, showAll } = useWords().members
  const { filters, set } = useFilters(['q', 'member'])
  const { q, member } = filters
  const query = { ...(q && { q }), ...(member && { membershipId: member }) }
  const pages = usePages<Session>(['/members/sessions', query], (cursor, signal) =>
    answer(api.GET('/members/sessions', { params: { query: { ...query, limit: 50, cursor } }, signal })),
  )
  // While it is read, the rows are still those of everybody.
  const one = pages.rows?.find(({ membershipId }) => membershipId === member)
  const none = q ? words.noneFits : words.nobody
  return (
    <>
      <Back to="/settings/people" label={title} />
      <Page title={words.title} about={words.about} actions={one?.mayEnd && <EndAll of={one} />}>
        {member ? (
          <Notice meaning="info">
            <span className="grow">{one ? <bdi>{nameOf(one)}</bdi> : words.of}</span>
            <Button look="quiet" onPress={() => set('member', '')}>
              {showAll}
            </Button>
          </Notice>
        ) : (
          <div className="filters">
            <SearchField label={words.search} value={q ?? ''} onChange={(typed) => set('q', typed)} />
          </div>
        )}
        <Rows pages={pages} label={words.title} empty={member ? words.nowhere : none} keyOf={({ id }) => id}>
          {(session) => <Row session={session} />}
        </Rows>
      </Page>
    </>
  )
}

const Row = ({ session }: { session: Session }) => {
  const all = useWords()
  const { account } = all
  const { signedIn: words, you } = all.members
  const { membership } = useMe()
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const { id: sessionId, membershipId: id, current, mayEnd, createdAt, lastUsedAt, ip } = session
  const end = useChange('memberSession', () =>
    answer(api.DELETE('/members/{id}/sessions/{sessionId}', { params: { path: { id, sessionId } } })),
  )
  const name = nameOf(session)
  const device = deviceOf(all, session)
  return (
    <div className="row">
      <Initials name={name} />
      <span className="grow">
        <span className="chips">
          <bdi className="name">{name}</bdi>
          {id === membership.membershipId && !current && <Badge>{you}</Badge>}
          {current && (
            <Badge meaning="good" icon="tick">
              {account.here}
            </Badge>
          )}
        </span>
        <span className="about">
          <Dotted>
            {device}
            {account.lastUsed(format.moment(lastUsedAt))}
            {account.deviceSince(format.date(format.dateOf(createdAt)))}
            {ip !== null && <span className="ltr">{ip}</span>}
          </Dotted>
        </span>
      </span>
      {mayEnd && (
        <Button aria-label={words.endOf(name, device)} onPress={() => setAsked(true)}>
          {words.end}
        </Button>
      )}
      <Confirm
        title={words.endTitle(name, device)}
        verb={words.end}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await end.mutateAsync(undefined)
          toast(words.ended(name, device))
        }}
      >
        <p>{words.endText}</p>
      </Confirm>
    </div>
  )
}

const EndAll = ({ of }: { of: Session }) => {
  const { signedIn: words } = useWords().members
  const [isAsked, setAsked] = useState(false)
  const { membershipId: id } = of
  const name = nameOf(of)
  const end = useChange('memberSession', () =>
    answer(api.DELETE('/members/{id}/sessions', { params: { path: { id } } })),
  )
  return (
    <>
      <Button onPress={() => setAsked(true)}>{words.endAll}</Button>
      <Confirm
        title={words.endAllTitle(name)}
        verb={words.endAll}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await end.mutateAsync(undefined)
          toast(words.allEnded(name))
        }}
      >
        <p>{words.endAllText}</p>
      </Confirm>
    </>
  )
}
