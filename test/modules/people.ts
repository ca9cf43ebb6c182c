import { idAt, inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newGuardian, newStaff, newStudent } from '../api/examples/people.ts'

export const owed: Owed = {
  tables: {
    student: ({ branch, at }) => ({
      branch_id: branch,
      student_number: `substr('S-000000', 1, 8 - length(cast(n as text))) || n`,
      first_name: text('Dana'),
      last_name: `'Levi ' || n`,
      status: inTurn(['lead', 'active', 'paused', 'graduated']),
      tags: text('[]'),
      updated_at: at,
      search_text: `'dana levi ' || n`,
    }),
    student_tag: ({ nthId }) => ({ student_id: nthId('student', 'n'), tag: inTurn(['bus', 'chess', 'choir']) }),
    guardian: ({ at }) => ({
      first_name: text('Ruth'),
      last_name: `'Levi ' || n`,
      phone: `'+97250' || (1000000 + n)`,
      preferred_locale: text('he'),
      updated_at: at,
      search_text: `'ruth levi ' || n`,
    }),
    guardian_link: ({ nthId, flag }) => ({
      student_id: nthId('student', 'n'),
      guardian_id: nthId('guardian', 'n'),
      relationship: text('mother'),
      is_primary: flag(true),
      is_payer: flag(true),
    }),
    staff: ({ branch, flag, at }) => ({
      branch_id: branch,
      first_name: text('Amal'),
      last_name: `'Haddad ' || n`,
      is_active: flag(true),
      updated_at: at,
      search_text: `'amal haddad ' || n`,
    }),
    person_invitation: { few: 'those that wait for an answer' },
  },
  records: {
    studentId: newStudent,
    guardianId: newGuardian,
    teacherStaffId: (world) => newStaff(world),
    substituteStaffId: (_, record) => record('teacherStaffId'),
  },
  filters: {
    'students.list': {
      q: '1234',
      status: 'active',
      branchId: ({ branchId }) => branchId,
      groupId: idAt('group', 77),
      tag: 'chess',
    },
    'guardians.list': { q: 'ruth 1234' },
    'staff.list': { q: '1234', branchId: ({ branchId }) => branchId, isActive: 'false' },
  },
  kept: ({ first, studentId, at }) => {
    const { tenant_id } = first('student')
    return {
      student_tag: [{ tenant_id, student_id: studentId, tag: '2026', created_at: at }],
      person_invitation: [{ tenant_id, membership_id: first('membership')['id'], student_id: studentId }],
    }
  },
}
