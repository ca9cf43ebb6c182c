import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Form } from '../../parts/field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

export type Marks = Omit<Schemas['GuardianLink'], 'guardianId'>

const RELATIONS = ['mother', 'father', 'grandparent', 'sibling', 'spouse', 'guardian', 'other'] as const

/** A student and a guardian, by name. */
export interface Linked {
  student: { id: string; name: string }
  guardian: { id: string; name: string }
}

interface LinkFormProps extends Linked {
  /** How they stand to each other now; undefined: they are not linked yet. */
  link?: Marks | undefined
  /** Whether nobody pays for the student yet, so that this guardian most likely does. */
  isFirst?: boolean
  onDone: () => void
  onCancel: () => void
}

/** How a guardian stands to a student: the relation, who pays, whom one calls first. */
export const LinkForm = ({ student, guardian, link, isFirst = false, onDone, onCancel }: LinkFormProps) => {
  const { people, family, shell } = useWords()
  const [relationship, setRelationship] = useState(link?.relationship ?? null)
  const [isPayer, setPayer] = useState(link?.isPayer ?? isFirst)
  const [isPrimary, setPrimary] = useState(link?.isPrimary ?? isFirst)
  const [isTried, setTried] = useState(false)
  const save = useChange('guardian', async (marks: Marks, header): Promise<void> => {
    if (link) {
      const path = { id: student.id, guardianId: guardian.id }
      await answer(api.PATCH('/students/{id}/guardians/{guardianId}', { params: { path }, body: marks }))
      return
    }
    const body = { guardianId: guardian.id, ...marks }
    const path = { id: student.id }
    await answer(api.POST('/students/{id}/guardians', { params: { path, header }, body }))
  })
  const submit = async () => {
    setTried(true)
    if (relationship === null || save.isPending) return
    const isSaved = await save.mutateAsync({ relationship, isPayer, isPrimary }).then(
      () => true,
      () => false,
    )
    if (!isSaved) return
    toast(link ? family.changed(guardian.name) : family.linked(guardian.name, student.name))
    onDone()
  }
  return (
    <Form onSubmit={() => void submit()}>
      {save.error && <ProblemNotice problem={save.error} />}
      <Choice
        label={family.relation(guardian.name, student.name)}
        placeholder={family.choose}
        error={isTried && relationship === null ? family.missingRelation : undefined}
        value={relationship}
        onChange={setRelationship}
        options={RELATIONS.map((id) => ({ id, label: people.relations[id] }))}
      />
      <Check isChecked={isPayer} onChange={setPayer}>
        {family.pays}
      </Check>
      <Check isChecked={isPrimary} onChange={setPrimary}>
        {family.first}
      </Check>
      <p className="hint spaced">{family.marksHint}</p>
      <div className="actions">
        <Button onPress={onCancel}>{shell.cancel}</Button>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {link ? shell.save : family.link}
        </Button>
      </div>
    </Form>
  )
}
