import { fieldLabel } from '../../../shared/import-words/label.ts'
import type { Schemas } from '../../api/schemas.ts'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { FIELDS } from './fields.ts'

type Import = Schemas['Import']

const MEANINGS = {
  created: { meaning: 'good' },
  updated: { meaning: 'info' },
  unchanged: {},
  refused: { meaning: 'bad' },
} as const

/** What the rows would hold, in the order in which one looks for them. */
const fieldsOf = ({ kind, preview }: Import): string[] => {
  const held = new Set(preview.flatMap(({ values }) => Object.keys(values)))
  const ordered = [...FIELDS[kind], 'guardians'].filter((field) => held.has(field))
  return [...ordered, ...[...held].filter((field) => !ordered.includes(field))]
}

/** The first rows as they would stand. */
export const Preview = ({ result }: { result: Import }) => {
  const { imports: words } = useWords()
  const format = useFormat()
  const fields = fieldsOf(result)
  return (
    <Section title={words.preview}>
      <div className="card">
        <table className="table" aria-label={words.preview}>
          <thead>
            <tr>
              <th scope="col">{words.rowHead}</th>
              <th scope="col">{words.standsHead}</th>
            </tr>
          </thead>
          <tbody>
            {result.preview.map(({ row, outcome, values }) => (
              <tr key={row}>
                <th scope="row">{format.number(row)}</th>
                <td>
                  <Badge {...MEANINGS[outcome]}>{(result.dryRun ? words.wouldBe : words.were)[outcome]}</Badge>
                  <dl className="stands">
                    {fields.map(
                      (field) =>
                        values[field] !== undefined && (
                          <div key={field}>
                            <dt>{fieldLabel(words.labels, field)}</dt>
                            <dd>
                              <bdi>{values[field]}</bdi>
                            </dd>
                          </div>
                        ),
                    )}
                  </dl>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
