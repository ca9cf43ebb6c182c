export interface About {
  /** That of the institute. It is not isolated: a text file for any editor has no marks of direction. */
  name: string
  createdAt: string
}

export const en = {
  /** What is what, for whoever opens the archive in years. */
  readme: ({ name, createdAt }: About): string => `Export of ${name}, as of ${createdAt} (UTC)

csv/       A file for each table, for spreadsheet programs: UTF-8, commas, the first line names the columns.
           A text that a program could take for a formula (it begins with = + - @, a tab or a return) has an
           apostrophe in front of it, which is not part of the text. Phone numbers begin with +.
json/      The same tables with nothing changed, for programs: an array, a record on each line.
files/     Uploaded files. Each name begins with the id under which json/file.json describes the file.
manifest.json  What is in the archive: rows and columns of each table; size and SHA-256 of each entry; files whose
           bytes were missing when the archive was made.

All tables show one moment; the files are those of that moment. Money is in the smallest unit of the currency: 45000 of
ILS is 450.00 shekels. Times are in UTC, dates are the institute's own. A column whose name ends in _id names a record
of another table by its id. user.csv has the accounts of members. Passwords, keys and other secrets are left out.
The archive contains personal data: keep it where nobody else can read it.
`,
}

export type ExportWords = typeof en
