import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { FindPerson } from '../../parts/find-person.tsx'
import { usePhoneText } from '../../parts/phone.tsx'
import { useWords } from '../../words/language.tsx'
import { Compared, MergeSheet, type CompareProps, type Facts, type MergeProps } from '../../records/merge/sheet.tsx'
import { readGuardians, useGuardian } from '../../records/guardian/reads.ts'

/** Two records of one guardian become one. */
export const MergeGuardian = ({ kept, isOpen, onClose }: MergeProps) => {
  const phoneText = usePhoneText()
  const { merge: words, people, family } = useWords()
  return (
    <MergeSheet
      kept={kept}
      isOpen={isOpen}
      onClose={onClose}
      find={(onChoose) => (
        <FindPerson
          label={words.find}
          none={family.noneFound}
          takenIds={[kept.id]}
          people={people.guardian}
          path="/guardians"
          read={readGuardians}
          shown={({ firstName, lastName, phone }) => ({ name: `${firstName} ${lastName}`, about: phoneText(phone) })}
          onChoose={({ id }) => onChoose(id)}
        />
      )}
      compare={(props) => <Guardians {...props} />}
    />
  )
}

const Guardians = ({ kept, otherId, onClose }: CompareProps) => {
  const {
    people,
    imports: {
      labels: { fields },
    },
  } = useWords()
  const phoneText = usePhoneText()
  const [one, other] = [useGuardian(kept.id), useGuardian(otherId)]
  const change = useChange('merge', (dryRun: boolean, header) => {
    const params = { path: { id: kept.id }, header }
    return answer(api.POST('/guardians/{id}/merge', { params, body: { otherId, dryRun } }))
  })
  const factsOf = (guardian: Schemas['Guardian']): Facts => [
    [people.firstName, guardian.firstName],
    [people.lastName, guardian.lastName],
    [people.phone, guardian.phone && phoneText(guardian.phone)],
    [people.email, guardian.email],
    [fields.nationalId, guardian.nationalId],
  ]
  const both = one.data && other.data ? ([factsOf(one.data), factsOf(other.data)] as const) : undefined
  return <Compared both={both} change={change} onClose={onClose} />
}
