import type { MemberWords } from './en.ts'

export const he: MemberWords = {
  roles: {
    owner: 'בעלים',
    admin: 'הנהלה',
    branch_manager: 'הנהלת סניף',
    teacher: 'מורה',
    front_desk: 'מזכירות',
    accountant: 'הנהלת חשבונות',
    student: 'תלמיד/ה',
    guardian: 'הורה/אפוטרופוס',
  },
}
