/** What can be set up, each with what it holds. */
export const settings = {
  title: 'Settings',
  items: {
    institute: {
      title: 'The institute',
      text: 'Name, languages, logo and colour, terms of the year, and the text below invoices.',
    },
    branches: { title: 'Branches', text: 'The places where you teach, with address and phone.' },
    closures: { title: 'Closed days', text: 'Holidays and other days without lessons.' },
    people: { title: 'People and roles', text: 'Who may sign in, and what each of them may do.' },
    messages: { title: 'Messages and their texts', text: 'What people are told, in which words, over which provider.' },
    website: {
      title: 'Form on your website',
      text: 'One line for your website, by which families register themselves.',
    },
    keys: { title: 'Keys for other programs', text: 'With a key another program reads or changes what you allow it.' },
    webhooks: { title: 'Updates to other programs', text: 'Another program is told at once of what happens here.' },
    features: {
      title: 'What the program can do',
      text: 'Assistants, reports, video courses and ways to send: each can be switched on and off.',
    },
    plan: {
      title: 'Plan and licence',
      text: 'What is agreed with the vendor, how much of it is used, and what a lock would mean.',
    },
    history: { title: 'What happened', text: 'Who changed what, and when.' },
    mail: { title: 'Mail', text: 'The mailbox from which invitations, invoices and messages are sent, with a test.' },
    card: { title: 'Payment by card', text: 'Families pay invoices on the page of a payment company.' },
    backups: { title: 'Backups', text: 'Copies of everything: those there are, and one more at any time.' },
    updates: { title: 'Updates', text: 'Which version runs, what is new, and whether it comes by itself.' },
    server: { title: 'The server', text: 'Whether it is in order.' },
    network: {
      title: 'Other computers and phones',
      text: 'Where teachers and the office open the program, with a poster for the wall.',
    },
  },
  toDo: {
    noLogo: 'No logo yet',
    alone: 'Nobody invited yet',
    noForm: 'Not there yet',
    formOff: 'Switched off',
    noMail: 'Mail is not set up',
    noBackup: 'None yet',
    backupWrong: 'Needs a check',
    newVersion: 'A new version is there',
  },
}
