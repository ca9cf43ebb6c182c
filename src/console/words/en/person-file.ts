import { isolate } from '../../../shared/isolate.ts'

/** All that is kept of one person, as a file. */
export const personFile = {
  theirData: 'Their data…',
  title: (name: string) => `What is kept of ${isolate(name)}`,
  about:
    'A person may ask what you keep of them. The file has all of it: a page that every browser opens, the same for programs, and the uploaded files.',
  holds: 'It also has what staff noted and nobody else reads. Look at it before you hand it over.',
  others: 'Of others in the family it has only the names.',
  logged: 'The history says that you took it.',
  save: 'Save everything we keep',
}
