import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Check, Choice } from '../../parts/choose.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

export type Marks = Omit<Schemas['GuardianLink'], 'guardianId'>

type Typed = Omit<Marks, 'relationship'> & { relationship: Marks['relationship'] | null }

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
  const form = useForm<Typed>({
    start: {
      relationship: link?.relationship ?? null,
      isPayer: link?.isPayer ?? isFirst,
      isPrimary: link?.isPrimary ?? isFirst,
      seesLearning: link?.seesLearning ?? true,
      seesMoney: link?.seesMoney ?? true,
    },
    bounds: BOUNDS.NewGuardianLink,
    missing: family.missingRelation,
    send: async ({ relationship, ...marks }) => {
      if (relationship === null) return
      // Whoever pays sees what is to be paid.
      await save.mutateAsync({ relationship, ...marks, seesMoney: marks.isPayer || marks.seesMoney })
      toast(link ? family.changed(guardian.name) : family.linked(guardian.name, student.name))
      onDone()
    },
  })
  return (
    <Form form={form} verb={link ? shell.save : family.link} onCancel={onCancel}>
      <Choice
        label={family.relation(guardian.name, student.name)}
        placeholder={family.choose}
        {...form.field('relationship')}
        options={RELATIONS.map((id) => ({ id, label: people.relations[id] }))}
      />
      <Check {...form.check('isPayer')}>{family.pays}</Check>
      <Check {...form.check('isPrimary')}>{family.first}</Check>
      <p className="hint spaced">{family.marksHint}</p>
      <Check {...form.check('seesLearning')}>{family.seesLearning}</Check>
      <Check
        {...form.check('seesMoney')}
        isChecked={form.typed.isPayer || form.typed.seesMoney}
        isDisabled={form.typed.isPayer}
      >
        {family.seesMoney}
      </Check>
      <p className="hint spaced">{family.sightHint}</p>
    </Form>
  )
}
