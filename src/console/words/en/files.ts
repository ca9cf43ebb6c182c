import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** Files that are attached to a record. */
export const files = {
  title: 'Files',
  none: 'No file has been added yet.',
  add: 'Add files',
  drop: 'Drop files here to add them',
  added: (name: string) => `Added: ${isolate(name)}`,
  sending: (name: string) => `Sending ${isolate(name)}…`,
  faults: {
    type: (name: string) =>
      `${isolate(name)} is of a kind that is not taken. PDF, pictures, Word and Excel files and CSV are.`,
    size: (name: string) => `${isolate(name)} is too large. A file may have 20 MB.`,
    empty: (name: string) => `${isolate(name)} is empty.`,
    content: (name: string) => `${isolate(name)} is damaged, or not what its name says.`,
  },
  failed: (name: string) => `${isolate(name)} was not added.`,
  remove: (name: string) => `Delete ${isolate(name)}`,
  removeTitle: (name: string) => `Delete ${isolate(name)}?`,
  removeText: 'It cannot be brought back.',
  verb: 'Delete',
  removed: (name: string) => `Deleted: ${isolate(name)}`,
  photo: 'Take a photo',
  lessonHint: 'The students of this lesson and their families can read them.',
  examHint: 'Families can read them once the results are published.',
  count: (count: number) => many(count, { one: '1 file', other: `${count} files` }),
  countOf: (count: number, title: string) =>
    many(count, { one: `1 file: ${isolate(title)}`, other: `${count} files: ${isolate(title)}` }),
  gone: 'These files have been removed.',
}
