import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { AnnounceAbsence } from '../../records/absence/announce.tsx'
import { useTakeBack } from '../../records/absence/take-back.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Absence = Schemas['Absence']

/** The absences of a student that are announced for today and later, and the way to announce one. */
export const Absences = ({ studentId, name }: { studentId: string; name: string }) => {
  const { people: words } = useWords()
  const format = useFormat()
  const { can, institute } = useMe()
  const [isOpen, setOpen] = useState(false)
  const takeBack = useTakeBack()
  const { data } = useGet(['/students', studentId, 'absences'], (signal) =>
    answer(api.GET('/students/{id}/absences', { params: { path: { id: studentId } }, signal })),
  )
  const ahead = (data?.data ?? []).filter(({ to }) => to >= format.today())
  const mayAnnounce = can('students.write', 'attendance.mark') && !institute.isReadOnly
  return (
    <>
      {ahead.length > 0 && (
        <ul className="card below" aria-label={words.absences}>
          {ahead.map((absence) => (
            <li key={absence.id}>
              <Row absence={absence} onWithdraw={mayAnnounce ? () => takeBack(absence.id) : undefined} />
            </li>
          ))}
        </ul>
      )}
      {mayAnnounce && (
        <div className="actions below">
          <Button icon="plus" onPress={() => setOpen(true)}>
            {words.announce}
          </Button>
        </div>
      )}
      {isOpen && (
        <AnnounceAbsence
          studentId={studentId}
          name={name}
          follows={words.announceFollows}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface RowProps {
  absence: Absence
  /** undefined: the reader may not take it back. */
  onWithdraw: (() => void) | undefined
}

const Row = ({ absence: { from, to, reason }, onWithdraw }: RowProps) => {
  const { people: words, attendance } = useWords()
  const format = useFormat()
  return (
    <div className="row">
      <span className="grow">
        <span className="name">{attendance.announced(reason)}</span>
        <span className="about">
          <Dotted>{from === to ? format.longDate(from) : format.range(from, to)}</Dotted>
        </span>
      </span>
      {onWithdraw && <Button onPress={onWithdraw}>{words.withdraw}</Button>}
    </div>
  )
}
