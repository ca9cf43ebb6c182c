import { isolate } from '../../../shared/isolate.ts'

/** What a backup holds, how it takes the place of what is here, and how all of it moves to another machine. */
export const restores = {
  holds: 'What it holds',
  holdsOf: (moment: string) => `What it holds: ${moment}`,
  open: 'Restore…',
  openOf: (moment: string) => `Restore the backup of ${moment}`,
  title: (moment: string) => `The backup of ${isolate(moment)}`,
  reading: 'It is read to its end and checked. That takes a moment, and longer where there are many files.',
  held: {
    institute: 'Institute',
    none: 'none yet',
    students: 'Students',
    guardians: 'Guardians',
    staff: 'Team',
    invoices: 'Invoices',
    payments: 'Payments',
    files: 'Files',
    lastChangeAt: 'Last change',
    version: 'Made by version',
  },
  since: 'What a restore takes back',
  nothing: 'Nobody has changed anything since then.',
  lost: {
    changes: 'Changes since then',
    students: 'Students added',
    invoices: 'Invoices made',
    payments: 'Payments taken',
  },
  orMore: (count: string) => `${count} or more`,
  askTitle: (moment: string) => `Restore everything as it was ${isolate(moment)}`,
  follows: [
    'Whatever was done since is gone from here. Note down what you will need, such as payments.',
    'What is here now is kept as a backup called “Before a restore”. By it you can go back.',
    'Everybody is signed out, and signs in with the password of that day. Accounts and keys that were ended since work again: look through them.',
    'Messages that have gone out do not go out again. A reminder of something that is overdue may come once more.',
    'Nobody can work here for a minute or two.',
  ],
  verb: 'Restore everything',
  checking: 'The backup is checked once more. Everybody goes on working meanwhile.',
  restoring: 'It is being restored. The server comes back by itself; leave this page open.',
  done: (moment: string) =>
    `Everything is as it was ${isolate(moment)}. What was here before is kept: “Before a restore”.`,
  failed: 'It was not restored; everything is as it was.',
  reasons: {
    not_a_backup: 'This file is not a backup.',
    damaged: 'This backup is damaged, and cannot be restored. Take another one.',
    newer: 'A newer version of the program made this backup. Put that version in first (Settings, Updates).',
    postgres_dump: 'This is a copy of a Postgres database, which pg_restore brings back.',
    postgres_here: 'The database of this server is in Postgres, and is brought back by its own tools.',
    needs_key: 'This backup is encrypted, and opens with its key alone.',
    wrong_key: 'This key does not open the backup: it has to be that of the server that made it.',
    no_master_key:
      'The master key of this backup is not here. Start the server with the INSTITUTE_MASTER_KEY of that time.',
    disk_full: 'The disk has no room for it beside what is here. Make room, and try again.',
    set_up_meanwhile: 'An institute was set up here meanwhile.',
    interrupted: 'The server was switched off meanwhile. Try again.',
    failed: 'Try again, and if it fails again, show this to whoever looks after the server:',
  },
  bring: {
    title: 'A backup from elsewhere',
    text: 'From a stick, from another server, or a download of this one. You first see what it holds; nothing is changed before you restore it. After a day it is removed here by itself.',
    choose: 'Choose a file…',
    sending: (share: string) => `The file is being sent: ${isolate(share)}`,
    tooLarge: (size: string) =>
      `The disk of the server has no room for it: ${isolate(`${size} MB`)} at the most. Make room, and try again.`,
    broken: 'The file did not arrive, and nothing of it was kept. Try again, on a cable if you can.',
    file: 'The file that was brought here',
    encrypted: 'Encrypted',
    remove: 'Remove',
    removeTitle: 'Remove the backup that was brought here?',
    removeText: 'The file that it came from stays where it is. Nothing of the institute is changed.',
    keyLead: 'This backup is encrypted. It opens with the key that was made on the server it comes from.',
    key: 'The key',
    keyHint: `What stands in the key file; its last line, which begins with ${isolate('AGE-SECRET-KEY-1')}, is enough. It is not kept here.`,
    keyMissing: 'Please enter the key.',
    keyVerb: 'Open it',
  },
  bucket: {
    show: 'From the store of backups…',
    list: (name: string) => `Backups in the store ${isolate(name)}`,
    none: (name: string) => `There is no backup in the store ${isolate(name)}.`,
    fetch: 'Bring it here',
    fetchOf: (moment: string) => `Bring the backup of ${moment} here`,
    fetching: (share: string) => `It is coming from the store: ${isolate(share)}. You can go on working meanwhile.`,
    reasons: {
      unreachable:
        'The store cannot be reached. See whether the internet works here, and try again; if it does, its address in the settings of the server is wrong.',
      no_answer: 'The store did not answer in time. Try again in a few minutes.',
      other_protocol: `The store does not understand this server. Begin its address in the settings of the server with ${isolate('s3://')}, or, where it has no certificate, with ${isolate('s3+http://')}.`,
      certificate:
        'The certificate of the store is not for this address, or nobody vouches for it. Correct its address in the settings of the server.',
      no_store: 'Something else is at this address, and no store. Correct it in the settings of the server.',
      clock: 'The clock of this server is wrong, so the store lets nobody in. Set date and time right, and try again.',
      wrong_key:
        'The store does not know this key. It was removed there, or is mistyped: take it from the store again.',
      wrong_secret: 'The secret is not the one of this key. Take both from the store again.',
      no_bucket: 'The store has no bucket of this name. Correct the name, or make the bucket there.',
      other_region: 'The bucket is in another region of the store. Correct the region:',
      may_not_list: `The key may not see what is in the bucket. Give it the right ${isolate('s3:ListBucket')} in the store.`,
      may_not_read: `The key may not read this backup. Give it the right ${isolate('s3:GetObject')} in the store.`,
      disk_full: 'The disk of the server has no room for it. Make room, and try again.',
      failed:
        'Nothing came from the store. Try again, and if it fails again, show this to whoever looks after the server:',
    },
  },
  move: {
    link: 'Move to a new machine in five steps',
    title: 'Move to a new machine',
    about: 'Everything comes along: people, money, files, passwords, the licence. It takes about an hour.',
    backup: 'Make a backup here',
    backupText:
      'When nobody works here any more, press “Make one now” and then “Download”. What is typed here later does not come along.',
    toBackups: 'To the backups',
    install: 'Put the program on the new machine',
    installText: (version: string) =>
      `The same version or a newer one: here it is ${isolate(version)}. When it starts it shows an address with a code; open that in a browser.`,
    bring: 'Bring the backup there',
    bringText:
      'On its first page, press “Bring it here from a backup” and choose the file. It says what it holds before anything happens.',
    address: 'Lead people there',
    addressName: (url: string) =>
      `People open ${isolate(url)}. Wherever that name is looked after, let it lead to the new machine; until then it leads here.`,
    addressNumber: (url: string) =>
      `People open ${isolate(url)}, which is the address of this machine. Give the new one the same address in the router, or tell everybody the new one: there, Settings, “Other computers and phones”, has a poster of it.`,
    httpsOff: 'Nothing is set up for https here, so nothing has to be done for it.',
    httpsLocal:
      'Devices trust the certificate of this machine. The new one has its own: choose https there, and let each device take it once.',
    httpsPublic:
      'The certificate is not in the backup. Choose https there once the name leads to it: the new one is ordered by itself.',
    httpsVendor:
      'The certificate is not in the backup. Choose https there: the server keeps its name, and a new certificate comes by itself.',
    httpsFixed:
      'Https is set up outside the program, by whoever looks after the server: the same is needed on the new machine.',
    stop: 'Stop this machine',
    stopText:
      'Sign in on the new one and look around: students, the week, an invoice. Then switch this one off, and keep it for a month.',
    licence:
      'The licence came along. Two machines with one licence get in each other’s way, so let only one of them run.',
    mail: 'The mailbox may have to be set anew there: Settings, Mail.',
  },
}
