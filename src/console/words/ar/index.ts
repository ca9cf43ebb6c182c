import type { Words } from '../words.ts'
import { account } from './account.ts'
import { attendance } from './attendance.ts'
import { backups } from './backups.ts'
import { branches } from './branches.ts'
import { closures } from './closures.ts'
import { courses } from './courses.ts'
import { directory } from './directory.ts'
import { edit } from './edit.ts'
import { family } from './family.ts'
import { fees } from './fees.ts'
import { files } from './files.ts'
import { find } from './find.ts'
import { first } from './first.ts'
import { groups } from './groups.ts'
import { imports } from './imports.ts'
import { inbox } from './inbox.ts'
import { institute } from './institute.ts'
import { invoices } from './invoices.ts'
import { keys } from './keys.ts'
import { leads } from './leads.ts'
import { mail } from './mail.ts'
import { members } from './members.ts'
import { merge } from './merge.ts'
import { payment } from './payment.ts'
import { people } from './people.ts'
import { refusals } from './refusals.ts'
import { register } from './register.ts'
import { reports } from './reports.ts'
import { rollover } from './rollover.ts'
import { server } from './server.ts'
import { settings } from './settings.ts'
import { standing } from './standing.ts'
import { today } from './today.ts'
import { waiting } from './waiting.ts'
import { website } from './website.ts'
import { week } from './week.ts'

export const ar: Words = {
  ...first,
  account,
  attendance,
  backups,
  branches,
  closures,
  courses,
  directory,
  edit,
  family,
  fees,
  files,
  find,
  groups,
  imports,
  inbox,
  institute,
  invoices,
  keys,
  leads,
  mail,
  members,
  merge,
  payment,
  people,
  refusals,
  register,
  reports,
  rollover,
  server,
  settings,
  standing,
  today,
  waiting,
  website,
  week,
}
