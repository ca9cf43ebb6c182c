import { isolate } from '../../../shared/isolate.ts'

/** Where others open the program. */
export const network = {
  title: 'Other computers and phones',
  about: 'Here the teachers, the office and whoever is in the building open the program. Nothing has to be installed.',
  print: 'Print the poster',
  poster: 'Poster',
  code: (url: string) => `Code that leads to ${isolate(url)}`,
  join: 'Join the Wi-Fi of the institute.',
  scan: 'Point the camera of the phone at the code.',
  type: 'Or type this into the browser, at the top:',
  or: 'or',
  also: 'It also opens at',
  ofName: 'By its name. Newer devices find it in the same network; older phones may not.',
  ofNetwork: 'In the same network.',
  ofAll: 'From everywhere.',
  none: 'This server does not know at which address others reach it. Whoever looks after it sets the address (INSTITUTE_BASE_URL).',
}
