import { v7 } from 'uuid'

/** A new UUID v7. Ids of one process rise in the order in which they were made, so they insert cheaply and sort by age. */
export const newId = (): string => v7()
