import { runInTransaction, type Runtime } from '#runtime/change/transaction.ts'
import type { AdmittedRequest } from '#http/admission/admission.ts'
import type { RawInput } from '#http/bodies/input.ts'

/** The formats of content that people take records away by, such as the rows that an import refused. */
const FORMATS = [
  ['text/csv', 'csv'],
  ['application/zip', 'zip'],
] as const

/** The format of content that people take records away by; undefined: it is something else. */
export const takenAs = (type: string): string | undefined => FORMATS.find(([known]) => type.startsWith(known))?.[1]

interface Download {
  admitted: AdmittedRequest
  raw: Pick<RawInput, 'params' | 'query'>
  format: string
  /** How many records it holds; undefined: that is not known when it begins. */
  records?: number | undefined
}

/**
 * Writes into the audit log that somebody takes a list away as a file: before its first byte, so that no file leaves
 * without a trace.
 * @throws Overloaded, and what the database throws
 */
export const noteDownload = async (runtime: Runtime, { admitted, raw, format, records }: Download): Promise<void> => {
  const { caller, auditContext } = admitted
  const { format: _format, ...filters } = Object.fromEntries(raw.query)
  const note = {
    entityType: 'list',
    entityId: raw.params['id'] ?? null,
    metadata: { format, filters, ...(records !== undefined && { records }) },
  }
  await runInTransaction(
    runtime,
    auditContext,
    async (unit) => {
      const writer = caller?.tenant ? unit.tenant(caller.tenant, 'all') : unit.system()
      writer.audit(note)
    },
    { refusable: true },
  )
}
