import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import { StudentStatus } from '../../records/student/status.tsx'
import { openTwins, useDraft, type Draft } from './draft.ts'
import type { Rehearsal } from './rehearsal.ts'

interface TwinsProps {
  draft: Draft
  rehearsal: Rehearsal | undefined
}

/** Says who is registered already and looks the same. */
export const Twins = ({ draft, rehearsal }: TwinsProps) => {
  const { register: words } = useWords()
  const { otherIds } = useDraft(draft)
  const twins = rehearsal ? openTwins(rehearsal, otherIds) : []
  if (twins.length === 0) return null
  const areOthers = () => draft.set({ otherIds: [...otherIds, ...twins.map(({ id }) => id)] })
  return (
    <Notice meaning="warn" isAlert>
      <div className="grow">
        <strong>{words.twinsTitle(twins.length)}</strong>
        <ul className="twins">
          {twins.map(({ id, fullName, studentNumber, status }) => (
            <li key={id}>
              <a href={`/students/${id}`} target="_blank" rel="noreferrer">
                <bdi>{fullName}</bdi> <span className="ltr">{studentNumber}</span>
              </a>
              <StudentStatus status={status} />
            </li>
          ))}
        </ul>
        <p>{words.twinsText}</p>
      </div>
      <Button onPress={areOthers}>{words.other}</Button>
    </Notice>
  )
}
