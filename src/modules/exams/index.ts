import type { Module } from '#kernel/contract/module.ts'
import { examEndpoints } from './endpoints.ts'
import { examTables } from './tables.ts'

export { averageOf } from './average.ts'
export { isAnyInPublished, OwnResult, publishedResults } from './published.ts'
export { rosterOf } from './roster.ts'
export { Exam } from './schemas.ts'

export const examsModule: Module = {
  name: 'exams',
  tags: {
    exams: 'Tests and other work of a group, and the results of its students.',
  },
  events: ['exam.published'],
  tables: examTables,
  persons: [{ of: 'student', table: 'exam_result', column: 'student_id', once: [['exam_id']], twice: 'refused' }],
  reads: { files: ['file'], groups: ['enrollment', 'group'], people: ['student', 'student_pause'] },
  endpoints: examEndpoints,
}
