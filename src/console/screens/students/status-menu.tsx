import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Menu } from '../../parts/menu.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { StatusSheet, useStatusChange } from './status-sheet.tsx'

type Status = Schemas['Student']['status']
type Next = Exclude<Status, 'lead'>

/** As the API allows them; who pauses can be sent another pause. */
const MOVES: Readonly<Record<Status, readonly Next[]>> = {
  lead: ['active', 'withdrawn'],
  active: ['paused', 'graduated', 'withdrawn'],
  paused: ['active', 'paused', 'withdrawn'],
  graduated: ['active'],
  withdrawn: ['active'],
}

const ENDING: readonly Next[] = ['graduated', 'withdrawn']

/** What the status may become. Each asks first: from when, and with what consequences. */
export const StatusMenu = ({ student }: { student: Schemas['StudentDetail'] }) => {
  const { people, standing } = useWords()
  const [next, setNext] = useState<Next>()
  const change = useStatusChange(student.id)
  const close = () => setNext(undefined)
  return (
    <>
      <Menu
        label={people.changeStatus}
        className="button"
        text={people.changeStatus}
        entries={MOVES[student.status].map((status) => ({
          id: status,
          label: status === student.status ? standing.changePause : people.becomes[status],
          isDangerous: ENDING.includes(status),
          onSelect: () => setNext(status),
        }))}
      />
      {next !== undefined && next !== 'active' && <StatusSheet student={student} status={next} onClose={close} />}
      <Confirm
        title={standing.title.active(student.fullName)}
        verb={people.becomes.active}
        isOpen={next === 'active'}
        onClose={close}
        onConfirm={() => change.mutateAsync({ status: 'active' })}
      >
        <p>{standing.staysActive}</p>
      </Confirm>
    </>
  )
}
