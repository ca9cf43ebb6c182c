import { BOUNDS } from '../../api/bounds.ts'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Check, Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { FamilyReach } from '../../records/message/family-reach.tsx'
import { useWords } from '../../words/language.tsx'
import { branchOf, placeOf, usePlaces } from './places.ts'
import type { Closure } from './reads.ts'

const typedOf = (closure: Closure | undefined, place: string | null) => ({
  name: closure?.name ?? '',
  from: closure?.from ?? (null as string | null),
  to: closure?.to ?? (null as string | null),
  branchId: closure ? placeOf(closure) : place,
  isBilled: closure?.isBilled ?? true,
})
type Typed = ReturnType<typeof typedOf>

/** Closes days, or changes what is closed. */
export const ClosureForm = ({ closure, onClose }: { closure: Closure | undefined; onClose: () => void }) => {
  const { closures: words, shell } = useWords()
  const { options, first } = usePlaces()
  const save = useChange('closure', (typed: Typed, header) => {
    const from = typed.from ?? ''
    const branchId = branchOf(typed.branchId)
    const body = { name: typed.name.trim(), from, to: typed.to ?? from, branchId, isBilled: typed.isBilled }
    return closure
      ? answer(api.PATCH('/closures/{id}', { params: { path: { id: closure.id } }, body }))
      : answer(api.POST('/closures', { params: { header }, body }))
  })
  const form = useForm({
    start: typedOf(closure, first),
    bounds: { ...BOUNDS.NewClosure, to: {} },
    missing: { name: words.nameMissing, from: words.dayMissing },
    rules: ({ from, to }) => ({ to: from !== null && to !== null && to < from && words.endFirst }),
    send: async (typed) => {
      const { name, cancelledSessions } = await save.mutateAsync(typed)
      toast(words.saved(name, cancelledSessions))
      onClose()
    },
  })
  return (
    <Sheet title={closure ? words.change(closure.name) : words.add} isOpen onClose={onClose}>
      <Form form={form} verb={closure ? shell.save : words.close} onCancel={onClose}>
        <Field label={words.name} hint={words.nameHint} {...form.field('name')} autoFocus />
        <div className="two">
          <DateField label={words.from} {...form.field('from')} />
          <DateField label={words.to} hint={words.toHint} isOptional {...form.field('to')} />
        </div>
        {options.length > 1 && <Choice label={words.where} options={options} {...form.field('branchId')} />}
        <Check isChecked={form.typed.isBilled} onChange={form.field('isBilled').onChange}>
          {words.isBilled}
        </Check>
        <p className="soft">{closure ? words.changeFollows : words.closeFollows}</p>
        <FamilyReach branchId={branchOf(form.typed.branchId)} />
      </Form>
    </Sheet>
  )
}
