import { featureTitles } from '../../../shared/code-words/en.ts'
import { isolate } from '../../../shared/isolate.ts'

/** What an institute has switched on, and what each brings. */
export const features = {
  about: 'Each holds for the whole institute, at once. What was recorded stays when something is switched off.',
  on: (name: string) => `${isolate(name)}: on.`,
  off: (name: string) => `${isolate(name)}: off.`,
  address: 'Address for the assistant',
  addressHint:
    'Type it into the assistant as a “connector” or “MCP server”. It then asks each person to sign in and to let it in.',
  guide: 'How an assistant is connected (in English)',
  allGrants: 'Assistants that were let in',
  noGrants: 'Nobody has let an assistant in.',
  inNameOf: (name: string) => `In the name of ${isolate(name)}`,
  inNameAs: (name: string, roles: string) =>
    `In the name of ${isolate(name)}: may do what this role may (${isolate(roles)})`,
  each: {
    mcp: {
      title: featureTitles.mcp,
      text: 'Whoever you let may work through an assistant: find, mark attendance, write invoices. It can do no more than the person, and asks before it changes money or sends.',
    },
    courses_video: {
      title: featureTitles.courses_video,
      text: 'Lessons to watch at home: the office puts them together, families watch and tick them off.',
    },
    basic_reports: {
      title: featureTitles.basic_reports,
      text: 'Reports on a student, certificates and statements, for the office and for families.',
    },
    advanced_reports: {
      title: featureTitles.advanced_reports,
      text: 'The pages below “Reports”: attendance, income, debts, enrolment, hours of teachers.',
    },
    integration_api: {
      title: featureTitles.integration_api,
      text: 'Keys for other programs, updates to them, and the form on your website.',
    },
    sms_notifications: {
      title: featureTitles.sms_notifications,
      text: 'Messages to families by SMS, through a provider that you set up under “Messages and their texts”.',
    },
    whatsapp_notifications: {
      title: featureTitles.whatsapp_notifications,
      text: 'Messages to families by WhatsApp, through a provider that you set up under “Messages and their texts”.',
    },
    byo_email_provider: {
      title: featureTitles.byo_email_provider,
      text: 'Messages to families go through a service for large numbers of mails, in the place of the mailbox.',
    },
    byo_push_provider: {
      title: featureTitles.byo_push_provider,
      text: 'Messages to an app of the institute’s own on the phones of families.',
    },
  },
}
