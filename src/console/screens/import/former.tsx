import { useState } from 'react'
import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Import = Schemas['Import']

/** What came in before: each can be looked at again, and taken off the list with the rows that it keeps. */
export const Former = () => {
  const { imports: words, shell } = useWords()
  const format = useFormat()
  const [leaving, setLeaving] = useState<Import>()
  const [isAsking, setAsking] = useState(false)
  const pages = usePages<Import>(['/imports', 'list'], (cursor, signal) =>
    answer(api.GET('/imports', { params: { query: { limit: 10, ...(cursor && { cursor }) } }, signal })),
  )
  const remove = useChange('import', (id: string) => answer(api.DELETE('/imports/{id}', { params: { path: { id } } })))
  if (pages.rows?.length === 0) return null
  return (
    <Section title={words.former}>
      <Rows pages={pages} label={words.former} keyOf={({ id }) => id} empty={words.noFormer}>
        {(one) => (
          <div className="row">
            <span className="grow">
              <span className="chips">
                <Link href={`/import?kind=${one.kind}&id=${one.id}`} className="name link">
                  <bdi>{one.fileName}</bdi>
                </Link>
                {one.dryRun && <Badge>{words.rehearsed}</Badge>}
                {one.status === 'failed' && <Badge meaning="bad">{words.failedShort}</Badge>}
              </span>
              <span className="about">
                <Dotted>
                  {words.kinds[one.kind]}
                  {format.moment(one.createdAt)}
                  {!one.dryRun && words.wrote(format.number(one.created), format.number(one.updated))}
                  {one.refused > 0 && words.refusedRows(format.number(one.refused))}
                </Dotted>
              </span>
            </span>
            <Menu
              label={`${shell.more}: ${one.fileName}`}
              entries={[
                {
                  id: 'remove',
                  label: words.remove,
                  isDangerous: true,
                  onSelect: () => {
                    setLeaving(one)
                    setAsking(true)
                  },
                },
              ]}
            />
          </div>
        )}
      </Rows>
      {leaving && (
        <Confirm
          title={words.removeTitle(leaving.fileName)}
          verb={words.remove}
          isDangerous
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await remove.mutateAsync(leaving.id)
            toast(words.removed(leaving.fileName))
          }}
        >
          <p>{words.removeText}</p>
        </Confirm>
      )}
    </Section>
  )
}
