import { idAt, inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newGroup } from '../api/examples/academics.ts'

export const owed: Owed = {
  tables: {
    group: async ({ branch, nthId, uuid, at, record }) => ({
      course_id: uuid(text(await record('courseId'))),
      branch_id: branch,
      name: `'Group ' || n`,
      teacher_staff_id: nthId('staff', 'n'),
      currency: text('ILS'),
      status: inTurn(['planned', 'active', 'completed']),
      search_text: `'group ' || n`,
      updated_at: at,
    }),
    enrollment: ({ nthId, flag, at, count }) => ({
      student_id: nthId('student', 'n'),
      group_id: nthId('group', `n % ${count} + 1`),
      status: inTurn(['active', 'completed', 'dropped']),
      price_minor: '45000',
      currency: text('ILS'),
      price_overridden: flag(false),
      enrolled_at: at,
      updated_at: at,
    }),
  },
  records: {
    groupId: async (world, record) => {
      const [courseId, teacherStaffId] = [await record('courseId'), await record('teacherStaffId')]
      const groupId = await newGroup(world, { courseId, teacherStaffId })
      await world.owner.post('/enrollments', { studentId: await record('studentId'), groupId })
      return groupId
    },
  },
  filters: {
    'groups.list': {
      courseId: idAt('course', 1),
      branchId: ({ branchId }) => branchId,
      teacherStaffId: idAt('staff', 77),
      status: 'active',
      q: 'group 1234',
    },
    'groups.enrollments': { status: 'active' },
    'enrollments.list': { studentId: idAt('student', 77), groupId: idAt('group', 77), status: 'active' },
  },
}
