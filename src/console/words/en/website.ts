import { isolate } from '../../../shared/isolate.ts'

/** The registration form on the institute's own website. */
export const website = {
  title: 'Form on your website',
  about: 'Families fill it in on your website, and arrive among the enquiries.',
  isOpen: 'Families may register on the website',
  isOpenAbout: 'Where it is off, the form says that registration is closed.',
  opened: 'Families may register on the website now.',
  closed: 'The form on the website says now that registration is closed.',
  add: 'Put it on a website',
  site: 'Address of your website',
  siteHint: 'The form works on this website alone.',
  siteWrong: 'Type the address of the website, such as www.example.org.',
  makeLine: 'Make the line to copy',
  line: 'Paste this line where the form is to stand',
  lineHint:
    'Whoever looks after your website can do it. It is shown this once: if it gets lost, end it below and make another one.',
  near: (address: string) =>
    `This server is known as ${isolate(address)}, which visitors of a website cannot reach. The form works once it has an https address of its own.`,
  preview: 'How it will look',
  sites: 'Websites that have it',
  sitesNone: 'No website has it yet.',
  neverUsed: 'Nobody has opened it there yet',
  lastUsed: (moment: string) => `Last used ${moment}`,
  end: 'End',
  endOf: (site: string) => `End the form on ${isolate(site)}`,
  endTitle: (site: string) => `End the form on ${isolate(site)}?`,
  endText: 'The form there works no more, at once and for good. The enquiries that came by it stay.',
  ended: (site: string) => `The form on ${isolate(site)} is ended.`,
}
