import { inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newFeeSchedule } from '../api/examples/fees.ts'

export const owed: Owed = {
  tables: {
    fee_schedule: ({ at, flag }) => ({
      name: `'Tuition ' || n`,
      kind: inTurn(['per_group', 'per_course', 'one_off', 'registration']),
      amount_minor: '45000',
      currency: text('ILS'),
      recurrence: inTurn(['monthly', 'per_term']),
      is_active: flag(true),
      updated_at: at,
    }),
    billing_run: { few: 'a few in a month' },
    fee_charge: { few: 'no list is of them: a run looks its students up by the primary key' },
  },
  records: { feeScheduleId: (world) => newFeeSchedule(world) },
  filters: { 'fee-schedules.list': { kind: 'per_course', isActive: 'true' } },
  kept: ({ first, nth, at }) => {
    const { tenant_id, group_id, student_id } = first('enrollment')
    const [schedule, run] = [nth(30), nth(31)]
    return {
      fee_schedule: [
        {
          id: schedule,
          tenant_id,
          name: 'קורס אנגלית',
          kind: 'per_group',
          amount_minor: 45_000,
          currency: 'ILS',
          recurrence: 'monthly',
          group_id,
          due_day: 10,
          is_active: true,
          created_at: at,
          updated_at: at,
        },
      ],
      billing_run: [
        {
          id: run,
          tenant_id,
          month: '2026-02',
          fee_schedule_ids: [schedule],
          students: 1,
          students_done: 1,
          last_student_id: student_id,
          finished_at: at,
          created_at: at,
          updated_at: at,
        },
      ],
      fee_charge: [
        {
          tenant_id,
          student_id,
          fee_schedule_id: schedule,
          month: '2026-02',
          billing_run_id: run,
          invoice_id: first('invoice')['id'],
        },
      ],
    }
  },
}
