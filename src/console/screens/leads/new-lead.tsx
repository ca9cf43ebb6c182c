import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useLanguage } from '../../words/language.tsx'
import { plainDigits } from '../../../shared/typed.ts'

/** Somebody is at the desk or on the telephone: who, how to reach them, what they want. */
export const NewLead = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const { locale, words: all } = useLanguage()
  const { leads: words } = all
  const save = useChange('lead', (body: Schemas['NewLead'], header) =>
    answer(api.POST('/leads', { body, params: { header } })),
  )
  const form = useForm({
    start: { firstName: '', lastName: '', phone: '', courseInterest: '' },
    bounds: BOUNDS.NewLead,
    missing: words.missing,
    send: async ({ courseInterest, phone, ...names }) => {
      const wish = courseInterest.trim() !== '' && { courseInterest }
      await save.mutateAsync({ ...names, phone: plainDigits(phone), locale, ...wish })
      toast(words.saved(`${names.firstName} ${names.lastName}`))
      form.reset()
      onClose()
    },
  })
  return (
    <Sheet title={words.add} isOpen={isOpen} onClose={onClose}>
      <Form form={form} verb={words.save} onCancel={onClose}>
        <Field label={words.firstName} {...form.field('firstName')} autoFocus />
        <Field label={words.lastName} {...form.field('lastName')} />
        <Field label={words.phone} type="tel" isLtr {...form.field('phone')} />
        <Field label={words.courseInterest} isOptional {...form.field('courseInterest')} />
      </Form>
    </Sheet>
  )
}
