import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { plainDigits } from '../../../shared/typed.ts'

type Branch = Schemas['Branch']

const typedOf = (branch: Branch | undefined) => ({
  name: branch?.name ?? '',
  line1: branch?.address?.line1 ?? '',
  city: branch?.address?.city ?? '',
  phone: branch?.phone ?? '',
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
  const { branches: words, shell } = useWords()
  const [typed, setTyped] = useState(() => typedOf(branch))
  const [isTried, setTried] = useState(false)
  const save = useChange('branch', ({ name, phone, ...address }: Typed, header) => {
    const number = plainDigits(phone).trim()
    const place = addressOf({ name, phone, ...address }, branch?.address)
    if (branch) {
      const body = { name: name.trim(), phone: number || null, address: place }
      return answer(api.PATCH('/branches/{id}', { params: { path: { id: branch.id } }, body }))
    }
    const body = {
      name: name.trim(),
      isDefault: false,
      ...(number && { phone: number }),
      ...(place && { address: place }),
    }
    return answer(api.POST('/branches', { params: { header }, body }))
  })
  const set = (name: keyof Typed) => (value: string) => setTyped({ ...typed, [name]: value })
  const isWrong = (name: string) => save.error?.issues.some(({ path }) => path.includes(name)) ?? false
  const isMissing = isTried && typed.name.trim() === ''
  const submit = async () => {
    setTried(true)
    if (typed.name.trim() === '' || save.isPending) return
    try {
      await save.mutateAsync(typed)
    } catch {
      return
    }
    toast(branch ? words.saved(typed.name) : words.added(typed.name))
    onClose()
  }
  return (
    <Sheet title={branch ? words.change(branch.name) : words.add} isOpen onClose={onClose}>
      <Form onSubmit={() => void submit()}>
        {save.error && <ProblemNotice problem={save.error} />}
        <Field
          label={words.name}
          hint={words.nameHint}
          value={typed.name}
          onChange={set('name')}
          error={isMissing ? words.nameMissing : undefined}
          maxLength={200}
          autoFocus
        />
        <Field label={words.street} isOptional value={typed.line1} onChange={set('line1')} maxLength={200} />
        <Field label={words.city} isOptional value={typed.city} onChange={set('city')} maxLength={100} />
        <Field
          label={words.phone}
          type="tel"
          isLtr
          isOptional
          value={typed.phone}
          onChange={set('phone')}
          error={isWrong('phone') ? words.phoneWrong : undefined}
          maxLength={50}
        />
        <div className="actions">
          <Button onPress={onClose}>{shell.cancel}</Button>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {shell.save}
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
