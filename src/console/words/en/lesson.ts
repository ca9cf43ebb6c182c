import { isolate } from '../../../shared/isolate.ts'

/** What a lesson is about, and its homework. */
export const lesson = {
  title: 'This lesson',
  last: (day: string) => `Last lesson, ${isolate(day)}`,
  goTo: 'Topic and homework',
  topic: 'Topic',
  topicHint: 'Students and their families can read it, the homework too.',
  homework: 'Homework',
  dueOn: 'Due on',
  dueNext: (day: string) => `For the next lesson, ${isolate(day)}`,
  dueToday: 'Due today',
  due: (day: string) => `due ${isolate(day)}`,
  dueBefore: 'Homework cannot be due before the lesson.',
  note: 'Note',
  noteHint: 'For staff alone. Families never see it.',
  save: 'Save the lesson',
  saved: 'The lesson is saved.',
  meanwhile: (text: string) => `Somebody else wrote meanwhile: ${isolate(text)}`,
  cleared: 'Somebody else has cleared this meanwhile.',
  none: 'Nothing has been written yet.',
}
