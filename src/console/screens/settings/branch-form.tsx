import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { usePhoneText } from '../../parts/phone.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { plainDigits } from '../../../shared/typed.ts'

type Branch = Schemas['Branch']

const typedOf = (branch: Branch | undefined, phoneText: ReturnType<typeof usePhoneText>) => ({
  name: branch?.name ?? '',
  line1: branch?.address?.line1 ?? '',
  city: branch?.address?.city ?? '',
  phone: phoneText(branch?.phone),
})
type Typed = ReturnType<typeof typedOf>

/** What is typed, without what is empty; the parts of the address that are not asked for stay. */
const addressOf = ({ line1, city }: Typed, former: Branch['address'] | undefined): Schemas['Address'] | null => {
  const { line1: _, city: __, ...others } = former ?? {}
  const address = {
    ...others,
    ...(line1.trim() !== '' && { line1: line1.trim() }),
    ...(city.trim() !== '' && { city: city.trim() }),
  }
  return Object.keys(address).length === 0 ? null : address
}

/** Opens a branch, or changes one. */
export const BranchForm = ({ branch, onClose }: { branch: Branch | undefined; onClose: () => void }) => {
  const { branches: words } = useWords()
  const phoneText = usePhoneText()
  const save = useChange('branch', (typed: Typed, header) => {
    const name = typed.name.trim()
    const phone = plainDigits(typed.phone).trim() || null
    const address = addressOf(typed, branch?.address)
    if (branch) {
      const params = { path: { id: branch.id } }
      return answer(api.PATCH('/branches/{id}', { params, body: { name, phone, address } }))
    }
    const body = { name, isDefault: false, ...(phone !== null && { phone }), ...(address && { address }) }
    return answer(api.POST('/branches', { params: { header }, body }))
  })
  const form = useForm({
    start: typedOf(branch, phoneText),
    bounds: { ...BOUNDS.Address, ...BOUNDS.NewBranch },
    missing: words.nameMissing,
    refused: { phone: words.phoneWrong },
    send: async (typed) => {
      await save.mutateAsync(typed)
      toast(branch ? words.saved(typed.name) : words.added(typed.name))
      onClose()
    },
  })
  return (
    <Sheet title={branch ? words.change(branch.name) : words.add} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Field label={words.name} hint={words.nameHint} {...form.field('name')} autoFocus />
        <Field label={words.street} isOptional {...form.field('line1')} />
        <Field label={words.city} isOptional {...form.field('city')} />
        <Field label={words.phone} type="tel" isLtr isOptional {...form.field('phone')} />
      </Form>
    </Sheet>
  )
}
