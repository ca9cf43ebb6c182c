import type { MemberWords } from './en.ts'

export const ar: MemberWords = {
  roles: {
    owner: 'مالك المعهد',
    admin: 'إدارة المعهد',
    branch_manager: 'إدارة الفرع',
    teacher: 'معلّم/ة',
    front_desk: 'الاستقبال',
    accountant: 'المحاسبة',
    student: 'طالب/ة',
    guardian: 'ولي أمر',
  },
}
