import { BOUNDS } from '../../api/bounds.ts'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useDraft, type Draft } from './draft.ts'
import type { Rehearsal } from './rehearsal.ts'
import { Twins } from './twins.tsx'
import type { Typed } from './typed.ts'
import type { FaultOf } from './use-faults.ts'

interface StudentPartProps {
  draft: Draft
  rehearsal: Rehearsal | undefined
  faultOf: FaultOf
}

export const StudentPart = ({ draft, rehearsal, faultOf }: StudentPartProps) => {
  const { register: words, people } = useWords()
  const { branches } = useMe()
  const { student } = useDraft(draft).typed
  const set = (changes: Partial<Typed['student']>) => draft.type({ student: { ...student, ...changes } })
  return (
    <Section title={people.student}>
      <div className="card padded">
        <div className="fields">
          <Field
            label={people.firstName}
            value={student.firstName}
            onChange={(firstName) => set({ firstName })}
            error={faultOf('student.firstName', student.firstName)}
            maxLength={BOUNDS.RegistrationStudent.firstName.maxLength}
          />
          <Field
            label={people.lastName}
            value={student.lastName}
            onChange={(lastName) => set({ lastName })}
            error={faultOf('student.lastName', student.lastName)}
            maxLength={BOUNDS.RegistrationStudent.lastName.maxLength}
          />
          <DateField
            label={people.birthDate}
            value={student.birthDate}
            onChange={(birthDate) => set({ birthDate })}
            error={faultOf('student.birthDate', student.birthDate)}
            isPast
            isOptional
          />
          <Field
            label={words.nationalId}
            value={student.nationalId}
            onChange={(nationalId) => set({ nationalId })}
            error={faultOf('student.nationalId', student.nationalId)}
            maxLength={BOUNDS.RegistrationStudent.nationalId.maxLength}
            inputMode="numeric"
            isLtr
            isOptional
          />
          <Field
            label={words.ownPhone}
            value={student.phone}
            onChange={(phone) => set({ phone })}
            error={faultOf('student.phone', student.phone)}
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
        <Twins draft={draft} rehearsal={rehearsal} />
      </div>
    </Section>
  )
}
