import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

interface ErasedProps {
  /** Of the record, such as `/students/<id>`. */
  of: string
  name: string
  erasedAt: string
}

/** The page of somebody who was erased: when, and where their books are. */
export const ErasedPerson = ({ of, name, erasedAt }: ErasedProps) => {
  const { erasure: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  return (
    <Page
      title={name}
      actions={can('invoices.read') && <ButtonLink to={`${of}/account`}>{words.accountOf}</ButtonLink>}
    >
      <Notice meaning="info">
        <span className="grow">{words.erasedOn(format.moment(erasedAt))}</span>
      </Notice>
    </Page>
  )
}
