/** Keeps text of either direction whole within a sentence, so that neither changes the order of the other (FSI … PDI). */
export const isolate = (text: string | number): string => `\u2068${text}\u2069`
