/** Lists of people: students and parents by name. */
export const directory = {
  which: 'Which list',
  students: 'Students',
  guardians: 'Parents',
  order: 'Order',
  orders: { name: 'By family name', newest: 'Newest first' },
  columns: 'Columns',
  column: {
    name: 'Name',
    groups: 'Groups',
    phone: 'Phone',
    balance: 'To pay',
    number: 'Number',
    branch: 'Branch',
    children: 'Children',
    email: 'E-mail',
  },
  guardianSearch: 'Name, phone or e-mail',
  noGuardians: 'No parent is known yet. They come with the children whom you register.',
  noGuardianFound: 'Nobody fits. Try fewer letters.',
  allGuardians: 'Show all parents',
}
