import type { Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const EXAM_KINDS = ['quiz', 'exam', 'homework', 'project', 'final'] as const

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    exam: {
      id: Fixed<string>
      tenant_id: TenantId
      group_id: Fixed<string>
      title: string
      kind: (typeof EXAM_KINDS)[number]
      max_score: number
      weight: number
      held_at: string | null
      published_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    exam_result: {
      id: Fixed<string>
      tenant_id: TenantId
      exam_id: Fixed<string>
      student_id: Fixed<string>
      /** Null only when the student was absent. */
      score: number | null
      is_absent: boolean
      remarks: string | null
      graded_by_user_id: string | null
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

const byGroup = { column: 'group_id', of: 'group' }
const byExam = { column: 'exam_id', of: 'exam' }

export const examTables: TableRules = {
  exam: { kind: 'tenant', branch: byGroup, group: byGroup },
  exam_result: { kind: 'tenant', branch: byExam, group: byExam },
}
