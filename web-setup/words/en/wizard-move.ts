import { isolate } from '../../../src/shared/isolate.ts'

/** What the wizard says where the institute comes from a backup. */
export const wizardMove = {
  title: 'Bring your institute here',
  lead: 'Give the file of a backup from your old server. First you see what it holds; nothing is changed before you say yes.',
  how: 'On the old server: Settings, Backups, “Make one now”, then “Download”. From then on nobody should work there.',
  choose: 'Choose the file',
  another: 'Choose another file',
  back: 'Set up a new institute instead',
  sending: (share: string) => `Sending the file: ${isolate(share)}`,
  keyTitle: 'This backup is encrypted',
  keyLead: 'It opens with the key that was made on the old server, and with no other.',
  key: 'The key',
  keyHint: `What stands in the key file; its last line, which begins with ${isolate('AGE-SECRET-KEY-1')}, is enough.`,
  keyMissing: 'Please enter the key.',
  open: 'Open it',
  checking: 'Every byte of it is checked. That takes a minute or two, and longer where there are many files.',
  held: {
    title: 'This is what it holds',
    lead: 'If this is your institute, it can be brought here now.',
    institute: 'Institute',
    none: 'no institute yet',
    createdAt: 'As it was on',
    students: 'Students',
    invoices: 'Invoices',
    files: 'Uploaded files',
    size: 'Size of the file',
    megabytes: (size: string) => `${size} MB`,
    version: 'Made by version',
    caution: 'What is typed on the old server after this moment does not come along. Stop it before you go on.',
    restore: 'Bring it here',
  },
  restoring: 'It is being brought here. The server comes back by itself in a moment; leave this page open.',
  done: {
    title: 'Your institute is here',
    lead: 'Everybody signs in as before, with the same email and password.',
    next: 'What is different on this server',
    address:
      'The address: tell everybody the new one, and set it in Settings, Institute, so that links in mails begin with it.',
    mail: 'Mail: the mailbox stood in the old server’s own settings. Set it anew in Settings, Mail, and send a test.',
    license:
      'The licence comes along. Let the old server stay off: two servers with one licence get in each other’s way.',
    phones: 'Browsers and phones remember the old address: open the new one there once, and sign in.',
    backups: 'Backups of every night go on here. The older ones stay on the old server: keep them for a while.',
    open: 'Go on to sign in',
  },
  reasons: {
    not_a_backup:
      'This is not the file of a backup. Its name usually ends with .tar.gz, or with .age where it is encrypted. An export of tables is not one.',
    damaged:
      'This file is not whole: it was cut short on its way, or damaged. Copy or download it once more, and try again.',
    newer: 'A newer version of the program made this backup. Put that version on this server first, then try again.',
    postgres_dump:
      'This is a copy of a Postgres database. It is brought back with pg_restore, on a server that uses Postgres.',
    postgres_here:
      'The database of this server is in Postgres, and is brought back by its own tools. Ask whoever looks after the server.',
    needs_key: 'This backup is encrypted, and needs its key.',
    wrong_key:
      'This key does not open the backup. It has to be the key of the server that made it, and each letter counts.',
    no_master_key:
      'This backup was made without the server’s master key. Start this server with the same INSTITUTE_MASTER_KEY as the old one, then try again.',
    disk_full:
      'The disk of this server is too small for what the backup holds. Make room on it, or attach a larger one, and try again.',
    set_up_meanwhile: 'Somebody set up an institute here meanwhile. Nothing was changed.',
    interrupted: 'The server was switched off meanwhile. Nothing was changed: try again.',
    failed:
      'It could not be brought here; nothing was changed. Try again, and if it fails again, show this to whoever looks after the server:',
  },
  refused: {
    restore_busy:
      'A backup is being received or checked here already, perhaps in another window. Wait until that has ended.',
    nothing_to_restore: 'The file is no longer here. Choose it again.',
    no_room_for_backup:
      'The disk of this server has no room for the file. Make room on it, or attach a larger one, and try again.',
  },
  broken:
    'The file did not arrive. Try again; where it breaks off again, use a cable, or copy the file to the server itself.',
}
