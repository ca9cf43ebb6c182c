import type { ReactNode } from 'react'
import { Page } from '../../src/console/parts/page.tsx'
import { Told } from '../../src/console/parts/told.tsx'

interface StepProps {
  /** What the page is at: each has one of its own. */
  id: string
  title: string
  lead?: string
  /** Whether it is what the page begins with: then nothing takes the focus. */
  isFirst?: boolean
  children?: ReactNode
}

/** One of the things that a page shows in turn. */
export const Step = ({ id, title, lead, isFirst = false, children }: StepProps) => (
  <section id={id} key={id}>
    <Page title={<Told>{title}</Told>} name={title} isNext={!isFirst}>
      {lead !== undefined && (
        <p className="lead soft">
          <Told>{lead}</Told>
        </p>
      )}
      {children}
    </Page>
  </section>
)
