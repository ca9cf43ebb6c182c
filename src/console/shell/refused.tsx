import { useState } from 'react'
import { discardMarks, type KeptMarks } from '../api/intents/marks.ts'
import { Problem } from '../api/problem.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { explain } from '../parts/problem-notice.tsx'
import { Confirm } from '../parts/sheet.tsx'
import { useFormat, useWords } from '../words/language.tsx'

const addressOf = ({ sessionId }: KeptMarks): string => `/sessions/${sessionId}`

/** Whether this is the page of the class. */
export const isAt = (address: string, refused: KeptMarks): boolean => address === addressOf(refused)

interface RefusedProps {
  refused: KeptMarks
  /** Whether another page than that of the class is shown. */
  isElsewhere: boolean
}

/** Attendance that the server did not take: why, and what can be done. */
export const Refused = ({ refused, isElsewhere }: RefusedProps) => {
  const words = useWords()
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const { refusal, scheduledStart, sessionId } = refused
  const isConflict = refusal?.code === 'VERSION_CONFLICT'
  // The page of the class shows what differs.
  if (!refusal || (isConflict && !isElsewhere)) return null
  const { attendance } = words
  // The network may have gone before the page knew what the class is called.
  const groupName = refused.groupName || attendance.aClass
  const when = format.moment(scheduledStart)
  return (
    <Notice meaning={isConflict ? 'warn' : 'bad'}>
      <span className="grow">
        {isConflict
          ? attendance.conflicting(groupName, when)
          : `${attendance.refused(groupName, when)} ${explain(words, new Problem(refusal.status, refusal))}`}
      </span>
      {isElsewhere && (
        <ButtonLink look="quiet" to={addressOf(refused)}>
          {attendance.open}
        </ButtonLink>
      )}
      {!isConflict && (
        <Button look="quiet" onPress={() => setAsked(true)}>
          {attendance.discard}
        </Button>
      )}
      <Confirm
        title={attendance.discardTitle(groupName, when)}
        verb={attendance.discard}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => discardMarks(sessionId)}
      >
        <p className="soft">{attendance.discardText}</p>
      </Confirm>
    </Notice>
  )
}
