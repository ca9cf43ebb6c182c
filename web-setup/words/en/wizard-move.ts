import { isolate } from '../../../src/shared/isolate.ts'

/** What the wizard says where the institute comes from a backup. */
export const wizardMove = {
  title: 'Bring your institute here',
  lead: 'Give the file of a backup from your old server. First you see what it holds; nothing is changed before you say yes.',
  how: 'On the old server: Settings, Backups, “Make one now”, then “Download”. From then on nobody should work there.',
  gone: 'If that server is gone, its copies may lie in a store on the internet: take one from there.',
  choose: 'Choose the file',
  another: 'Choose another file',
  fromBucket: 'From the store of backups',
  bucket: {
    title: 'From the store of backups',
    lead: 'If the old server sent a copy of each night to a store on the internet, it can be fetched from there. The page of the store says what belongs here.',
    address: `Address (${isolate('Endpoint')})`,
    addressHint: `Such as ${isolate('https://s3.eu-central-1.amazonaws.com')}.`,
    region: isolate('Region'),
    regionHint: `Such as ${isolate('eu-central-1')}. If the page of the store names none, leave it empty.`,
    name: `Name (${isolate('Bucket')})`,
    folder: `Folder (${isolate('Prefix')})`,
    folderHint: 'Only where the copies lie in a folder.',
    keyId: `Key (${isolate('Access key ID')})`,
    secret: `Secret of the key (${isolate('Secret access key')})`,
    secretHint: 'It is used to fetch the copy. You choose later whether it is kept for the copies of this server.',
    missing: 'Please fill this in.',
    notAddress: 'This is no address of a store. Copy it from the page of the store, without anything behind it.',
    notName: 'Please type this as it stands on the page of the store.',
    look: 'Show what is there',
    back: 'Give a file instead',
    listTitle: 'Which copy?',
    listLead: 'The newest stands first. What is in it is shown before anything is changed.',
    list: (name: string) => `Copies in ${isolate(name)}`,
    fetch: 'Fetch it',
    fetchOf: (moment: string) => `Fetch it: the copy of ${isolate(moment)}`,
    another: 'Another copy',
    otherStore: 'Another store',
    empty: 'This place is empty. Look whether the name and the folder are right.',
    foreign: (files: string) =>
      `There are ${isolate(files)} other files here, and no copy of a backup. Look whether the name and the folder are right.`,
    folders: (names: string) =>
      `No copy lies right here, but there are folders: ${names}. Type the right one into “Folder”.`,
    fetching: (share: string) =>
      `The copy is being fetched: ${isolate(share)}. Where the connection is cut, it goes on from there.`,
    inRegion: (region: string) => `It is in ${isolate(region)}.`,
    reasons: {
      unreachable: 'There is nothing at this address. Look at each letter of it, and whether this server has internet.',
      no_answer: 'The store does not answer. Wait a few minutes, and try again.',
      other_protocol: `The store does not understand this server. If its address begins with ${isolate('http://')}, write it so; else begin it with ${isolate('https://')}.`,
      certificate:
        'The certificate of the store is not for this address, or nobody vouches for it. Take the address from the page of the store, letter by letter.',
      no_store:
        'Something else is at this address, and no store. Take it from the page of the store, letter by letter.',
      wrong_key: 'The store does not know this key. Copy it once more, or make a new one there.',
      wrong_secret: 'The secret does not belong to this key. Copy it once more; if it is lost, make a new key there.',
      clock: 'The clock of this server is wrong, so the store lets nobody in. Set date and time right, and try again.',
      no_bucket: 'The store has nothing of this name. Look at each letter of it.',
      other_region: 'The store is in another region than was typed.',
      may_not_list: `The key may not see what is there. Give it the right ${isolate('s3:ListBucket')} on the page of the store.`,
      may_not_read: `The key may not fetch the copy. Give it the right ${isolate('s3:GetObject')} on the page of the store.`,
      address_refused: `This server may not reach this address: it lies in a network of its own. Whoever runs the server can allow it with ${isolate('INSTITUTE_WEBHOOK_BLOCK_PRIVATE=off')}.`,
      failed:
        'The store refuses, and does not say why in words that are known. Show this to whoever looks after the server:',
    },
    keep: 'From tonight on, put a copy of each backup into this store too',
    keepHint: 'For this, its key is kept on this server. The copies open with the same key as this one.',
    kept: 'Backups: each night’s copy goes into the same store. Tomorrow, look in Settings, Backups whether it arrived.',
  },
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
    bucket_takes_none:
      'This store takes no copies: its key may only read there. Take the tick away, and go on without.',
    no_room_for_backup:
      'The disk of this server has no room for the file. Make room on it, or attach a larger one, and try again.',
  },
  broken:
    'The file did not arrive. Try again; where it breaks off again, use a cable, or copy the file to the server itself.',
}
