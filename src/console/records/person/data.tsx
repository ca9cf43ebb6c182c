import { useState } from 'react'
import { fetchFile, keep } from '../../api/file.ts'
import { Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'

interface PersonDataSheetProps {
  /** Of the file, such as `/students/<id>/data`. */
  path: string
  name: string
  isOpen: boolean
  onClose: () => void
}

/** All that is kept of a person, to hand it to whoever asks for it. */
export const PersonDataSheet = ({ path, name, isOpen, onClose }: PersonDataSheetProps) => {
  const { personFile: words } = useWords()
  return (
    <Sheet title={words.title(name)} isOpen={isOpen} onClose={onClose}>
      <Save path={path} onClose={onClose} />
    </Sheet>
  )
}

/** The same behind a button of its own, for the owner. */
export const PersonData = (props: Pick<PersonDataSheetProps, 'path' | 'name'>) => {
  const { personFile: words } = useWords()
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  if (!isOwner(me)) return null
  return (
    <>
      <Button look="quiet" onPress={() => setOpen(true)}>
        {words.theirData}
      </Button>
      <PersonDataSheet {...props} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

const Save = ({ path, onClose }: { path: string; onClose: () => void }) => {
  const { personFile: words, shell } = useWords()
  const { locale } = useLanguage()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const save = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const file = await fetchFile(path, locale, 'data.zip')
      keep(file)
      toast(shell.downloaded(file.name))
      onClose()
    } catch (error) {
      // A connection that breaks while the file comes says nothing of itself.
      setProblem(error instanceof Problem ? error : new Problem(0))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p>{words.about}</p>
      <p>{words.holds}</p>
      <p>
        {words.others} {words.logged}
      </p>
      {problem && <ProblemNotice problem={problem} />}
      <div className="actions">
        <Button onPress={onClose}>{shell.leaveIt}</Button>
        <Button look="primary" icon="download" isBusy={isBusy} onPress={() => void save()}>
          {words.save}
        </Button>
      </div>
    </>
  )
}
