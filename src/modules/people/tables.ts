import type { Locale } from '#shared/locale.ts'
import type { Address } from '#kernel/values/schema.ts'
import type { ColumnType } from 'kysely'
import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const STUDENT_STATUSES = ['lead', 'active', 'paused', 'graduated', 'withdrawn'] as const
export type StudentStatus = (typeof STUDENT_STATUSES)[number]

export const GENDERS = ['male', 'female', 'other'] as const

export const RELATIONSHIPS = ['mother', 'father', 'grandparent', 'sibling', 'spouse', 'guardian', 'other'] as const

declare const allowed: unique symbol
/** The account behind a record, or null, once account.ts has allowed it. */
export interface AllowedAccount {
  readonly [allowed]: true
}
type Account = ColumnType<string | null, AllowedAccount | null | undefined, AllowedAccount>

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    student: {
      id: Fixed<string>
      tenant_id: TenantId
      branch_id: string
      student_number: Fixed<string>
      first_name: string
      last_name: string
      status: StudentStatus
      email: string | null
      phone: string | null
      national_id: string | null
      birth_date: string | null
      gender: (typeof GENDERS)[number] | null
      address: Json<Address | null>
      /** In the order in which they are shown; student_tag is the index for finding students by tag. */
      tags: Json<string[]>
      notes: string | null
      user_id: Account
      /** They registered on the website. */
      from_registration: Defaulted<boolean>
      /** The pause that lasts, or the next one, both days included; null: none is known, or without an end. */
      paused_from: string | null
      paused_to: string | null
      /** The last day of who left, or is going to; null: no such day is known. */
      left_on: string | null
      /** What they become by the sweep on that day; null: they are not going to leave. */
      leaving_as: 'graduated' | 'withdrawn' | null
      /** When the person was erased; null: they were not. */
      erased_at: string | null
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
      search_text: string
      /** See sortNameOf; '' for who was added by the version before, until they are changed. */
      sort_name: Defaulted<string>
    }
    /** The days on which a student pauses, both included. */
    student_pause: {
      id: Fixed<string>
      tenant_id: TenantId
      student_id: Fixed<string>
      paused_from: string
      /** null: until the status is changed. */
      paused_to: string | null
      /** The first instant, and the one after the last; sessions know by them who pauses. */
      begins_at: string | null
      ends_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    student_tag: {
      tenant_id: TenantId
      student_id: Fixed<string>
      tag: Fixed<string>
      /** Copied from the student. */
      created_at: Fixed<string>
    }
    guardian: {
      id: Fixed<string>
      tenant_id: TenantId
      first_name: string
      last_name: string
      /** null: a second parent of a phone that is another’s. */
      phone: string | null
      email: string | null
      national_id: string | null
      preferred_locale: Locale
      address: Json<Address | null>
      user_id: Account
      /**
       * The branch of a guardian without students; other guardians follow the branches of their students. null while
       * there is a link, and for a guardian without links whom only callers of the whole institute reach.
       */
      unlinked_branch_id: string | null
      /** As of a student. */
      erased_at: string | null
      created_at: Fixed<string>
      updated_at: string
      search_text: string
      /** See sortNameOf; '' for who was added by the version before, until they are changed. */
      sort_name: Defaulted<string>
    }
    guardian_link: {
      id: Fixed<string>
      tenant_id: TenantId
      student_id: Fixed<string>
      guardian_id: Fixed<string>
      relationship: (typeof RELATIONSHIPS)[number]
      is_primary: boolean
      is_payer: boolean
      /** Whether the guardian sees the student’s lessons, attendance, marks and reports, and is told of them. */
      sees_learning: Defaulted<boolean>
      /** Whether the guardian sees what is to be paid for the student; whoever pays does. */
      sees_money: Defaulted<boolean>
      created_at: Fixed<string>
    }
    /** The record that the account of an invited member will be linked to: exactly one of the three ids is set. */
    person_invitation: {
      tenant_id: TenantId
      membership_id: Fixed<string>
      student_id: Fixed<string | null>
      guardian_id: Fixed<string | null>
      staff_id: Fixed<string | null>
    }
    /** A record of somebody who had another one too, into which it was merged: exactly one of the two ids is set. */
    merged_record: {
      id: Fixed<string>
      tenant_id: TenantId
      student_id: string | null
      guardian_id: string | null
      /** By which lists and papers name the student. */
      student_number: Fixed<string | null>
      /** As it was shown. */
      record: Json<object>
      merged_at: Fixed<string>
    }
    staff: {
      id: Fixed<string>
      tenant_id: TenantId
      branch_id: string
      user_id: Account
      first_name: string
      last_name: string
      email: string | null
      phone: string | null
      title: string | null
      is_active: boolean
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
      search_text: string
    }
  }
}

const byStudent = { column: 'student_id', of: 'student' }

export const peopleTables: TableRules = {
  student: {
    kind: 'tenant',
    branch: { column: 'branch_id' },
    // Teachers reach everybody who is or was enrolled in their groups.
    group: { link: 'enrollment', key: 'student_id', column: 'group_id', of: 'group' },
  },
  student_tag: { kind: 'tenant', branch: byStudent, group: byStudent },
  student_pause: { kind: 'tenant', branch: byStudent, group: byStudent },
  guardian: {
    kind: 'tenant',
    branch: {
      any: [
        { link: 'guardian_link', key: 'guardian_id', column: 'student_id', of: 'student' },
        { column: 'unlinked_branch_id' },
      ],
    },
  },
  guardian_link: { kind: 'tenant', branch: byStudent },
  person_invitation: { kind: 'tenant' },
  merged_record: { kind: 'tenant' },
  staff: { kind: 'tenant', branch: { column: 'branch_id' } },
}
