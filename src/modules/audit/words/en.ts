/** The heads of the history’s file. */
export const heads = {
  when: 'When',
  who: 'Who',
  what: 'What happened',
  record: 'Record',
  before: 'Before',
  after: 'After',
  action: 'Code',
}
export type Heads = typeof heads
