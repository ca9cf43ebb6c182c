import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import type { Member } from './reads.ts'

interface MemberResetProps {
  member: Member
  name: string
  isOpen: boolean
  onClose: () => void
}

/** For a member who lost their phone and has no recovery code. */
export const MemberReset = ({ member: { membershipId: id }, name, isOpen, onClose }: MemberResetProps) => {
  const { factor: words } = useWords()
  const reset = useChange('member', (_, header) =>
    answer(api.POST('/members/{id}/reset-second-factor', { params: { path: { id }, header } })),
  )
  return (
    <Confirm
      title={words.resetTitle(name)}
      verb={words.resetVerb}
      isDangerous
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await reset.mutateAsync(undefined)
        toast(words.resetDone(name))
      }}
    >
      <p>{words.resetText}</p>
    </Confirm>
  )
}
