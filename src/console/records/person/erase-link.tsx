import { ButtonLink } from '../../parts/button.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** For the owner: leads to the page on which a person is erased. @param of such as `/students/<id>` */
export const EraseLink = ({ of }: { of: string }) => {
  const { erasure: words } = useWords()
  const me = useMe()
  if (!isOwner(me)) return null
  return (
    <ButtonLink look="quiet" to={`${of}/erase`}>
      {words.erase}
    </ButtonLink>
  )
}
