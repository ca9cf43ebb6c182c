import type { roles as english } from './en.ts'

/** What the roles are called that every institute has. */
export const roles: typeof english = {
  owner: 'مالك المعهد',
  admin: 'إدارة المعهد',
  branch_manager: 'إدارة الفرع',
  teacher: 'معلّم/ة',
  front_desk: 'الاستقبال',
  accountant: 'المحاسبة',
  student: 'طالب/ة',
  guardian: 'وليّ أمر',
}
