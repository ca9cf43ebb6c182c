import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useGet, usePages } from '../../api/queries.ts'

export type Report = Schemas['ProgressReport']
export type ListedReport = Schemas['ListedProgressReport']
export type StudentProgress = Schemas['StudentProgress']

/** @param query with how many a page has */
export const useReportPages = (query: Query<'/progress-reports'>) =>
  usePages<ListedReport>(['/progress-reports', 'list', query], (cursor, signal) =>
    answer(api.GET('/progress-reports', { params: { query: { ...query, cursor } }, signal })),
  )

/** Whether a list of reports is not for the reader: the institute’s plan has none, or they teach nobody. */
export const isWithoutReports = ({ error }: { error: unknown }): boolean =>
  error instanceof Problem && (error.code === 'FEATURE_DISABLED' || error.code === 'FORBIDDEN')

export const useReport = (id: string) =>
  useGet(['/progress-reports', id], (signal) =>
    answer(api.GET('/progress-reports/{id}', { params: { path: { id } }, signal })),
  )

/** A class with its figures and reports. @param period undefined: the one in which it was written about last */
export const useClassReports = (groupId: string, period: { periodStart: string; periodEnd: string } | undefined) =>
  useGet(
    ['/progress-reports', 'class', groupId, period],
    (signal) =>
      answer(
        api.GET('/groups/{id}/progress-reports', { params: { path: { id: groupId }, query: { ...period } }, signal }),
      ),
    { keepsFormer: true },
  )
