import { inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {
    file_upload: { few: 'those of a day' },
    file: ({ nthId, at }) => ({
      kind: inTurn(['document', 'report', 'attachment']),
      original_name: `'paper ' || n || '.pdf'`,
      mime_type: text('application/pdf'),
      size_bytes: '1000 + n',
      sha256: text('0'.repeat(64)),
      upload_name: nthId('file_upload', 'n'),
      object_name: nthId('file', 'n'),
      student_id: nthId('student', 'n'),
      updated_at: at,
    }),
  },
  kept: ({ first, nth, at, later }) => {
    const { tenant_id } = first('student')
    const said = { tenant_id, mime_type: 'application/pdf', size_bytes: 70, created_at: at }
    return {
      file_upload: [{ ...said, id: nth(31), kind: 'avatar', user_id: first('user')['id'], expires_at: later }],
      file: [
        {
          ...said,
          id: nth(32),
          kind: 'document',
          original_name: 'תעודה.pdf',
          sha256: 'hash',
          upload_name: nth(33),
          object_name: nth(34),
          branch_id: first('branch')['id'],
          updated_at: at,
        },
      ],
    }
  },
}
