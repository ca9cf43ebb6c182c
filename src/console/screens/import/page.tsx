import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useSearchParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { afterChange, queryClient, useChange, useGet } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { uploadFile } from '../../api/upload.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { Back } from '../../parts/back.tsx'
import { Columns } from './columns.tsx'
import { tableTypeOf, TABLE_TYPES, type Kind } from './fields.ts'
import { Former } from './former.tsx'
import { Faults, Outcome } from './outcome.tsx'
import { Whose } from './whose.tsx'

type Import = Schemas['Import']
type Mapping = NonNullable<Schemas['NewImport']['mapping']>

const MOST_BYTES = 20 * 1024 * 1024

const NEEDS: Readonly<Record<Kind, Schemas['Permission']>> = {
  students: 'students.write',
  staff: 'staff.write',
  enrollments: 'enrollments.write',
  balances: 'invoices.write',
}

interface Asked {
  kind: Kind
  fileId: string
  mapping?: Mapping
  dryRun: boolean
  isWhole: boolean
  /** Whoever has a guardian's phone is linked, whatever their name. */
  isAnyName: boolean
  branchId: string | null
}

/** A list out of a file: what is in it, what would happen, and then what happened. */
export const Screen = () => {
  const { imports: words, people } = useWords()
  const { can, branches, branchId: usual } = useMe()
  const kinds = (Object.keys(NEEDS) as Kind[]).filter((kind) => can(NEEDS[kind]))
  const [fault, setFault] = useState<'type' | 'size'>()
  const [isWhole, setWhole] = useState(false)
  const [isAnyName, setAnyName] = useState(false)
  const [chosenId, setBranch] = useState(usual)
  const branchId = chosenId ?? (branches.find(({ isDefault }) => isDefault) ?? branches[0])?.id ?? null
  // The address says what is under way: it can be reloaded while it runs.
  const [place, setPlace] = useSearchParams()
  const kind = kinds.find((one) => one === place.get('kind')) ?? 'students'
  const [fileId, importId] = [place.get('file'), place.get('id')]
  const go = (to: { kind: Kind; file?: string; id?: string }) => setPlace(to, { replace: true })

  const begin = useChange('import', ({ isWhole: all, isAnyName: any, ...asked }: Asked, header) => {
    const body = {
      ...asked,
      mode: all ? ('all' as const) : ('by_row' as const),
      knownPhone: any ? ('link' as const) : ('refuse' as const),
    }
    return answer(api.POST('/imports', { params: { header }, body }))
  })
  const upload = useChange('import', (file: File) =>
    uploadFile({ file, type: tableTypeOf(file) ?? 'text/csv', kind: 'document' }),
  )
  const run = (asked: Asked) =>
    begin.mutate(asked, { onSuccess: ({ id }) => go({ kind: asked.kind, file: asked.fileId, id }) })
  const choose = (file: File | undefined) => {
    if (!file) return
    const wrong = tableTypeOf(file) === undefined ? 'type' : file.size > MOST_BYTES ? 'size' : undefined
    setFault(wrong)
    if (wrong !== undefined) return
    go({ kind })
    upload.mutate(file, {
      onSuccess: (id) => run({ kind, fileId: id, dryRun: true, isWhole: false, isAnyName, branchId }),
    })
  }
  const problem = upload.error ?? begin.error
  const isBusy = upload.isPending || begin.isPending
  return (
    <>
      <Back to="/students" label={people.title} />
      <Page title={words.title} about={words.about}>
        <div className="narrow">
          {problem && <ProblemNotice problem={problem} />}
          {fault !== undefined && (
            <Notice meaning="bad" isAlert>
              {fault === 'type' ? words.wrongType : words.tooLarge}
            </Notice>
          )}
          <div className="card padded">
            <Choice
              label={words.kind}
              options={kinds.map((id) => ({ id, label: words.kinds[id] }))}
              value={kind}
              onChange={(chosen) => go({ kind: chosen })}
            />
            {branches.length > 1 && (kind === 'students' || kind === 'staff') && (
              <Choice
                label={words.branch}
                options={branches.map(({ id, name }) => ({ id, label: name }))}
                value={branchId}
                onChange={setBranch}
              />
            )}
            <FileTrigger acceptedFileTypes={TABLE_TYPES} onSelect={(files) => choose(files?.[0])}>
              <Button look={importId === null ? 'primary' : 'plain'} isBusy={isBusy}>
                {importId === null ? words.choose : words.another}
              </Button>
            </FileTrigger>
            <p className="small below">{words.hint}</p>
          </div>
          {importId === null && <Former />}
        </div>
        {importId !== null && (
          <Found
            key={importId}
            id={importId}
            isBusy={isBusy}
            isWhole={isWhole}
            onWhole={setWhole}
            isAnyName={isAnyName}
            onAnyName={setAnyName}
            {...(fileId !== null && {
              onRun: (asked) => run({ kind, isAnyName, ...asked, fileId, isWhole, branchId }),
            })}
          />
        )}
      </Page>
    </>
  )
}

