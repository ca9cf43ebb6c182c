/** So many of a kind are counted of what a restore would take back: the number says that there are as many, or more. */
export const MOST_COUNTED = 5000
