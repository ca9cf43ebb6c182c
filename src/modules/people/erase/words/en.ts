export const en = {
  /** Stands where the first name of a person stood who was erased; the last name is a number. */
  erased: 'Erased',
}

export type EraseWords = typeof en
