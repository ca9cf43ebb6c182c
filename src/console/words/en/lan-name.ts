import { isolate } from '../../../shared/isolate.ts'

/** The name by which the local network finds the server. */
export const lanName = {
  title: 'The name in your network',
  choose: 'Choose a name',
  found: 'Newer computers and phones in the same network find the program under this name.',
  notYet: 'The network has not confirmed this name yet. Is the computer connected to it?',
  none: 'The program has no name in the network: it opens at its number alone.',
  former: (day: string) => `The name before. It leads here until ${isolate(day)}.`,
  fixed:
    'The name comes from the settings of the server (INSTITUTE_LAN_NAME): whoever looks after it changes it there.',
  otherHas: (wanted: string, name: string) =>
    `Another device in your network is called ${isolate(wanted)}, so this server is called ${isolate(name)}.`,
  name: 'Name',
  hint: 'Latin letters, digits and hyphens, such as school-nablus. It then opens at school-nablus.local.',
  wrong: 'Only a to z, digits and hyphens between them, without spaces, up to 60; and not a name such as localhost.',
  taken: 'Another device in your network has this name already. Choose another one.',
  takeFree: (name: string) => `Take ${isolate(name)}`,
  take: 'Take this name',
  former30: 'The name before leads here for 30 more days, so that open pages and posters on the wall go on working.',
  follows: 'Links, codes and the poster have the new name at once: print the poster anew.',
  anew: 'Passkeys, notifications and the program on the home screen belong to a name: set them up again under the new one.',
  asking: 'Your network is being asked whether the name is free. That takes a few seconds.',
  done: (name: string) => `The program opens at ${isolate(name)} from now on.`,
}
