import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { NO_INTENT } from '../../api/intents/intent.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useSettled } from '../../parts/settled.ts'
import { Confirm } from '../../parts/sheet.tsx'
import { useGroup } from '../../records/group/reads.ts'
import { readGuardian } from '../../records/guardian/reads.ts'
import { NoMailbox } from '../../records/message/family-reach.tsx'
import { askedBy, useTexts } from '../../records/message/texts.ts'
import { readStudent } from '../../records/student/reads.ts'
import { useIsWide } from '../../shell/device.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { bodyOf, FREE, FREE_DATA, WHOMS, type Asked, type Draft, type Named, type Outcome, type Whom } from './draft.ts'
import { Channels, Text } from './fields.tsx'
import { Outlook } from './outlook.tsx'
import { useDraft } from './use-draft.ts'
import { Recipients } from './whom.tsx'

/** From here on what is written and whom it reaches stand side by side, below the button that sends it. */
const DESK = 900
/** What is written is looked at once it rests for so long. */
const PAUSE_MILLIS = 500

const isWhom = (text: string | null): text is Whom => WHOMS.includes(text as Whom)

/** Whom the address names: their name is a moment away. */
const useNamed = (studentId: string | null, guardianId: string | null) =>
  useGet(
    studentId === null ? ['/guardians', guardianId, 'to write'] : ['/students', studentId, 'to write'],
    async (signal): Promise<Named> => {
      const { id, firstName, lastName } =
        studentId === null ? await readGuardian(guardianId ?? '', signal) : await readStudent(studentId, signal)
      return { kind: studentId === null ? 'guardian' : 'student', id, label: `${firstName} ${lastName}` }
    },
    { isOff: studentId === null && guardianId === null },
  )

/** `/messages/new`: to whom, what, and before it goes whom it reaches. The address may name the group or the person. */
export const Screen = () => {
  const { messages: words } = useWords()
  const [params] = useSearchParams()
  const [written, setWritten] = useState(0)
  const groupId = params.get('groupId')
  const group = useGroup(groupId ?? undefined)
  const [studentId, guardianId] = [params.get('studentId'), params.get('guardianId')]
  const named = useNamed(studentId, guardianId)
  const isThere = (groupId === null || group.data) && ((studentId ?? guardianId) === null || named.data)
  if (isThere) {
    const first = { whom: params.get('whom'), group: group.data, named: named.data }
    return (
      <Write
        key={`${written} ${params.toString()}`}
        name={`message ${params.toString()}`}
        first={first}
        onAnother={() => setWritten(written + 1)}
      />
    )
  }
  return (
    <Page title={words.newTitle}>
      {groupId === null ? <Loaded query={named}>{() => null}</Loaded> : <Loaded query={group}>{() => null}</Loaded>}
    </Page>
  )
}

interface First {
  whom: string | null
  group: Schemas['Group'] | undefined
  named: Named | undefined
}

/** What stands there at first. Families know a group by its name, which is the subject. */
const firstDraft = ({ whom, group, named }: First, branchId: string | null): Draft => ({
  whom: isWhom(whom) ? whom : named ? 'people' : 'groups',
  groups: group ? [{ id: group.id, label: group.name }] : [],
  branchId,
  isOverdue: true,
  day: 'today',
  people: named ? [named] : [],
  to: 'both',
  templateKey: FREE,
  data: group ? { title: group.name } : {},
  channels: ['in_app', 'email', 'push'],
})

interface WriteProps {
  /** Under which a draft is kept. */
  name: string
  first: First
  onAnother: () => void
}

