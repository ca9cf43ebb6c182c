import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { usePlans } from './reads.ts'

interface LicenseRowProps {
  license: Schemas['License']
  /** What its institute is called; undefined: the page is that of the institute. */
  institute?: string
}

/** A licence in a list. */
export const LicenseRow = ({ license, institute }: LicenseRowProps) => {
  const { licenses: words } = useWords()
  const format = useFormat()
  const plans = usePlans()
  const { id, state, planId, maxInstalls, expiresAt, createdAt } = license
  const plan = plans.data?.find((one) => one.id === planId)?.name
  const issued = format.date(format.dateOf(createdAt))
  return (
    <Link href={`/platform/licenses/${id}`} className="row">
      <span className="grow">
        <span className="chips">
          <bdi className="name">{institute ?? issued}</bdi>
          {state === 'locked' && <Badge meaning="bad">{words.states.locked}</Badge>}
        </span>
        <span className="about">
          <Dotted>
            {planId === null ? words.noPlan : plan}
            {words.forServers(maxInstalls)}
            {expiresAt === null ? words.forEver : words.until(format.date(format.dateOf(expiresAt)))}
          </Dotted>
        </span>
      </span>
      <Icon name="forward" />
    </Link>
  )
}
