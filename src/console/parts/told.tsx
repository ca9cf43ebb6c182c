/**
 * A sentence, in which the values that its words isolate may break anywhere: an address may be longer than the line. They keep
 * their marks, so that the sentence reads the same when it is copied.
 */
export const Told = ({ children }: { children: string }) =>
  children.split(/(\u2068[^\u2069]*\u2069)/).map((piece, index) =>
    // What stands in a sentence changes with the sentence.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <bdi key={index}>{piece}</bdi> : piece,
  )
