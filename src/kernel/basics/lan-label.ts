/** No vowels, so that chance makes no word, and nothing that is read as something else. */
export const LABEL_LETTERS = 'bcdfghjkmnpqrstvwxz23456789'
export const LABEL_LENGTH = 10
const FORM = new RegExp(`^[${LABEL_LETTERS}]{${LABEL_LENGTH}}$`)

/** Whether it has the form of a name that a vendor gives to a server, without the zone. */
export const isLabel = (text: string): boolean => FORM.test(text)
