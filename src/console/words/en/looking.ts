import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** Looking at the console as somebody of a role sees it. */
export const looking = {
  begin: 'See the console as a role',
  titleOf: (role: string) => `See the console as ${isolate(role)}`,
  about:
    'You see what somebody sees who gets this role now, for a quarter of an hour and in this tab alone. Nothing can be changed meanwhile.',
  whole: 'Whole institute',
  verb: 'Look',
  as: (role: string, branch: string | undefined) =>
    branch === undefined
      ? `You are looking as ${isolate(role)}: nothing can be changed.`
      : `You are looking as ${isolate(role)} in ${isolate(branch)}: nothing can be changed.`,
  left: (minutes: number) => many(minutes, { one: '1 minute left.', other: `${minutes} minutes left.` }),
  ofTeacher: 'Teachers find their own groups and lessons here. You have none while you look.',
  teacherDay: 'Teachers find their lessons of today here, the one that runs now first, and mark attendance in each.',
  ofGuardian: 'Parents find their own children here. You have none while you look.',
  ofStudent: 'Students find their own groups, marks and invoices here. You have none while you look.',
  end: 'End',
  over: 'Looking as this role is over: the time was up, or the role or what you may do has changed. You are working as yourself again.',
  noAccount:
    'Everybody has their own account here: name, password, devices. Yours is not shown while you look as a role.',
}
