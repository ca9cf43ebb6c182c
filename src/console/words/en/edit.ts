import { isolate } from '../../../shared/isolate.ts'

/** Changing a record where it stands. */
export const edit = {
  none: 'not known',
  empty: 'none',
  change: (what: string) => `Change: ${what}`,
  notAccepted: 'This cannot be saved as it is. Check what you typed.',
  missing: 'This cannot be empty.',
  notNumber: 'Type a number.',
  conflict: (now: string) => `Somebody else changed it meanwhile. It is now: ${isolate(now)}`,
  conflictEmpty: 'Somebody else has emptied it meanwhile.',
  saveMine: 'Save mine',
}
