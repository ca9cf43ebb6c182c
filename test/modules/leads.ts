import { idAt, inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newLead } from '../api/examples/leads.ts'

export const owed: Owed = {
  tables: {
    lead: ({ branch, nthId, at, user, count }) => ({
      source: inTurn(['widget', 'manual']),
      status: inTurn(['new', 'contacted', 'converted', 'lost']),
      first_name: text('Dana'),
      last_name: `'Levi ' || n`,
      // The second half have no student yet.
      student_id: `case when n <= ${count / 2} then ${nthId('student', 'n')} end`,
      unlinked_branch_id: `case when n > ${count / 2} then ${branch} end`,
      locale: text('he'),
      assigned_to_user_id: user,
      updated_at: at,
      search_text: `'dana levi ' || n`,
    }),
    public_registration: { few: 'a few hundred for each key: those of the last day' },
  },
  records: {
    assignedToUserId: async (world, record) => {
      const userId = await record('userId')
      const id = await newLead(world, { courseId: await record('courseId') })
      await world.owner.patch(`/leads/${id}`, { assignedToUserId: userId })
      return userId
    },
  },
  filters: {
    'leads.list': {
      q: '1234',
      status: 'contacted',
      courseId: idAt('course', 1),
      assignedToUserId: ({ institute }) => institute.ownerUserId,
    },
  },
  kept: ({ first, studentId, nth, at }) => ({
    lead: [
      {
        id: nth(5),
        tenant_id: first('student')['tenant_id'],
        source: 'widget',
        status: 'new',
        first_name: 'نور',
        last_name: 'Levi',
        guardian: { firstName: 'Ruth', lastName: 'Levi', phone: '+972501234567', email: null },
        student_id: studentId,
        locale: 'ar',
        created_at: at,
        updated_at: at,
        search_text: 'نور levi ruth levi +972501234567',
      },
    ],
    public_registration: [
      {
        tenant_id: first('student')['tenant_id'],
        lead_id: nth(5),
        api_key_id: first('api_key')['id'],
        fingerprint: 'a hash',
        created_at: at,
      },
    ],
  }),
}
