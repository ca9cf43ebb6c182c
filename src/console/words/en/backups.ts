import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** The copies of everything that the server keeps. */
export const backups = {
  title: 'Backups',
  about: 'Each holds everything of the institute: people, money, files and the keys of the server.',
  make: 'Make one now',
  making: 'It is being made…',
  next: (moment: string) => `The next one is made by itself: ${isolate(moment)}.`,
  noNightly: 'None is made by itself. Make one every week at least.',
  alsoElsewhere: 'Each is copied to another place too.',
  notElsewhere: 'The newest one could not be copied to the other place. Tell whoever looks after the server.',
  failed: (moment: string) => `The one that was begun ${isolate(moment)} failed. Try again; see also “The server”.`,
  late: 'The newest one is older than it should be, or the last try failed. See “The server”.',
  elsewhere: 'The database of this server is in Postgres, which is backed up on its own: ask whoever looks after it.',
  kept: 'Kept backups',
  none: 'None yet. Make the first one now.',
  kinds: {
    nightly: 'Of the night',
    before_upgrade: 'Before a new version',
    before_restore: 'Before a restore',
    asked: 'Asked for',
    brought: 'Brought here',
  },
  megabytes: (size: string) => `${size} MB`,
  students: (count: number) => many(count, { one: '1 student', other: `${count} students` }),
  damaged: 'Cannot be read',
  download: 'Download',
  downloadOf: (moment: string) => `Download that of ${moment}`,
  downloadTitle: (moment: string) => `Download the backup of ${isolate(moment)}`,
  downloadText:
    'Whoever has this file has everything. Keep it where only you reach it, such as a disk in a locked drawer.',
  keepElsewhere:
    'These lie on the same computer. Download one now and then, and keep it elsewhere: a fire or a thief takes them all.',
}
