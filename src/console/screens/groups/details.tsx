import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { fieldsOf } from '../../api/versioned.ts'
import { Editable } from '../../parts/editable.tsx'
import { useConsequences } from './consequences.tsx'
import { Facts } from '../../parts/facts.tsx'
import { numberOf } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { RecordChoice } from '../../parts/record-choice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { digitsOf, parseMoney, writeMoney } from '../../../shared/typed.ts'
import { readGroup } from '../../records/group/reads.ts'
import { useStaffSource } from '../../records/staff/reads.ts'

type Group = Schemas['Group']

const STATUSES: readonly Group['status'][] = ['planned', 'active', 'completed', 'cancelled']

/** What of a group is changed in place. */
export const Details = ({ group, teacher }: { group: Group; teacher: string | undefined }) => {
  const { groups: words, shell } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const mayEdit = can('groups.write')
  const teachers = useStaffSource()
  const { id } = group
  const field = fieldsOf<Group, Schemas['GroupChanges']>({
    key: ['/groups', id],
    change: 'group',
    read: () => readGroup(id),
    send: (changes, version) =>
      answer(
        api.PATCH('/groups/{id}', {
          params: { path: { id } },
          body: { ...changes, ...(version !== undefined && { version }) },
        }),
      ),
  })
  const may = <T,>(save: T): T | undefined => (mayEdit ? save : undefined)
  const { asking, question } = useConsequences(group)
  const digits = digitsOf(group.currency)
  const day = (label: string, name: 'startsOn' | 'endsOn') => (
    <Editable
      label={label}
      value={group[name] ?? ''}
      none={words.notSet}
      shown={group[name] !== null && <span className="ltr">{format.date(group[name])}</span>}
      kind="date"
      onSave={may(
        asking(
          field(
            (record) => record[name] ?? '',
            (date) => ({ [name]: date === '' ? null : date }),
          ),
          (date) => ({ [name]: date === '' ? null : date }),
        ),
      )}
    />
  )
  return (
    <Section title={words.details}>
      <Facts>
        <Editable
          label={words.name}
          value={group.name}
          bound={BOUNDS.GroupChanges.name}
          onSave={may(
            field(
              ({ name }) => name,
              (name) => ({ name }),
            ),
          )}
        />
        {(can('staff.read') || teacher !== undefined) && (
          <Editable
            label={words.teacher}
            value={group.teacherStaffId ?? ''}
            none={words.noTeacher}
            shown={<bdi>{teacher ?? '…'}</bdi>}
            choice={(chosen) => (
              <RecordChoice
                {...chosen}
                source={teachers}
                chosen={
                  chosen.value !== null && teacher !== undefined ? { id: chosen.value, label: teacher } : undefined
                }
              />
            )}
            onSave={may(
              field(
                ({ teacherStaffId }) => teacherStaffId ?? '',
                (teacherStaffId) => ({ teacherStaffId }),
              ),
            )}
          />
        )}
        <Editable
          label={words.room}
          value={group.room ?? ''}
          none={words.noRoom}
          bound={BOUNDS.GroupChanges.room}
          onSave={may(
            field(
              ({ room }) => room ?? '',
              (room) => ({ room: room || null }),
            ),
          )}
        />
        <Editable
          label={words.capacity}
          value={group.capacity === null ? '' : String(group.capacity)}
          kind="number"
          none={words.noLimit}
          shown={group.capacity !== null && format.number(group.capacity)}
          bound={BOUNDS.GroupChanges.capacity}
          onSave={may(
            field(
              ({ capacity }) => (capacity === null ? '' : String(capacity)),
              (capacity) => ({ capacity: numberOf(capacity) }),
            ),
          )}
        />
        <Editable
          label={words.fee}
          value={group.feeMinor === null ? '' : writeMoney(group.feeMinor, digits)}
          none={words.noFee}
          shown={
            group.feeMinor !== null && (
              <bdi>{format.money({ amountMinor: group.feeMinor, currency: group.currency })}</bdi>
            )
          }
          kind="number"
          check={(typed) => (typed === '' || (parseMoney(typed, digits) ?? -1) >= 0 ? undefined : shell.unknownMoney)}
          onSave={may(
            field(
              ({ feeMinor }) => (feeMinor === null ? '' : writeMoney(feeMinor, digits)),
              (typed) => ({ feeMinor: typed === '' ? null : (parseMoney(typed, digits) ?? null) }),
            ),
          )}
        />
        {day(words.firstDay, 'startsOn')}
        {day(words.lastDay, 'endsOn')}
        <Editable
          label={words.status}
          value={group.status}
          shown={words.statuses[group.status]}
          options={STATUSES.map((status) => ({ id: status, label: words.statuses[status] }))}
          onSave={may(
            asking(
              field(
                ({ status }) => status,
                (status) => ({ status: status as Group['status'] }),
              ),
              (status) => ({ status: status as Group['status'] }),
            ),
          )}
        />
      </Facts>
      {question}
    </Section>
  )
}
