import { useState } from 'react'
import { useLocation } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { rosterKey } from '../../api/intents/marks.ts'
import { queryClient, useChange } from '../../api/queries.ts'
import { Menu } from '../../parts/menu.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

type Roster = Schemas['Roster']

/** What else can be done with a lesson: all that was marked is cleared, or the lesson is cancelled. */
export const LessonMenu = ({ roster, groupName }: { roster: Roster; groupName: string }) => {
  const { attendance: words, messages, week, shell } = useWords()
  const [, go] = useLocation()
  const { can, institute } = useMe()
  const [asked, setAsked] = useState<'clear' | 'cancel'>()
  const { sessionId, status, version } = roster
  const clear = useChange('attendance', async () => {
    const params = { path: { id: sessionId } }
    const cleared = await answer(api.PUT('/sessions/{id}/attendance', { params, body: { version, entries: [] } }))
    queryClient.setQueryData(rosterKey(sessionId), cleared)
  })
  const cancel = useChange('session', (reason: string) =>
    answer(api.PATCH('/sessions/{id}', { params: { path: { id: sessionId } }, body: { status: 'cancelled', reason } })),
  )
  if (institute.isReadOnly || status === 'cancelled') return null
  const isMarked = roster.entries.some((entry) => entry.status !== null)
  const entries = [
    ...(can('notifications.send', 'attendance.mark')
      ? [{ id: 'write', label: messages.toGroup, onSelect: () => go(`/messages/new?groupId=${roster.groupId}`) }]
      : []),
    ...(isMarked && can('attendance.mark')
      ? [{ id: 'clear', label: words.clearAll, isDangerous: true, onSelect: () => setAsked('clear') }]
      : []),
    ...(status === 'scheduled' && can('groups.write', 'attendance.mark')
      ? [{ id: 'cancel', label: week.cancel, isDangerous: true, onSelect: () => setAsked('cancel') }]
      : []),
  ]
  const close = () => setAsked(undefined)
  return (
    <>
      {entries.length > 0 && <Menu label={shell.more} entries={entries} />}
      <Confirm
        title={words.clearAllAsk(groupName)}
        verb={words.clearAll}
        isDangerous
        isOpen={asked === 'clear'}
        onClose={close}
        onConfirm={async () => {
          await clear.mutateAsync(undefined)
          toast(words.clearedAll)
        }}
      >
        <p>{words.clearFollows}</p>
      </Confirm>
      <ReasonConfirm
        title={week.cancelTitle(groupName)}
        verb={week.cancel}
        isOpen={asked === 'cancel'}
        onClose={close}
        onConfirm={async (reason) => {
          await cancel.mutateAsync(reason)
          toast(week.wasCancelled(groupName))
        }}
      >
        <p className="soft">
          {roster.entries.length === 0 ? week.tellsTeacher : week.tells(roster.entries.length)} {week.cancelLasts}
        </p>
      </ReasonConfirm>
    </>
  )
}
