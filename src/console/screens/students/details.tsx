import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { fieldsOf } from '../../api/versioned.ts'
import { Editable } from '../../parts/editable.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { CallIcon } from '../../parts/person.tsx'
import { PhoneNumber, usePhoneText } from '../../parts/phone.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { Identity } from '../../records/person/identity.tsx'
import { readStudent } from '../../records/student/reads.ts'
import { TagLinks } from './tags.tsx'

type Student = Schemas['StudentDetail']

const tagsOf = (typed: string): string[] =>
  typed
    .split(/[,،\n]/)
    .map((tag) => tag.trim())
    .filter(Boolean)

/** How one field of this student is saved. */
const useFields = (id: string) => {
  const { can } = useMe()
  const field = fieldsOf<Student, Schemas['StudentChanges']>({
    key: ['/students', id],
    change: 'student',
    read: () => readStudent(id),
    send: (changes, version) =>
      answer(
        api.PATCH('/students/{id}', {
          params: { path: { id } },
          body: { ...changes, ...(version !== undefined && { version }) },
        }),
      ),
  })
  return (...how: Parameters<typeof field>) => (can('students.write') ? field(...how) : undefined)
}

export const Details = ({ student }: { student: Student }) => {
  const { people, edit } = useWords()
  const phoneText = usePhoneText()
  const format = useFormat()
  const field = useFields(student.id)
  const { branches } = useMe()
  return (
    <Section title={people.details}>
      <Facts>
        <Editable
          label={people.firstName}
          value={student.firstName}
          bound={BOUNDS.StudentChanges.firstName}
          onSave={field(
            ({ firstName }) => firstName,
            (firstName) => ({ firstName }),
          )}
        />
        <Editable
          label={people.lastName}
          value={student.lastName}
          bound={BOUNDS.StudentChanges.lastName}
          onSave={field(
            ({ lastName }) => lastName,
            (lastName) => ({ lastName }),
          )}
        />
        <Editable
          label={people.phone}
          value={phoneText(student.phone)}
          kind="tel"
          bound={BOUNDS.StudentChanges.phone}
          shown={<PhoneNumber number={student.phone} />}
          beside={student.phone !== null && <CallIcon number={student.phone} label={people.call(student.firstName)} />}
          onSave={field(
            ({ phone }) => phoneText(phone),
            (phone) => ({ phone: phone || null }),
          )}
        />
        <Editable
          label={people.email}
          value={student.email ?? ''}
          kind="email"
          onSave={field(
            ({ email }) => email ?? '',
            (email) => ({ email: email || null }),
          )}
        />
        <Editable
          label={people.birthDate}
          value={student.birthDate ?? ''}
          kind="pastDate"
          shown={student.birthDate !== null && <Birth date={student.birthDate} today={format.today()} />}
          onSave={field(
            ({ birthDate }) => birthDate ?? '',
            (birthDate) => ({ birthDate: birthDate || null }),
          )}
        />
        <Identity person={student} field={field} />
        {branches.length > 1 && (
          <Editable
            label={people.branch}
            value={student.branchId}
            shown={<bdi>{branches.find(({ id }) => id === student.branchId)?.name}</bdi>}
            options={branches.map(({ id, name }) => ({ id, label: name }))}
            onSave={field(
              ({ branchId }) => branchId,
              (branchId) => ({ branchId }),
            )}
          />
        )}
        <Editable
          label={people.tags}
          value={student.tags.join(', ')}
          none={edit.empty}
          hint={people.tagsHint}
          shown={<TagLinks tags={student.tags} />}
          onSave={field(
            ({ tags }) => tags.join(', '),
            (tags) => ({ tags: tagsOf(tags) }),
          )}
        />
        <Editable
          label={people.notes}
          value={student.notes ?? ''}
          none={edit.empty}
          kind="long"
          bound={BOUNDS.StudentChanges.notes}
          onSave={field(
            ({ notes }) => notes ?? '',
            (notes) => ({ notes: notes || null }),
          )}
        />
      </Facts>
    </Section>
  )
}

const yearsBetween = (date: string, today: string): number =>
  Number(today.slice(0, 4)) - Number(date.slice(0, 4)) - (today.slice(5) < date.slice(5) ? 1 : 0)

const Birth = ({ date, today }: { date: string; today: string }) => {
  const { people } = useWords()
  const format = useFormat()
  return (
    <>
      <bdi>{format.date(date)}</bdi> <span className="soft">({people.age(yearsBetween(date, today))})</span>
    </>
  )
}
