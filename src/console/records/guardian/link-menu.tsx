import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Menu } from '../../parts/menu.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { LinkForm, type Linked, type Marks } from './link-form.tsx'

interface LinkMenuProps extends Linked {
  link: Marks
}

/** What may be done with the link of a guardian to a student. */
export const LinkMenu = ({ student, guardian, link }: LinkMenuProps) => {
  const { family, shell } = useWords()
  const [isChanging, setChanging] = useState(false)
  const [isUnlinking, setUnlinking] = useState(false)
  const unlink = useChange('guardian', () =>
    answer(
      api.DELETE('/students/{id}/guardians/{guardianId}', {
        params: { path: { id: student.id, guardianId: guardian.id } },
      }),
    ),
  )
  return (
    <>
      <Menu
        label={`${shell.more}: ${guardian.name}, ${student.name}`}
        entries={[
          { id: 'change', label: family.change, onSelect: () => setChanging(true) },
          { id: 'unlink', label: family.unlink, isDangerous: true, onSelect: () => setUnlinking(true) },
        ]}
      />
      <Sheet title={family.change} isOpen={isChanging} onClose={() => setChanging(false)}>
        <LinkForm
          {...{ student, guardian, link }}
          onDone={() => setChanging(false)}
          onCancel={() => setChanging(false)}
        />
      </Sheet>
      <Confirm
        title={family.unlinkTitle(guardian.name, student.name)}
        verb={family.unlink}
        isDangerous
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        onConfirm={async () => {
          await unlink.mutateAsync()
          toast(family.unlinked(guardian.name, student.name))
        }}
      >
        <p>{link.isPayer ? family.unlinkPayer : family.unlinkText}</p>
      </Confirm>
    </>
  )
}
