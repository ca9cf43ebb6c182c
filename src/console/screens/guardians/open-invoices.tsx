import { Fragment } from 'react'
import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { InvoiceRow, ReceiptsLink } from '../../records/invoice/row.tsx'

interface OpenInvoicesProps {
  of: readonly Schemas['FamilyChild'][]
  guardianId: string
  /** The guardian's. */
  name: string
}

/** The open invoices of each child, whoever pays them, first due first. */
export const OpenInvoices = ({ of: children, guardianId, name }: OpenInvoicesProps) => {
  const { accounts, people } = useWords()
  const { can } = useMe()
  const owing = children.filter(({ openInvoices }) => openInvoices && openInvoices.length > 0)
  return (
    <Section
      title={people.openInvoices}
      actions={
        can('invoices.read') && (
          <span className="actions">
            <ButtonLink look="quiet" to={`/guardians/${guardianId}/account`}>
              {accounts.title}
            </ButtonLink>
            <ReceiptsLink of={name} />
          </span>
        )
      }
    >
      <div className="card">
        {owing.length === 0 && <Empty>{people.noOpenInvoices}</Empty>}
        {owing.map(({ studentId, fullName, openInvoices }) => (
          <Fragment key={studentId}>
            {children.length > 1 && (
              <h3 className="row-head">
                <bdi>{fullName}</bdi>
              </h3>
            )}
            {openInvoices?.map((invoice) => (
              <InvoiceRow key={invoice.id} invoice={invoice} />
            ))}
          </Fragment>
        ))}
      </div>
    </Section>
  )
}
