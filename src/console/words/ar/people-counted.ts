import { plural } from '../plural.ts'

const many = plural('ar')

/** «شخص واحد»، «شخصان»… */
export const peopleOf = (count: number): string =>
  many(count, {
    zero: 'لا أحد',
    one: 'شخص واحد',
    two: 'شخصان',
    few: `${count} أشخاص`,
    many: `${count} شخصًا`,
    other: `${count} شخص`,
  })

/** بعد حرف جر. */
export const toPeople = (count: number): string => (count === 2 ? 'شخصين' : peopleOf(count))
