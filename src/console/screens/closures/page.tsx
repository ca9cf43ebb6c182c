import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useBranches } from '../../shell/branches.ts'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { ClosureForm } from './form.tsx'
import { Holidays } from './holidays.tsx'
import { useClosures, useHolidays, type Closure } from './reads.ts'
import { usePlaces } from './places.ts'
import { Year } from './year.tsx'

/** The years for which there are holidays to propose. */
const YEAR = /^20[0-6]\d$/
const LAST_YEAR = 2069

/** The days on which the institute is closed: a year at a glance, and the holidays that it might close on. */
export const Screen = () => {
  const { closures: words, week } = useWords()
  const format = useFormat()
  const { mayClose, mayChange } = usePlaces()
  const { filters, set } = useFilters(['year'])
  const thisYear = Number(format.today().slice(0, 4))
  const year = filters.year !== undefined && YEAR.test(filters.year) ? Number(filters.year) : thisYear
  const closures = useClosures(year)
  const holidays = useHolidays(year, !mayClose)
  // Late in a year those that come next are of the year after.
  const after = useHolidays(year + 1, !mayClose || year !== thisYear || year >= LAST_YEAR)
  const [open, setOpen] = useState<Closure | 'new'>()
  const go = (to: number) => set('year', to === thisYear ? '' : String(to))
  return (
    <>
      <Back to="/week" label={week.title} />
      <Page
        title={words.title}
        about={words.about}
        actions={
          <>
            <IconButton icon="back" label={words.previous} onPress={() => go(year - 1)} />
            <Button onPress={() => go(thisYear)} isDisabled={year === thisYear}>
              {String(year)}
            </Button>
            <IconButton icon="forward" label={words.next} onPress={() => go(year + 1)} />
            {mayClose && (
              <Button look="primary" icon="plus" onPress={() => setOpen('new')}>
                {words.add}
              </Button>
            )}
          </>
        }
      >
        <Loaded query={closures}>
          {(data) => (
            <>
              <Section title={words.listTitle(year)}>
                {data.length === 0 ? (
                  <Empty>{words.noneYet}</Empty>
                ) : (
                  <ul className="card" aria-label={words.listTitle(year)}>
                    {data.map((closure) => (
                      <li key={closure.id}>
                        <ClosureRow closure={closure} mayEdit={mayChange(closure)} onOpen={() => setOpen(closure)} />
                      </li>
                    ))}
                  </ul>
                )}
              </Section>
              {holidays.data && !after.isLoading && (
                <Holidays
                  key={year}
                  holidays={[...holidays.data, ...(after.data ?? [])]}
                  isThisYear={year === thisYear}
                />
              )}
              <Section title={words.yearOf(year)}>
                <p className="soft spaced">{words.legend}</p>
                <Year year={year} closures={data} holidays={holidays.data ?? []} mayOpen={mayChange} onOpen={setOpen} />
              </Section>
            </>
          )}
        </Loaded>
        {open !== undefined && (
          <ClosureForm closure={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
        )}
      </Page>
    </>
  )
}

const ClosureRow = ({ closure, mayEdit, onOpen }: { closure: Closure; mayEdit: boolean; onOpen: () => void }) => {
  const { closures: words, shell } = useWords()
  const format = useFormat()
  const branches = useBranches()
  const [isAsked, setAsked] = useState(false)
  const { id, name, from, to, branchId, cancelledSessions } = closure
  const remove = useChange('closure', () => answer(api.DELETE('/closures/{id}', { params: { path: { id } } })))
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{name}</bdi>
        <span className="about">
          <Dotted>
            {from === to ? format.longDate(from) : format.range(from, to)}
            {cancelledSessions > 0 && words.cancelled(cancelledSessions)}
          </Dotted>
        </span>
      </span>
      {branchId !== null && <Badge>{branches.data?.find((branch) => branch.id === branchId)?.name ?? '…'}</Badge>}
      {mayEdit && (
        <Menu
          label={words.moreOf(name)}
          entries={[
            { id: 'edit', label: shell.edit, onSelect: onOpen },
            { id: 'remove', label: words.reopen, isDangerous: true, onSelect: () => setAsked(true) },
          ]}
        />
      )}
      <Confirm
        title={words.reopenAsk(name)}
        verb={words.reopen}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await remove.mutateAsync(undefined)
          toast(words.reopened(name))
        }}
      >
        <p>{words.reopenFollows(cancelledSessions)}</p>
      </Confirm>
    </div>
  )
}
