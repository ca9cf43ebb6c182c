import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useDraft, type Draft } from './draft.ts'
import { SavedBadge } from './outcome.tsx'
import { Twins } from './twins.tsx'
import type { Typed } from './typed.ts'
import type { FaultOf } from './use-faults.ts'

interface StudentPartProps {
  draft: Draft
  faultOf: FaultOf
}

export const StudentPart = ({ draft, faultOf }: StudentPartProps) => {
  const { register: words, people } = useWords()
  const { branches } = useMe()
  const { typed, saved } = useDraft(draft)
  const { student } = typed
  const set = (changes: Partial<Typed['student']>) => draft.type({ student: { ...student, ...changes } })
  if (saved.student) {
    const { fullName, studentNumber } = saved.student
    return (
      <Section title={people.student}>
        <div className="card padded found-person">
          <Initials name={fullName} />
          <span className="grow">
            <bdi className="name">{fullName}</bdi>
            <span className="about ltr-text">{studentNumber}</span>
          </span>
          <SavedBadge />
        </div>
      </Section>
    )
  }
  return (
    <Section title={people.student}>
      <div className="card padded">
        <div className="fields">
          <Field
            label={people.firstName}
            value={student.firstName}
            onChange={(firstName) => set({ firstName })}
            error={faultOf('student.firstName')}
          />
          <Field
            label={people.lastName}
            value={student.lastName}
            onChange={(lastName) => set({ lastName })}
            error={faultOf('student.lastName')}
          />
          <DateField
            label={people.birthDate}
            value={student.birthDate}
            onChange={(birthDate, birthDateTyped) => set({ birthDate, birthDateTyped })}
            error={faultOf('student.birthDate')}
            isPast
            isOptional
          />
          <Field
            label={words.nationalId}
            value={student.nationalId}
            onChange={(nationalId) => set({ nationalId })}
            error={faultOf('student.nationalId')}
            inputMode="numeric"
            isLtr
            isOptional
          />
          <Field
            label={words.ownPhone}
            value={student.phone}
            onChange={(phone) => set({ phone })}
            error={faultOf('student.phone')}
            type="tel"
            isLtr
            isOptional
          />
          {student.branchId !== null && branches.length > 1 && (
            <Choice
              label={people.branch}
              value={student.branchId}
              onChange={(branchId) => set({ branchId })}
              options={branches.map(({ id, name }) => ({ id, label: name }))}
            />
          )}
        </div>
        <Twins draft={draft} />
      </div>
    </Section>
  )
}
