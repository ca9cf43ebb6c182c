import { useState } from 'react'
import { fieldLabel } from '../../../shared/import-words/label.ts'
import type { Schemas } from '../../api/client.ts'
import { fetchFile, keep } from '../../api/file.ts'
import { Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useLanguage, useWords } from '../../words/language.tsx'
import type { Words } from '../../words/words.ts'
import { Preview } from './preview.tsx'

type Import = Schemas['Import']

const COUNTS = ['created', 'updated', 'unchanged', 'refused'] as const

/** What an import came to, or would: how many of each, and what is wrong with the file. */
export const Outcome = ({ result }: { result: Import }) => {
  const { imports: words } = useWords()
  const format = useFormat()
  const counts = result.dryRun ? words.wouldBe : words.were
  const ofFile = result.errors.filter(({ row }) => row === null)
  return (
    <Section title={result.dryRun ? words.would : words.happened}>
      {!result.dryRun && (
        <div className="spaced">
          <Notice meaning={result.status === 'done' ? 'good' : 'bad'}>
            <span className="grow">{result.status === 'done' ? words.done : words.failed}</span>
          </Notice>
        </div>
      )}
      {ofFile.map(({ column, field, reason }) => (
        <Notice key={`${column} ${field} ${reason}`} meaning="bad">
          <span className="grow">
            {nameIn(words, { column, field }) !== null && (
              <>
                <bdi>{nameIn(words, { column, field })}</bdi>:{' '}
              </>
            )}
            {words.reasons[reason]}
          </span>
        </Notice>
      ))}
      {result.rows > 0 && (
        <ul className="figures counts" aria-label={result.dryRun ? words.would : words.happened}>
          {COUNTS.map((name) => (
            <li key={name} className="figure">
              <span className="soft">{counts[name]}</span>
              <div className="number">{format.number(result[name])}</div>
            </li>
          ))}
        </ul>
      )}
      {result.told.length > 0 && <Told result={result} />}
      {result.preview.length > 0 && <Preview result={result} />}
    </Section>
  )
}

/** The head of the column; where the file has none for the field, what the field is called. */
const nameIn = (
  words: Words['imports'],
  { column, field }: Pick<Import['errors'][number], 'column' | 'field'>,
): string | null => column ?? (field === null ? null : fieldLabel(words.labels, field))

/** Where something is, with what stands there, and what is to be said of it. */
const Place = ({ place, said }: { place: Import['errors'][number] | Import['told'][number]; said: string }) => {
  const { imports: words } = useWords()
  const format = useFormat()
  const name = nameIn(words, place)
  return (
    <div className="row">
      <span className="grow">
        <span className="name">{words.row(format.number(place.row ?? 0))}</span>
        <span className="about words">
          {name !== null && <bdi>{name}</bdi>}
          {place.value !== null && (
            <>
              {name !== null && ' '}
              <q>
                <bdi>{place.value}</bdi>
              </q>
            </>
          )}
          {(name !== null || place.value !== null) && ' – '}
          {said}
        </span>
      </span>
    </div>
  )
}

const Told = ({ result }: { result: Import }) => {
  const { imports: words } = useWords()
  return (
    <Section title={words.told}>
      <ul className="card" aria-label={words.told}>
        {result.told.map((note) => (
          <li key={`${note.row} ${note.field} ${note.reason}`}>
            <Place place={note} said={words.notes[note.reason]} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** So many faults are read one by one; more of them are seldom more to mend. */
const FEW = 8

/** What is wrong with the rows that are refused. */
export const Faults = ({ result }: { result: Import }) => {
  const all = useWords()
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const rows = result.errors.filter(({ row }) => row !== null)
  const shown = isWhole ? rows : rows.slice(0, FEW)
  const { imports: words } = all
  const { locale } = useLanguage()
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
  if (rows.length === 0) return null
  return (
    <Section title={words.faults}>
      <p className="soft spaced">{words.mend}</p>
      <ul className="card" aria-label={words.faults}>
        {shown.map((fault) => (
          <li key={`${fault.row} ${fault.field} ${fault.reason}`}>
            <Place place={fault} said={words.reasons[fault.reason]} />
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <div className="below">
          <Button onPress={() => setWhole(true)}>{words.moreFaults(format.number(rows.length))}</Button>
        </div>
      )}
      {isWhole && result.refused > rows.length && <p className="small below">{words.firstOnes}</p>}
      <div className="below">
        <Button icon="download" isBusy={isBusy} onPress={() => void download()}>
          {words.refusedFile}
        </Button>
      </div>
    </Section>
  )
}
