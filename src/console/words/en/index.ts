import { account } from './account.ts'
import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import { attendance } from './attendance.ts'
import { backups } from './backups.ts'
import { branches } from './branches.ts'
import { calls } from './calls.ts'
import { card } from './card.ts'
import { cheques } from './cheques.ts'
import { closures } from './closures.ts'
import { courses } from './courses.ts'
import { curriculum } from './curriculum.ts'
import { directory } from './directory.ts'
import { discounts } from './discounts.ts'
import { edit } from './edit.ts'
import { erasure } from './erasure.ts'
import { factor } from './factor.ts'
import { family } from './family.ts'
import { features } from './features.ts'
import { fees } from './fees.ts'
import { files } from './files.ts'
import { find } from './find.ts'
import { first } from './first.ts'
import { gradebook } from './gradebook.ts'
import { groups } from './groups.ts'
import { history } from './history.ts'
import { imports } from './imports.ts'
import { inbox } from './inbox.ts'
import { institute } from './institute.ts'
import { invoices } from './invoices.ts'
import { keys } from './keys.ts'
import { lanName } from './lan-name.ts'
import { leads } from './leads.ts'
import { lesson } from './lesson.ts'
import { licenses } from './licenses.ts'
import { mail } from './mail.ts'
import { members } from './members.ts'
import { merge } from './merge.ts'
import { messages } from './messages.ts'
import { messageTexts } from './message-texts.ts'
import { own } from './own.ts'
import { payment } from './payment.ts'
import { people } from './people.ts'
import { personFile } from './person-file.ts'
import { plan } from './plan.ts'
import { plans } from './plans.ts'
import { platform } from './platform.ts'
import { platformFigures } from './platform-figures.ts'
import { platformWork } from './platform-work.ts'
import { proposals } from './proposals.ts'
import { refusals } from './refusals.ts'
import { register } from './register.ts'
import { reporting } from './reporting.ts'
import { reports } from './reports.ts'
import { restores } from './restores.ts'
import { looking } from './looking.ts'
import { roles } from './roles.ts'
import { rollover } from './rollover.ts'
import { https } from './https.ts'
import { network } from './network.ts'
import { server } from './server.ts'
import { settings } from './settings.ts'
import { standing } from './standing.ts'
import { till } from './till.ts'
import { today } from './today.ts'
import { updates } from './updates.ts'
import { waiting } from './waiting.ts'
import { webhooks } from './webhooks.ts'
import { website } from './website.ts'
import { week } from './week.ts'

export const en = {
  ...first,
  account,
  accounts,
  apiKeys,
  attendance,
  backups,
  branches,
  calls,
  card,
  cheques,
  closures,
  courses,
  curriculum,
  directory,
  discounts,
  edit,
  erasure,
  factor,
  family,
  features,
  fees,
  files,
  find,
  gradebook,
  groups,
  history,
  imports,
  inbox,
  institute,
  invoices,
  keys,
  lanName,
  leads,
  lesson,
  licenses,
  mail,
  members,
  merge,
  messages,
  messageTexts,
  own,
  payment,
  people,
  personFile,
  plan,
  plans,
  platform,
  platformFigures,
  platformWork,
  proposals,
  refusals,
  register,
  reporting,
  reports,
  restores,
  looking,
  roles,
  rollover,
  https,
  network,
  server,
  settings,
  standing,
  till,
  today,
  updates,
  waiting,
  webhooks,
  website,
  week,
}