const Write = ({ name, first, onAnother }: WriteProps) => {
  const { messages: words, calls } = useWords()
  const format = useFormat()
  const { can, branchId } = useMe()
  const isOffice = can('notifications.send')
  const isDesk = useIsWide(DESK)
  const texts = useTexts(!can('notifications.manage')).data ?? []
  const [fresh] = useState(() => firstDraft(first, branchId))
  const { draft, isReady: isRead, isFromBefore, change, forget } = useDraft(name, fresh)
  const { templateKey } = draft
  const names = templateKey === FREE ? FREE_DATA : askedBy(texts.filter(({ key }) => key === templateKey))
  const dates = { today: format.today(), yesterday: format.yesterday() }
  const body = bodyOf(draft, names, dates)
  const wanted = body && JSON.stringify(body)
  const settled = useSettled(wanted, PAUSE_MILLIS)
  const outlook = useGet(
    ['/send', settled],
    (signal) => {
      const asked = { ...(JSON.parse(settled ?? '{}') as Asked), dryRun: true }
      return answer(api.POST('/notifications/send', { params: { header: NO_INTENT }, body: asked, signal }))
    },
    { isOff: settled === undefined, keepsFormer: true, keptMillis: 1 },
  )
  const [isAsked, setAsked] = useState(false)
  const [isToCall, setToCall] = useState(true)
  const [sent, setSent] = useState<Outcome>()
  const send = useChange('message', (asked: Asked, header) =>
    answer(api.POST('/notifications/send', { params: { header }, body: asked })),
  )
  if (!isRead) return null
  if (sent) return <Sent outcome={sent} onAnother={onAnother} />
  const planned = body === undefined ? undefined : outlook.data
  const reached = planned ? planned.people - planned.unreached.length : 0
  const called = isToCall ? (planned?.unreached ?? []).filter(({ canCall }) => canCall).length : 0
  const isSpent = planned?.budget?.left === 0
  const isReady = planned !== undefined && reached + called > 0 && !isSpent && !outlook.error && settled === wanted
  const sending = (
    <Button look="primary" isWide={!isDesk} isDisabled={!isReady || outlook.isFetching} onPress={() => setAsked(true)}>
      {reached > 0 ? words.send(reached) : called > 0 ? calls.onlyCall(called) : words.sendNobody}
    </Button>
  )
  return (
    <Page title={words.newTitle} {...(isDesk && { actions: sending })}>
      {isFromBefore && (
        <Notice meaning="info">
          <span className="grow">{words.draftKept}</span>
          <Button look="quiet" onPress={forget}>
            {words.startAfresh}
          </Button>
        </Notice>
      )}
      <div className="two writing">
        <div>
          <Section title={words.whom}>
            <div className="card padded">
              <Recipients draft={draft} onChange={change} isOffice={isOffice} />
            </div>
          </Section>
          <Section title={words.text}>
            <div className="card padded">
              <Text draft={draft} onChange={change} texts={texts} names={names} />
              <Channels chosen={draft.channels} onChange={(channels) => change({ channels })} />
            </div>
          </Section>
        </div>
        <div>
          <Section title={words.outlook}>
            <Outlook
              planned={planned}
              problem={body === undefined ? undefined : outlook.error}
              isBusy={outlook.isFetching || settled !== wanted}
              onRetry={() => void outlook.refetch()}
              isToCall={isToCall}
              onToCall={setToCall}
              nobody={words.nobody[draft.whom === 'debtors' && draft.isOverdue ? 'overdue' : draft.whom]}
            />
          </Section>
        </div>
      </div>
      {!isDesk && <div className="bar">{sending}</div>}
      <Confirm
        title={reached > 0 ? words.sendTitle(reached) : calls.onlyCallTitle(called)}
        verb={reached > 0 ? words.verb : calls.onlyCallVerb}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          if (!body) return
          setSent(await send.mutateAsync({ ...body, toCall: isToCall }))
          forget()
        }}
      >
        <p className="soft quoted" dir="auto">
          {draft.data['message'] ?? ''}
        </p>
      </Confirm>
    </Page>
  )
}

const Sent = ({ outcome, onAnother }: { outcome: Outcome; onAnother: () => void }) => {
  const { messages: words, calls } = useWords()
  const { can } = useMe()
  const { queued, called, batchId, unreached } = outcome
  // They have an address, and what would be sent to it is kept.
  const kept = Math.min(queued, unreached.filter(({ because }) => because === 'not_set_up').length)
  const goes = queued - kept
  return (
    <Page title={goes > 0 ? words.sentTitle : calls.listedTitle} isNext>
      <div className="notices">
        {kept > 0 && (
          <Notice meaning="warn">
            <span className="grow">
              {calls.waitingMails(kept)}
              <NoMailbox />
            </span>
          </Notice>
        )}
        {goes > 0 && (
          <Notice meaning="good">
            <span className="grow">{words.sent(goes)}</span>
          </Notice>
        )}
        {called > 0 && (
          <Notice meaning="info">
            <span className="grow">{calls.listed(called)}</span>
            {can('notifications.send') && batchId !== null && (
              <ButtonLink to={`/messages/calls?batch=${batchId}`}>{calls.see}</ButtonLink>
            )}
          </Notice>
        )}
      </div>
      <div className="chips spaced">
        {queued > 0 && batchId !== null && (
          <ButtonLink to={`/messages?batch=${batchId}`} look="primary">
            {words.seeSent}
          </ButtonLink>
        )}
        <Button onPress={onAnother}>{words.another}</Button>
      </div>
    </Page>
  )
}
