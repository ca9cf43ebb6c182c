import { isolate } from '../../../shared/isolate.ts'

/** The progress reports of a student. */
export const reports = {
  title: 'Progress reports',
  none: 'No report has been written yet.',
  write: 'Write a report',
  writeTitle: (name: string) => `Progress report of ${isolate(name)}`,
  from: 'From',
  to: 'To',
  missing: 'Say which day.',
  backwards: 'The last day has to be later than the first.',
  comment: 'What you want to say',
  commentHint: 'Attendance and exam results of the period are added by themselves.',
  save: 'Save as a draft',
  written: 'The draft is there. Look at it as PDF, then send it.',
  draft: 'Draft',
  sentOn: (day: string) => `Sent on ${isolate(day)}`,
  send: 'Send',
  sendTitle: (name: string) => `Send the report of ${isolate(name)}?`,
  sendText: 'The student and the guardians are told. A report that was sent stays as it is.',
  sent: 'The report is sent.',
  remove: 'Delete',
  removeTitle: 'Delete this draft?',
}
