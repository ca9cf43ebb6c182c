import { account } from './account.ts'
import { attendance } from './attendance.ts'
import { courses } from './courses.ts'
import { edit } from './edit.ts'
import { family } from './family.ts'
import { find } from './find.ts'
import { first } from './first.ts'
import { groups } from './groups.ts'
import { inbox } from './inbox.ts'
import { leads } from './leads.ts'
import { people } from './people.ts'
import { refusals } from './refusals.ts'
import { register } from './register.ts'
import { today } from './today.ts'
import { week } from './week.ts'

export const en = {
  ...first,
  account,
  attendance,
  courses,
  edit,
  family,
  find,
  groups,
  inbox,
  leads,
  people,
  refusals,
  register,
  today,
  week,
}
