import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { queryClient, useChange } from '../../api/queries.ts'
import { Menu } from '../../parts/menu.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'

type Status = Schemas['Student']['status']
type Next = Exclude<Status, 'lead'>

/** As the API allows them. */
const MOVES: Readonly<Record<Status, readonly Next[]>> = {
  lead: ['active', 'withdrawn'],
  active: ['paused', 'graduated', 'withdrawn'],
  paused: ['active', 'withdrawn'],
  graduated: ['active'],
  withdrawn: ['active'],
}

const ENDING: readonly Next[] = ['graduated', 'withdrawn']

/** What the status may become. Each asks first: some end what the student is enrolled in. */
export const StatusMenu = ({ student }: { student: Schemas['StudentDetail'] }) => {
  const { people } = useWords()
  const [next, setNext] = useState<Next>()
  const [isAsking, setAsking] = useState(false)
  const change = useChange('student', async (status: Next, header) => {
    const params = { path: { id: student.id }, header }
    const saved = await answer(api.POST('/students/{id}/status', { params, body: { status } }))
    queryClient.setQueryData(['/students', student.id], saved)
  })
  return (
    <>
      <Menu
        label={people.changeStatus}
        className="button"
        text={people.changeStatus}
        entries={MOVES[student.status].map((status) => ({
          id: status,
          label: people.becomes[status],
          isDangerous: ENDING.includes(status),
          onSelect: () => {
            setNext(status)
            setAsking(true)
          },
        }))}
      />
      {next && (
        <Confirm
          title={people.becomesTitle[next](student.fullName)}
          verb={people.becomes[next]}
          isDangerous={ENDING.includes(next)}
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutateAsync(next)}
        >
          <p>{ENDING.includes(next) ? people.endsGroups : people.keepsGroups}</p>
        </Confirm>
      )}
    </>
  )
}
