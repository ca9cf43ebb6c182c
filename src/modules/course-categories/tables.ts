import type { Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    course_category: {
      id: Fixed<string>
      tenant_id: TenantId
      parent_id: string | null
      name: string
      slug: string
      /** The slug in one case, for comparison. */
      slug_key: string
      sort_order: number
      is_active: boolean
      created_at: Fixed<string>
      updated_at: string
    }
  }
}

export const courseCategoryTables: TableRules = { course_category: { kind: 'tenant' } }
