import type { Schemas } from '../../api/client.ts'
import { Badge } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** What was counted more or less than expected, in words. */
export const Difference = ({ of }: { of: Schemas['Money'] }) => {
  const { till: words } = useWords()
  const format = useFormat()
  const amount = format.money({ ...of, amountMinor: Math.abs(of.amountMinor) })
  if (of.amountMinor === 0) return <Badge meaning="good">{words.fits}</Badge>
  return of.amountMinor < 0 ? (
    <Badge meaning="bad">{words.missing(amount)}</Badge>
  ) : (
    <Badge meaning="warn">{words.over(amount)}</Badge>
  )
}
