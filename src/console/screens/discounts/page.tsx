import { Link } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Check } from '../../parts/choose.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import type { Discount } from '../../records/discount/reads.ts'
import { DiscountRow } from '../../records/discount/row.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** Who pays less, and why: the discounts that hold today, or all that there ever were. */
export const Screen = () => {
  const { discounts: words, invoices } = useWords()
  const format = useFormat()
  const { filters, set } = useFilters(['all'])
  const at = filters.all === undefined ? format.today() : undefined
  const discounts = usePages<Discount>(['/discounts', 'list', at], (cursor, signal) => {
    const query = { ...(at && { at }), ...(cursor && { cursor }), limit: 50 }
    return answer(api.GET('/discounts', { params: { query }, signal }))
  })
  return (
    <>
      <Back to="/invoices" label={invoices.title} />
      <Page title={words.title} actions={<Download path="/discounts" query={{ at }} />}>
        <div className="filters">
          <Check isChecked={at === undefined} onChange={(isChosen) => set('all', isChosen ? '1' : '')}>
            {words.ended}
          </Check>
        </div>
        <Rows
          pages={discounts}
          label={words.title}
          keyOf={({ id }) => id}
          empty={<p>{at === undefined ? words.none : words.noneAt}</p>}
        >
          {(discount) => <DiscountRow discount={discount} holder={<HolderName discount={discount} />} />}
        </Rows>
      </Page>
    </>
  )
}

const HolderName = ({ discount }: { discount: Discount }) => {
  const { studentId, studentName, guardianId, guardianName } = discount
  const { can } = useMe()
  const [path, name] =
    studentId === null ? [`/guardians/${guardianId}`, guardianName] : [`/students/${studentId}`, studentName]
  if (!can(studentId === null ? 'guardians.read' : 'students.read')) return <bdi className="name">{name}</bdi>
  return (
    <Link href={path} className="name link">
      <bdi>{name}</bdi>
    </Link>
  )
}
