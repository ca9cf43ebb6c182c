import { useState } from 'react'
import { Link } from 'wouter'
import { sortedName } from '../../../shared/names.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages, type Pages } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Initials, Phone } from '../../parts/person.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useInvitesFamilies } from '../../records/guardian/account.tsx'
import { useGuardiansOf } from '../../records/guardian/reads.ts'
import { readStudents, useStudent } from '../../records/student/reads.ts'
import { MoveSheet } from '../../records/enrollment/move.tsx'
import { PriceSheet } from '../../records/price/sheet.tsx'
import { CompleteQuestion } from '../../records/enrollment/complete.tsx'
import { DropQuestion } from '../../records/enrollment/drop.tsx'
import { EnrolMany } from './enrol-many.tsx'
import { InviteFamilies } from './invite-families.tsx'
import { RosterPapers } from './roster-papers.tsx'

interface Member {
  studentId: string
  name: string
  firstName: string
  lastName: string
  number: string
  /** undefined: the reader may not see enrollments. */
  enrollmentId?: string
}

const PAGE = 100

const byName = (members: readonly Member[]): Member[] =>
  members
    .map((member) => ({ member, key: sortedName(member.firstName, member.lastName) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ member }) => member)

/** Who is in the group: by its enrollments, or for a teacher, who may not see those, by its students. */
const useRoster = (groupId: string): Pages<Member> => {
  const { can } = useMe()
  const pages = usePages<Member>(['/groups', groupId, 'roster'], async (cursor, signal) => {
    if (can('enrollments.read')) {
      const query = { status: 'active' as const, limit: PAGE, ...(cursor && { cursor }) }
      const page = await answer(
        api.GET('/groups/{id}/enrollments', { params: { path: { id: groupId }, query }, signal }),
      )
      const data = page.data.map(({ id, studentId, studentNumber, firstName, lastName }) => ({
        studentId,
        name: `${firstName} ${lastName}`,
        firstName,
        lastName,
        number: studentNumber,
        enrollmentId: id,
      }))
      return { data, nextCursor: page.nextCursor }
    }
    const query = { groupId, limit: PAGE, ...(cursor && { cursor }) }
    const page = await readStudents(query, signal)
    const data = page.data.map(({ id, fullName, firstName, lastName, studentNumber }) => ({
      studentId: id,
      name: fullName,
      firstName,
      lastName,
      number: studentNumber,
    }))
    return { data, nextCursor: page.nextCursor }
  })
  // The API has the newest first. A class that is read in one piece stands by name, as its attendance and its papers do.
  const rows = pages.hasMore ? pages.rows : pages.rows && byName(pages.rows)
  return { ...pages, rows }
}

