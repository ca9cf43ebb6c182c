/** What can be set up, each with what it holds. */
export const settings = {
  title: 'Settings',
  items: {
    institute: {
      title: 'The institute',
      text: 'Name, languages, logo and colour, terms of the year, and the text below invoices.',
    },
    branches: { title: 'Branches', text: 'The places where you teach, with address and phone.' },
    people: { title: 'People and roles', text: 'Who may sign in, and what each of them may do.' },
    website: {
      title: 'Form on your website',
      text: 'One line for your website, by which families register themselves.',
    },
    mail: { title: 'Mail', text: 'By which mailbox invitations, invoices and messages go out, with a test.' },
    backups: { title: 'Backups', text: 'Copies of everything: those that there are, and one more when you like.' },
    server: { title: 'The server', text: 'Whether everything is well with it, and its licence.' },
  },
  toDo: {
    noLogo: 'No logo yet',
    alone: 'Nobody invited yet',
    noForm: 'Not there yet',
    formOff: 'Switched off',
    noMail: 'No mail goes out',
    noBackup: 'None yet',
    backupWrong: 'Needs a look',
  },
}
