import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** The days on which the institute is closed. */
export const closures = {
  title: 'Closed days',
  about: 'On these days there are no lessons.',
  previous: 'The year before',
  next: 'The year after',
  yearOf: (year: number) => `The year ${year}`,
  listTitle: (year: number) => `Closed in ${year}`,
  noneYet: 'Nothing is closed in this year yet.',
  add: 'Close days',
  change: (name: string) => `Closed: ${isolate(name)}`,
  moreOf: (name: string) => `More: ${isolate(name)}`,
  dayClosed: (day: string, name: string) => `${day}, closed: ${isolate(name)}`,
  name: 'What for',
  nameHint: 'Families read it as the reason, such as Eid al-Fitr or winter holidays.',
  nameMissing: 'Type what for.',
  from: 'First day',
  to: 'Last day',
  toHint: 'Leave it empty for one day.',
  dayMissing: 'Type the first day.',
  endFirst: 'The last day is before the first.',
  where: 'Where',
  everywhere: 'All branches',
  isBilled: 'Fees by the lesson charge these lessons all the same',
  close: 'Close',
  closeFollows:
    'Lessons on these days are cancelled. Families and teachers whom a message reaches get one for all of them.',
  changeFollows: 'Lessons on days that are open again come back; those on days that are closed now are cancelled.',
  saved: (name: string, lessons: number) =>
    many(lessons, {
      one: `${isolate(name)} is saved: 1 lesson is cancelled.`,
      other: `${isolate(name)} is saved: ${lessons} lessons are cancelled.`,
    }),
  cancelled: (lessons: number) => many(lessons, { one: '1 lesson cancelled', other: `${lessons} lessons cancelled` }),
  reopen: 'Open again',
  reopenAsk: (name: string) => `Open again: ${isolate(name)}?`,
  reopenFollows: (lessons: number) =>
    many(lessons, {
      one: 'The lesson that it cancelled takes place after all, and its people are told.',
      other: `The ${lessons} lessons that it cancelled take place after all, and their people are told.`,
    }),
  reopened: (name: string) => `${isolate(name)}: these days are open again.`,
  holidays: 'Holidays to come',
  legend: 'Filled: closed. A line below the day: a holiday on which it is still open.',
  holidaysAbout: 'Tick those on which you close.',
  closeTicked: (count: number) =>
    count === 0 ? 'Close those ticked' : many(count, { one: 'Close 1 holiday', other: `Close ${count} holidays` }),
  closedHolidays: (count: number) =>
    many(count, { one: '1 holiday is closed.', other: `${count} holidays are closed.` }),
  calendars: {
    country: 'Of the country',
    muslim: 'Muslim',
    jewish: 'Jewish',
    western: 'Christian (Western)',
    eastern: 'Christian (Eastern)',
  },
  upToTheMoon: 'Up to the moon',
}
