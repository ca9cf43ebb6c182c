import { Fragment, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { fetchFile, keep } from '../../api/file.ts'
import { Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useLanguage, useWords } from '../../words/language.tsx'

type Import = Schemas['Import']

const COUNTS = ['created', 'updated', 'unchanged', 'refused'] as const

/** What an import came to, or would: how many of each, and what is wrong with the rows that are refused. */
export const Outcome = ({ result }: { result: Import }) => {
  const { imports: words } = useWords()
  const format = useFormat()
  const counts = result.dryRun ? words.wouldBe : words.were
  const ofFile = result.errors.filter(({ row }) => row === null)
  const ofRows = result.errors.filter(({ row }) => row !== null)
  return (
    <Section title={result.dryRun ? words.would : words.happened}>
      {!result.dryRun && (
        <Notice meaning={result.status === 'done' ? 'good' : 'bad'}>
          <span className="grow">{result.status === 'done' ? words.done : words.failed}</span>
        </Notice>
      )}
      {ofFile.map(({ column, reason }) => (
        <Notice key={`${column} ${reason}`} meaning="bad">
          <span className="grow">
            {column !== null && (
              <>
                <bdi>{column}</bdi>:{' '}
              </>
            )}
            {words.reasons[reason]}
          </span>
        </Notice>
      ))}
      {result.rows > 0 && (
        <Facts>
          {COUNTS.map((name) => (
            <Fragment key={name}>
              <dt>{counts[name]}</dt>
              <dd>{format.number(result[name])}</dd>
            </Fragment>
          ))}
        </Facts>
      )}
      {ofRows.length > 0 && <Faults result={result} rows={ofRows} />}
    </Section>
  )
}

const Faults = ({ result, rows }: { result: Import; rows: Import['errors'] }) => {
  const all = useWords()
  const { imports: words } = all
  const { locale } = useLanguage()
  const format = useFormat()
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      keep(await fetchFile(`/imports/${result.id}/refused`, locale, 'refused.csv'))
    } catch (error) {
      toast(explain(all, error instanceof Problem ? error : new Problem(0)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title={words.faults}>
      <p className="soft spaced">{words.mend}</p>
      <ul className="card" aria-label={words.faults}>
        {rows.map(({ row, column, value, reason }) => (
          <li key={`${row} ${column} ${reason}`}>
            <div className="row">
              <span className="grow">
                <span className="name">{words.row(format.number(row ?? 0))}</span>
                <span className="about words">
                  {column !== null && (
                    <>
                      <bdi>{column}</bdi>
                      {value !== null && (
                        <>
                          {' '}
                          <q>
                            <bdi>{value}</bdi>
                          </q>
                        </>
                      )}
                      {' – '}
                    </>
                  )}
                  {words.reasons[reason]}
                </span>
              </span>
            </div>
          </li>
        ))}
      </ul>
      {result.refused > rows.length && <p className="small below">{words.firstOnes}</p>}
      <div className="below">
        <Button icon="download" isBusy={isBusy} onPress={() => void download()}>
          {words.refusedFile}
        </Button>
      </div>
    </Section>
  )
}
