const names = {
  owner: 'Owner',
  admin: 'Administrator',
  branch_manager: 'Branch manager',
  teacher: 'Teacher',
  front_desk: 'Front desk',
  accountant: 'Accountant',
  student: 'Student',
  guardian: 'Guardian',
}

/** What the roles are called that every institute has. One of the institute's own has no name here. */
export const roles: typeof names & Partial<Record<string, string>> = names
