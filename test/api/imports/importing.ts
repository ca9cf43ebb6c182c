import { filesOf } from '#app/data-dir/files.ts'
import type { TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { uploaded } from '#kit/files.ts'
import type { TestInstitute } from '#kit/institute.ts'
import { openTable } from '#ports/tables/open-table.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { runImport, type Pace } from '../../../src/modules/imports/run.ts'

/** Uploads a table. @returns the id of the file */
export const tableOf = async (
  app: TestApp,
  client: Client,
  content: string | Buffer,
  mimeType = 'text/csv',
): Promise<string> => {
  const bytes = Buffer.from(content as string)
  const reply = await uploaded(app, client, { bytes, mimeType, originalName: 'list.csv' })
  if (reply.status !== 201) throw new Error(`the table was refused: ${JSON.stringify(reply.body)}`)
  return reply.body.id
}

/** Imports a table and waits until that has ended. @returns the import */
export const imported = async (
  app: TestApp,
  client: Client,
  content: string | Buffer,
  {
    type,
    ...more
  }: {
    kind: string
    type?: string
    mode?: string
    dryRun?: boolean
    mapping?: object
    knownPhone?: string
    branchId?: string
  },
): Promise<Reply['body']> => {
  const fileId = await tableOf(app, client, content, type)
  const { status, body } = await client.post('/imports', { fileId, ...more })
  if (status !== 202) throw new Error(`the import was refused: ${JSON.stringify(body)}`)
  await app.drain()
  return (await client.get(`/imports/${body.id}`)).body
}

const SYSTEM = systemAuditContext('imports.run')

/** Runs an import that was asked for as a worker does, without the queue. @returns the import */
export const runAsWorker = async (
  app: TestApp,
  { tenant, owner }: Pick<TestInstitute, 'tenant' | 'owner'>,
  importId: string,
  pace: Partial<Pace> = {},
): Promise<Reply['body']> => {
  const { runtime } = app.app
  const change = <T>(work: (tx: never) => Promise<T>): Promise<T> =>
    runInTransaction(runtime, SYSTEM, (unit) => work(unit.system() as never))
  await runImport(
    {
      payload: { tenantId: tenant.id, importId },
      now: runtime.clock.now(),
      signal: new AbortController().signal,
      change,
      changeFor: ((asker: object, work: never) =>
        runInTransaction(runtime, { ...(asker as typeof SYSTEM), action: 'imports.run' }, (unit) =>
          (work as (tx: object) => Promise<unknown>)(unit.system()),
        )) as never,
      finish: change,
    },
    { files: filesOf(app), openTable, pace: { sliceMillis: 12, mostRows: 100, pauseMillis: 0, ...pace } },
  )
  return (await owner.get(`/imports/${importId}`)).body
}

/** What became of its rows. */
export const countsOf = ({ rows, created, updated, unchanged, refused }: Reply['body']) => ({
  rows,
  created,
  updated,
  unchanged,
  refused,
})

/** `2 Phone not_a_phone` for each thing that is wrong. */
export const errorsOf = ({ errors }: Reply['body']): string[] =>
  errors.map(
    ({ row, column, reason }: { row: number; column: string | null; reason: string }) =>
      `${row} ${String(column)} ${reason}`,
  )

export const lines = (...rows: string[]): string => `${rows.join('\r\n')}\r\n`
