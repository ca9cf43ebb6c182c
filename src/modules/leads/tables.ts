import type { Locale } from '#shared/locale.ts'
import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const LEAD_SOURCES = ['widget', 'manual', 'import', 'api'] as const
export const LEAD_STATUSES = ['new', 'contacted', 'converted', 'lost'] as const

/** The guardian as the visitor named them; the guardian's own record may differ. */
export interface NamedGuardian {
  firstName: string
  lastName: string
  phone: string
  email: string | null
}

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    lead: {
      id: Fixed<string>
      tenant_id: TenantId
      source: Fixed<(typeof LEAD_SOURCES)[number]>
      status: (typeof LEAD_STATUSES)[number]
      first_name: Fixed<string>
      last_name: Fixed<string>
      phone: Fixed<string | null>
      email: Fixed<string | null>
      guardian: Json<NamedGuardian | null>
      student_id: string | null
      guardian_id: string | null
      /** Somebody of another name had the guardian’s phone when they asked; see registration.ts. */
      guardian_name_differs: Defaulted<boolean>
      course_id: Fixed<string | null>
      group_id: Fixed<string | null>
      course_interest: Fixed<string | null>
      message: Fixed<string | null>
      locale: Fixed<Locale>
      assigned_to_user_id: string | null
      note: string | null
      /**
       * The branch of a lead without a student, which its student gets; other leads follow the branch of their student.
       */
      unlinked_branch_id: string | null
      created_at: Fixed<string>
      updated_at: string
      search_text: Fixed<string>
    }
    /** Registrations of the last day, to count them and to know one that comes again. */
    public_registration: {
      tenant_id: TenantId
      lead_id: string
      api_key_id: Fixed<string>
      /** A hash of who registers whom: see day.ts. */
      fingerprint: Fixed<string>
      created_at: string
    }
  }
}

export const leadTables: TableRules = {
  lead: {
    kind: 'tenant',
    branch: { any: [{ column: 'student_id', of: 'student' }, { column: 'unlinked_branch_id' }] },
  },
  public_registration: { kind: 'tenant' },
}
