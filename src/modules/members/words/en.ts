import type { SystemRoleKey } from '#kernel/rights/permissions.ts'

export const en = {
  /** The names with which the roles of an institute begin. */
  roles: {
    owner: 'Owner',
    admin: 'Administrator',
    branch_manager: 'Branch manager',
    teacher: 'Teacher',
    front_desk: 'Front desk',
    accountant: 'Accountant',
    student: 'Student',
    guardian: 'Guardian',
  } satisfies Readonly<Record<SystemRoleKey, string>>,
}

export type MemberWords = typeof en