export const Roster = ({ group }: { group: Schemas['Group'] }) => {
  const { groups: words, family } = useWords()
  const { can, institute } = useMe()
  const invites = useInvitesFamilies()
  const [isInviting, setInviting] = useState(false)
  const roster = useRoster(group.id)
  const mayEnrol =
    can('enrollments.write') && !institute.isReadOnly && (group.status === 'active' || group.status === 'planned')
  const [isEnrolling, setEnrolling] = useState(false)
  const [called, setCalled] = useState<Member>()
  const [isCalling, setCalling] = useState(false)
  const [leaving, setLeaving] = useState<Member>()
  const [isDropping, setDropping] = useState(false)
  const [isCompleting, setCompleting] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const [priced, setPriced] = useState<Member>()
  return (
    <Section
      title={words.roster}
      actions={
        <span className="actions">
          <RosterPapers groupId={group.id} hasMembers={roster.rows !== undefined && roster.rows.length > 0} />
          {invites && roster.rows !== undefined && roster.rows.length > 0 && (
            <Button look="quiet" onPress={() => setInviting(true)}>
              {family.inviteFamilies}
            </Button>
          )}
          {mayEnrol && (
            <Button look="quiet" icon="plus" onPress={() => setEnrolling(true)}>
              {words.enrolMany}
            </Button>
          )}
        </span>
      }
    >
      {isInviting && <InviteFamilies group={group} onClose={() => setInviting(false)} />}
      <EnrolMany group={group} isOpen={isEnrolling} onClose={() => setEnrolling(false)} />
      <Rows pages={roster} label={words.roster} keyOf={({ studentId }) => studentId} empty={words.noRoster}>
        {(member) => (
          <div className="row">
            <Initials name={member.name} />
            <span className="grow">
              <Link href={`/students/${member.studentId}`} className="name link">
                <bdi>{member.name}</bdi>
              </Link>
              <span className="about ltr-text">{member.number}</span>
            </span>
            <IconButton
              icon="phone"
              label={words.call(member.name)}
              onPress={() => {
                setCalled(member)
                setCalling(true)
              }}
            />
            {member.enrollmentId !== undefined && can('enrollments.write', 'invoices.read') && (
              <RosterMenu
                name={member.name}
                onPrice={() => setPriced(member)}
                onMove={() => {
                  setLeaving(member)
                  setMoving(true)
                }}
                onComplete={() => {
                  setLeaving(member)
                  setCompleting(true)
                }}
                onDrop={() => {
                  setLeaving(member)
                  setDropping(true)
                }}
              />
            )}
          </div>
        )}
      </Rows>
      {priced?.enrollmentId !== undefined && (
        <PriceSheet
          of={{ enrollmentId: priced.enrollmentId }}
          name={priced.name}
          onClose={() => setPriced(undefined)}
        />
      )}
      {called && <Phones member={called} isOpen={isCalling} onClose={() => setCalling(false)} />}
      {leaving?.enrollmentId !== undefined && (
        <>
          <MoveSheet
            enrollmentId={leaving.enrollmentId}
            student={leaving.name}
            group={group}
            groupIds={[group.id]}
            isOpen={isMoving}
            onClose={() => setMoving(false)}
          />
          <CompleteQuestion
            enrollmentId={leaving.enrollmentId}
            student={leaving.name}
            group={group.name}
            isOpen={isCompleting}
            onClose={() => setCompleting(false)}
          />
          <DropQuestion
            enrollmentId={leaving.enrollmentId}
            student={leaving.name}
            group={group.name}
            isOpen={isDropping}
            onClose={() => setDropping(false)}
          />
        </>
      )}
    </Section>
  )
}

interface RosterMenuProps {
  name: string
  onPrice: () => void
  onMove: () => void
  onComplete: () => void
  onDrop: () => void
}

const RosterMenu = ({ name, onPrice, onMove, onComplete, onDrop }: RosterMenuProps) => {
  const { discounts, people, shell } = useWords()
  const { can } = useMe()
  return (
    <Menu
      label={`${shell.more}: ${name}`}
      entries={[
        ...(can('invoices.read') ? [{ id: 'price', label: discounts.price, onSelect: onPrice }] : []),
        ...(can('enrollments.write')
          ? [
              { id: 'move', label: people.move, onSelect: onMove },
              { id: 'complete', label: people.complete, onSelect: onComplete },
              { id: 'drop', label: people.drop, isDangerous: true, onSelect: onDrop },
            ]
          : []),
      ]}
    />
  )
}

interface PhonesProps {
  member: Member
  isOpen: boolean
  onClose: () => void
}

/** The phones of one student and the family, read when somebody wants to call. */
const Phones = ({ member, isOpen, onClose }: PhonesProps) => {
  const { people, shell } = useWords()
  const { can } = useMe()
  const { studentId } = member
  const student = useStudent(studentId)
  const guardians = useGuardiansOf(studentId, !can('guardians.read'))
  return (
    <Sheet title={people.phonesOf(member.name)} isOpen={isOpen} onClose={onClose}>
      <div className="card">
        {guardians.data?.map(({ guardianId, guardian, relationship }) => (
          <div className="row" key={guardianId}>
            <span className="grow">
              <bdi className="name">{`${guardian.firstName} ${guardian.lastName}`}</bdi>
              <span className="about">{people.relations[relationship]}</span>
            </span>
            <Phone number={guardian.phone} />
          </div>
        ))}
        <Loaded query={student}>
          {({ fullName, phone }) =>
            phone === null ? (
              guardians.data?.length ? null : (
                <Empty>{people.noPhones}</Empty>
              )
            ) : (
              <div className="row">
                <span className="grow">
                  <bdi className="name">{fullName}</bdi>
                  <span className="about">{people.student}</span>
                </span>
                <Phone number={phone} />
              </div>
            )
          }
        </Loaded>
      </div>
      <div className="actions">
        <Button onPress={onClose}>{shell.close}</Button>
      </div>
    </Sheet>
  )
}
