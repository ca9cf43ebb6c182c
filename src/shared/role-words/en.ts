/** What the roles are called that every institute has. */
export const roles = {
  owner: 'Owner',
  admin: 'Administrator',
  branch_manager: 'Branch manager',
  teacher: 'Teacher',
  front_desk: 'Front desk',
  accountant: 'Accountant',
  student: 'Student',
  guardian: 'Guardian',
} as Partial<Record<string, string>>
