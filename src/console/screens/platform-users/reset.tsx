import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { PasswordForm } from '../../parts/password-form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

interface ResetProps {
  id: string
  name: string
  onClose: () => void
}

/** For somebody who lost their phone and has no recovery code. */
export const Reset = ({ id, name, onClose }: ResetProps) => {
  const { factor: words } = useWords()
  const reset = useChange('user', (body: Schemas['PasswordAgain'], header) =>
    answer(api.POST('/platform/users/{id}/reset-second-factor', { params: { path: { id }, header }, body })),
  )
  return (
    <Sheet title={words.resetTitle(name)} isOpen onClose={onClose}>
      <p>{words.resetText}</p>
      <PasswordForm
        bounds={BOUNDS.PasswordAgain}
        verb={words.resetVerb}
        look="danger"
        autoFocus
        send={async (typed) => {
          await reset.mutateAsync(typed)
          toast(words.resetDone(name))
          onClose()
        }}
        onCancel={onClose}
      />
    </Sheet>
  )
}
