import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

interface Grant {
  grantId: string
  student: string
  course: string
}

/** Takes a course from a student, after it has said what follows: an entry of the row's menu, and the question. */
export const useTakeAway = ({ grantId, student, course }: Grant) => {
  const { curriculum: words } = useWords()
  const { can, institute } = useMe()
  const [isAsked, setAsked] = useState(false)
  const drop = useChange('grant', (id: string) =>
    answer(api.DELETE('/course-enrollments/{id}', { params: { path: { id } } })),
  )
  const mayTake = can('enrollments.write') && !institute.isReadOnly
  const entry: MenuEntry = {
    id: 'take',
    label: words.takeAway,
    isDangerous: true,
    startsGroup: true,
    onSelect: () => setAsked(true),
  }
  return {
    entries: mayTake ? [entry] : [],
    question: (
      <Confirm
        title={words.takeAwayAsk(student, course)}
        verb={words.takeAway}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await drop.mutateAsync(grantId)
          toast(words.tookAway(student))
        }}
      >
        <p>{words.takeAwayText}</p>
      </Confirm>
    ),
  }
}
