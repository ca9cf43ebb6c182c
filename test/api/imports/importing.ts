import type { TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { uploaded } from '#kit/files.ts'

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
