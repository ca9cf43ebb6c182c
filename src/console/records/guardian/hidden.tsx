import { Badge } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'

/** What a guardian does not see of a student: parents who live apart. */
export const Hidden = ({ link }: { link: { seesLearning: boolean; seesMoney: boolean } }) => {
  const { family } = useWords()
  return (
    <>
      {!link.seesLearning && <Badge meaning="warn">{family.noLearning}</Badge>}
      {!link.seesMoney && <Badge meaning="warn">{family.noMoney}</Badge>}
    </>
  )
}
