/** What a plan says to the people of an institute. */
export const en = {
  /** Why an institute is locked whose subscription ended. */
  autoLocked: 'The subscription ended and was not renewed.',
}

export type PlanWords = typeof en
