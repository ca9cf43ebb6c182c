import { useState } from 'react'
import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { readAll, useChange, useGet } from '../../api/queries.ts'
import { BOUNDS } from '../../api/bounds.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { LongField } from '../../parts/field.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { isFull } from '../../records/group/row.tsx'
import { FindStudent } from '../../records/student/find.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Entry = Schemas['WaitingEntry']
type Group = Schemas['Group']

/** Who waits for a place in a full group: in which order, and to whom one is offered. */
export const Waiting = ({ group }: { group: Group }) => {
  const { waiting: words } = useWords()
  const { can, institute } = useMe()
  const [isAdding, setAdding] = useState(false)
  const entries = useGet(['/groups', group.id, 'waiting'], (signal) =>
    readAll((cursor) => {
      const query = { limit: 100, ...(cursor && { cursor }) }
      return answer(api.GET('/groups/{id}/waiting', { params: { path: { id: group.id }, query }, signal }))
    }),
  )
  const mayWrite = can('enrollments.write') && !institute.isReadOnly
  const mayAdd = mayWrite && isFull(group) && (group.status === 'active' || group.status === 'planned')
  if (!mayAdd && (entries.data ?? []).length === 0 && !entries.error) return null
  return (
    <Section
      title={words.title}
      actions={
        mayAdd && (
          <Button look="quiet" icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      {entries.error && <ProblemNotice problem={entries.error} onRetry={() => void entries.refetch()} />}
      {entries.data?.length === 0 && <p className="soft">{words.nobody}</p>}
      {entries.data && entries.data.length > 0 && (
        <ol className="card" aria-label={words.title}>
          {entries.data.map((entry, at) => (
            <li key={entry.id}>
              <WaitingRow entry={entry} at={at} all={entries.data} group={group} mayWrite={mayWrite} />
            </li>
          ))}
        </ol>
      )}
      <Sheet title={words.addTitle(group.name)} isOpen={isAdding} onClose={() => setAdding(false)}>
        <AddForm
          group={group}
          takenIds={(entries.data ?? []).map(({ studentId }) => studentId)}
          onDone={() => setAdding(false)}
        />
      </Sheet>
    </Section>
  )
}

interface WaitingRowProps {
  entry: Entry
  at: number
  all: readonly Entry[]
  group: Group
  mayWrite: boolean
}

/** What can be done for somebody who waits, by how their entry stands. */
const useEntry = ({ entry, at, all, group }: Omit<WaitingRowProps, 'mayWrite'>) => {
  const everything = useWords()
  const { waiting: words } = everything
  const { id, studentName } = entry
  const offer = useChange('waiting', (entryId: string, header) =>
    answer(api.POST('/waiting/{id}/offer', { params: { path: { id: entryId }, header } })),
  )
  const accept = useChange('waiting', (entryId: string, header) =>
    answer(api.POST('/waiting/{id}/accept', { params: { path: { id: entryId }, header } })),
  )
  const decline = useChange('waiting', (entryId: string, header) =>
    answer(api.POST('/waiting/{id}/decline', { params: { path: { id: entryId }, header } })),
  )
  const leave = useChange('waiting', (entryId: string) =>
    answer(api.DELETE('/waiting/{id}', { params: { path: { id: entryId } } })),
  )
  const order = useChange('waiting', (entryIds: string[]) =>
    answer(api.PUT('/groups/{id}/waiting/order', { params: { path: { id: group.id } }, body: { entryIds } })),
  )
  const saying = (work: Promise<unknown>, said?: string) => {
    void work.then(
      () => said !== undefined && toast(said),
      (error: unknown) => toast(explain(everything, error)),
    )
  }
  const move = (to: number) => {
    const ids = all.map((one) => one.id).filter((one) => one !== id)
    saying(order.mutateAsync([...ids.slice(0, to), id, ...ids.slice(to)]))
  }
  return {
    isBusy: accept.isPending || offer.isPending,
    accept: () => saying(accept.mutateAsync(id), words.accepted(studentName, group.name)),
    decline: () => saying(decline.mutateAsync(id)),
    offer: () => offer.mutateAsync(id),
    leave: () => saying(leave.mutateAsync(id)),
    up: () => move(at - 1),
    down: () => move(at + 1),
  }
}

const WaitingRow = ({ mayWrite, ...about }: WaitingRowProps) => {
  const { waiting: words, shell } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const [isAsked, setAsked] = useState(false)
  const { entry, at, all, group } = about
  const { studentId, studentName, status, note, offerEndsAt, createdAt } = entry
  const doing = useEntry(about)
  const isOffered = status === 'offered'
  const mayOffer = !isOffered && !isFull(group)
  // The offer ends with its last day.
  const lastDay = offerEndsAt === null ? undefined : format.dateOf(new Date(Date.parse(offerEndsAt) - 1).toISOString())
  const entries = [
    ...(isOffered ? [{ id: 'decline', label: words.decline, onSelect: doing.decline }] : []),
    ...(can('groups.write') && at > 0 ? [{ id: 'up', label: words.up, onSelect: doing.up }] : []),
    ...(can('groups.write') && at < all.length - 1 ? [{ id: 'down', label: words.down, onSelect: doing.down }] : []),
    { id: 'leave', label: words.leave, isDangerous: true, onSelect: doing.leave },
  ]
  return (
    <div className="row">
      <span className="grow">
        <Link href={`/students/${studentId}`} className="name link">
          <bdi>{studentName}</bdi>
        </Link>
        <span className="about">
          <Dotted>
            {words.since(format.date(format.dateOf(createdAt)))}
            {note !== null && <bdi>{note}</bdi>}
          </Dotted>
        </span>
      </span>
      {isOffered && lastDay !== undefined && <Badge meaning="info">{words.offeredUntil(format.date(lastDay))}</Badge>}
      {status === 'lapsed' && <Badge>{words.lapsed}</Badge>}
      {mayWrite && isOffered && (
        <Button isBusy={doing.isBusy} onPress={doing.accept}>
          {words.accept}
        </Button>
      )}
      {mayWrite && mayOffer && (
        <Button look="quiet" onPress={() => setAsked(true)}>
          {words.offer}
        </Button>
      )}
      {mayWrite && <Menu label={`${shell.more}: ${studentName}`} entries={entries} />}
      <Confirm
        title={words.offerAsk(studentName, group.name)}
        verb={words.offer}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await doing.offer()
          toast(words.offered(studentName))
        }}
      >
        <p className="soft">{words.offerFollows}</p>
      </Confirm>
    </div>
  )
}

interface AddFormProps {
  group: Group
  takenIds: readonly string[]
  onDone: () => void
}

const AddForm = ({ group, takenIds, onDone }: AddFormProps) => {
  const { waiting: words, people } = useWords()
  const [note, setNote] = useState('')
  const add = useChange('waiting', (body: Schemas['NewWaitingEntry'], header) =>
    answer(api.POST('/groups/{id}/waiting', { params: { path: { id: group.id }, header }, body })),
  )
  return (
    <>
      {add.error && <ProblemNotice problem={add.error} />}
      <LongField
        label={words.note}
        isOptional
        value={note}
        onChange={setNote}
        maxLength={BOUNDS.NewWaitingEntry.note.maxLength}
      />
      <FindStudent
        label={people.search}
        none={people.noneFound}
        takenIds={takenIds}
        taken={words.waits}
        isBusy={add.isPending}
        onChoose={({ id, fullName }) =>
          add.mutate(
            { studentId: id, ...(note.trim() !== '' && { note }) },
            {
              onSuccess: () => {
                toast(words.added(fullName, group.name))
                onDone()
              },
            },
          )
        }
      />
    </>
  )
}