const ASK_MILLIS = 700

const namesDiffer = ({ errors }: Import): boolean => errors.some(({ reason }) => reason === 'guardian_name_differs')

interface FoundProps {
  id: string
  isBusy: boolean
  isWhole: boolean
  onWhole: (isWhole: boolean) => void
  isAnyName: boolean
  onAnyName: (isAnyName: boolean) => void
  /** undefined: it is one of before, whose file is no longer at hand. */
  onRun?: (asked: Pick<Asked, 'dryRun'> & Partial<Pick<Asked, 'kind' | 'mapping' | 'isAnyName'>>) => void
}

/** An import while it runs, and what it came to. */
const Found = ({ id, isBusy, isWhole, onWhole, isAnyName, onAnyName, onRun }: FoundProps) => {
  const { imports: words, people } = useWords()
  const { can } = useMe()
  const format = useFormat()
  const isDone = (queryClient.getQueryData<Import>(['/imports', id])?.finishedAt ?? null) !== null
  const found = useGet<Import>(
    ['/imports', id],
    async (signal) => {
      const now = await answer(api.GET('/imports/{id}', { params: { path: { id } }, signal }))
      if (now.finishedAt !== null && !now.dryRun) void afterChange('imported')
      return now
    },
    isDone ? {} : { everyMillis: ASK_MILLIS },
  )
  const [mapping, setMapping] = useState<Mapping>()
  if (found.error) return <ProblemNotice problem={found.error} />
  const { data } = found
  if (!data || data.finishedAt === null) {
    const done = data ? Math.max(data.checked, data.created + data.updated + data.unchanged + data.refused) : 0
    return (
      <Notice meaning="info" icon="clock">
        <span className="grow">
          {data && data.rows > 0 ? words.running(format.number(done), format.number(data.rows)) : words.reading}
        </span>
      </Notice>
    )
  }
  const mapped = mapping ?? (data.mapping as Mapping)
  const toWrite = data.created + data.updated
  return (
    <>
      {onRun && data.dryRun && data.kind === 'students' && mapping === undefined && (
        <Whose mapping={mapped} onChange={(changed) => onRun({ dryRun: true, mapping: changed })} />
      )}
      <Outcome result={data} />
      {onRun && !data.dryRun && data.status === 'done' && data.kind === 'students' && (
        <div className="section actions">
          <ButtonLink look="primary" to="/students">
            {people.title}
          </ButtonLink>
          {can('enrollments.write') && (
            <Button isBusy={isBusy} onPress={() => onRun({ kind: 'enrollments', dryRun: true })}>
              {words.thenGroups}
            </Button>
          )}
        </div>
      )}
      {onRun && data.dryRun && data.columns.length > 0 && (
        <Section title={words.columns}>
          <Columns result={data} mapping={mapped} onChange={setMapping} />
          {mapping !== undefined && (
            <Button isBusy={isBusy} onPress={() => onRun({ dryRun: true, mapping: mapped })}>
              {words.again}
            </Button>
          )}
        </Section>
      )}
      <Faults result={data} />
      {onRun && data.dryRun && (isAnyName || namesDiffer(data)) && (
        <div className="section">
          <Check
            isChecked={isAnyName}
            onChange={(isAny) => {
              onAnyName(isAny)
              onRun({ dryRun: true, mapping: mapped, isAnyName: isAny })
            }}
          >
            {words.anyName}
          </Check>
        </div>
      )}
      {onRun && data.dryRun && data.status === 'done' && mapping === undefined && (
        <div className="section">
          {toWrite === 0 ? (
            <p>{words.nothing}</p>
          ) : (
            <>
              {data.refused > 0 && (
                <Check isChecked={isWhole} onChange={onWhole}>
                  {words.onlyWhole}
                </Check>
              )}
              <Button look="primary" isBusy={isBusy} onPress={() => onRun({ dryRun: false, mapping: mapped })}>
                {words.run(toWrite)}
              </Button>
            </>
          )}
        </div>
      )}
    </>
  )
}
