import { acts } from '../../../shared/act-words/en.ts'

/** Who changed what, in sentences: {who} {did} {what}. */
export const history = {
  title: 'What happened',
  about: 'Every change leaves an entry here, which nobody can alter.',
  none: 'Nothing has happened that fits.',
  who: 'Who',
  anybody: 'Anybody',
  what: 'What',
  anything: 'Anything',
  from: 'From',
  to: 'Until',
  filters: 'Who, what and when',
  clear: 'Show everything',
  onlyThis: 'Only this one',
  ofOne: 'You see what happened to one record.',
  open: 'Open',
  ...acts,
}
