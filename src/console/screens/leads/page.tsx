import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { CallIcon, Initials } from '../../parts/person.tsx'
import { PhoneNumber } from '../../parts/phone.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { NewLead } from './new-lead.tsx'
import { readLeads } from '../../records/lead/reads.ts'

type Status = Schemas['Lead']['status']

const STATES: readonly Status[] = ['new', 'contacted', 'converted', 'lost']

const isStatus = (text: string | undefined): text is Status => STATES.includes(text as Status)

export const LeadRow = ({ lead }: { lead: Schemas['Lead'] }) => {
  const format = useFormat()
  const { leads: words, people } = useWords()
  const name = `${lead.firstName} ${lead.lastName}`
  const parent = lead.guardian && `${lead.guardian.firstName} ${lead.guardian.lastName}`
  const number = lead.guardian?.phone ?? lead.phone
  return (
    <div className="with-call">
      <Link href={`/leads/${lead.id}`} className="row">
        <Initials name={name} />
        <span className="grow">
          <bdi className="name">{name}</bdi>
          <span className="about">
            <Dotted>
              {parent !== null && words.guardianOf(parent)}
              {number ? <PhoneNumber number={number} /> : <span className="ltr">{lead.email}</span>}
              {format.date(format.dateOf(lead.createdAt))}
            </Dotted>
          </span>
        </span>
        <Icon name="forward" />
      </Link>
      {number !== null && number !== undefined && <CallIcon number={number} label={people.call(parent ?? name)} />}
    </div>
  )
}

/** Who asked and is no student yet, by how far it has come. The state and the search stand in the address. */
export const Screen = () => {
  const { leads: words } = useWords()
  const { can } = useMe()
  const { filters, set } = useFilters(['status', 'q'])
  const [isAdding, setAdding] = useState(false)
  const state: Status = isStatus(filters.status) ? filters.status : 'new'
  const { q = '' } = filters
  const query = { status: state, ...(q !== '' && { q }) }
  const pages = usePages(['/leads', query], (cursor, signal) => readLeads({ ...query, cursor }, signal))
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Download path="/leads" query={query} />
          {can('leads.write') && (
            <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
              {words.add}
            </Button>
          )}
        </>
      }
    >
      <div className="filters">
        <Segments
          label={words.which}
          isLabelUnseen
          value={state}
          onChange={(chosen) => set('status', chosen)}
          options={STATES.map((id) => ({ id, label: words.states[id] }))}
        />
        <SearchField label={words.search} value={q} onChange={(text) => set('q', text)} />
      </div>
      <Rows
        pages={pages}
        label={words.title}
        empty={q === '' ? words.empty[state] : words.notFound(q)}
        keyOf={({ id }) => id}
      >
        {(lead) => <LeadRow lead={lead} />}
      </Rows>
      <NewLead isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}
