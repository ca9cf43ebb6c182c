/** What people call a list, by the last part of its path; one that has none is called by that part. */
export type Titles = Readonly<Record<string, string>>
