import { read } from '#kernel/contract/endpoint.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { historyFile } from './as-file.ts'
import { AuditEntry, AuditQuery } from './entries.ts'
import { listAudit } from './named.ts'

export const auditEndpoints = [
  read({
    id: 'audit.list',
    path: '/audit',
    summary: 'Read the audit log',
    description:
      'Newest first. Every change leaves an entry; `action` is the id of the operation that made it, `before` and `after` show the record as the API does, without secrets. `from` and `to` are compared with createdAt, both included. Entries are only added: none is deleted, and who did what to which record, and when, is never changed. The erasure of a person empties what `before`, `after` and `metadata` say of them, and says so with `erased` in `metadata`. Its file (CSV, XLSX) tells them in sentences, as the page of the history does.',
    access: 'audit.read',
    query: AuditQuery,
    reply: pageOf(AuditEntry),
    asFile: historyFile,
    handle: listAudit,
  }),
]
