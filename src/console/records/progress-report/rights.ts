import { useMe } from '../../shell/me.tsx'
import type { Report } from './reads.ts'

/** What the caller may do with progress reports, as far as the console shows it; the server says by itself what it refuses. */
export const useReportRights = () => {
  const { can, institute } = useMe()
  const mayWrite = can('reports.write', 'exams.write') && !institute.isReadOnly
  const isOffice = can('reports.write')
  /** Whoever may not is asked to hand reports in, and somebody else reads them over. */
  const maySend = mayWrite && (isOffice || !institute.reportsApproval)
  return {
    mayWrite,
    maySend,
    mayReturn: mayWrite && isOffice,
    /** Whether a report can be changed, sent or handed in. */
    isOpen: ({ status, submittedAt }: Pick<Report, 'status' | 'submittedAt'>): boolean =>
      mayWrite && status === 'draft' && (maySend || submittedAt === null),
  }
}
