import { answer, api, type Schemas } from '../../api/client.ts'
import { fieldsOf } from '../../api/versioned.ts'
import { Editable, Facts } from '../../parts/editable.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useStaff } from '../groups/page.tsx'
import { readGroup } from '../student/groups.tsx'

type Group = Schemas['Group']

const STATUSES: readonly Group['status'][] = ['planned', 'active', 'completed', 'cancelled']

/** What of a group is changed in place. */
export const Details = ({ group, teacher }: { group: Group; teacher: string | undefined }) => {
  const { groups: words, edit } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const mayEdit = can('groups.write')
  const staff = useStaff(!mayEdit)
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
  const teachers = staff.data?.map(({ id: staffId, fullName }) => ({ id: staffId, label: fullName })) ?? []
  return (
    <Section title={words.details}>
      <Facts>
        <Editable
          label={words.name}
          value={group.name}
          maxLength={200}
          check={(typed) => (typed === '' ? edit.missing : undefined)}
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
            options={teachers}
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
          maxLength={100}
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
          check={(typed) => (typed === '' || /^[1-9]\d{0,4}$/.test(typed) ? undefined : edit.notNumber)}
          onSave={may(
            field(
              ({ capacity }) => (capacity === null ? '' : String(capacity)),
              (capacity) => ({ capacity: capacity === '' ? null : Number(capacity) }),
            ),
          )}
        />
        <Editable
          label={words.status}
          value={group.status}
          shown={words.statuses[group.status]}
          options={STATUSES.map((status) => ({ id: status, label: words.statuses[status] }))}
          onSave={may(
            field(
              ({ status }) => status,
              (status) => ({ status: status as Group['status'] }),
            ),
          )}
        />
      </Facts>
    </Section>
  )
}
