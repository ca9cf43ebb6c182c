import type { roles as english } from './en.ts'

/** What the roles are called that every institute has. */
export const roles: typeof english = {
  owner: 'בעלים',
  admin: 'הנהלה',
  branch_manager: 'הנהלת סניף',
  teacher: 'מורה',
  front_desk: 'מזכירות',
  accountant: 'הנהלת חשבונות',
  student: 'תלמיד/ה',
  guardian: 'הורה/אפוטרופוס',
}
