import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import type { Discount } from './reads.ts'

/** What may change of a discount that stands: what it is called, and its last day. */
export const EditDiscount = ({ discount, onClose }: { discount: Discount; onClose: () => void }) => {
  const { discounts: words } = useWords()
  const { id, label, validFrom, validTo } = discount
  const save = useChange('discount', (body: Schemas['DiscountChanges']) =>
    answer(api.PATCH('/discounts/{id}', { params: { path: { id } }, body })),
  )
  const form = useForm({
    start: { label, validTo },
    bounds: BOUNDS.DiscountChanges,
    rules: (typed) => ({
      label: typed.label.trim() === '' && words.labelMissing,
      validTo: typed.validTo !== null && typed.validTo < validFrom && words.endFirst,
    }),
    refusals: { discounts_above_price: 'validTo' },
    send: async (typed) => {
      const changed = await save.mutateAsync({ label: typed.label.trim(), validTo: typed.validTo })
      toast(words.changed(changed.label))
      onClose()
    },
  })
  return (
    <Sheet title={words.editOf(label)} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field label={words.label} {...form.field('label')} autoFocus />
        <DateField label={words.to} isOptional {...form.field('validTo')} />
        <p className="soft">{words.editFollows}</p>
      </Form>
    </Sheet>
  )
}
