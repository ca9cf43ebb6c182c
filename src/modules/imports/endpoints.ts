import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { content } from '#kernel/values/media.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { refusedCsv } from './refused-file.ts'
import { ImportRunning, removeImport } from './remove.ts'
import { Import, ImportQuery, NewImport } from './schemas.ts'
import { requestImport, TooManyImports, toImport } from './service.ts'
import { listImports, reachedImport } from './sight.ts'

/** Who sees an import. */
const SEEN =
  'An import is seen by who has the permissions that its rows need (see POST /imports; guardians.write where they had guardians) for the whole institute. Who has one of them for some branches only sees those that they asked for.'

export const importEndpoints = [
  change({
    id: 'imports.create',
    method: 'POST',
    path: '/imports',
    summary: 'Import a file of students, staff, enrolments or opening balances',
    description: [
      'Reads a table that was uploaded (POST /files/upload-url, POST /files/complete, kind `document`) and answers at once; ask GET /imports/{id} how far it is. It goes on when the server is started again. The rows are written in the name of the caller, with the rights that the caller has while it runs.',
      'A file has up to 50,000 rows and 200 columns. Its first bytes say what it is, whatever it is called: CSV or TSV in UTF-8, UTF-16, windows-1255 or windows-1256, with commas, semicolons or tabs, or what a first line `sep=` says; XLSX; ODS; XML of Excel 2003; a page with a table. Workbooks of Excel before 2007 are refused (`old_workbook`). The heads stand in the first row in which at least two are known, else in the first that is not empty; what stands above is not read. Rows after an empty one with one cell at the most, or whose first cell says so (`Total`, `סה״כ`, `المجموع`), are totals: they are told, and not read. Of a workbook the first sheet is read: formulas count as their last result, a row with a formula whose result the file does not hold is refused (`formula_without_value`), and nothing in it is run. Numbers are days, times or amounts by the format of their cell. A file is read by a process of its own with limits of memory and time: one that takes more, twice, fails (`reader_ended`). Columns are matched by their heads in English, Arabic and Hebrew, those of the lists of this server among them, and those of the import templates of Gibbon and RosarioSIS; columns that are not known are told in `unknown`. Dates of a column have one order, which any of its rows proves, else the day first; where rows prove both, those that could be either are refused (`ambiguous_date`). Amounts are as they are typed, digits Arabic; a dash, `0`, `none`, `אין` and `لا يوجد` are empty cells. Names are compared without blanks, hyphens and marks, identity numbers without what stands between their digits.',
      'Rows of `students` may hold guardians: `guardian`, `guardian2`, `mother` and `father`, each with a phone; they are added by it and linked, the first as primary contact and payer. Whoever has the phone under another name is refused (`guardian_name_differs`), unless `knownPhone` of the row or of the import is `link`; a second parent of one phone is added without it, as a further contact, and told. A guardian of whom a row has the phone alone gets the child’s last name. A new student is active unless the column of the status says otherwise. A row is of a student who is there already by the student number, else the identity number, else the name with the phone, a guardian’s phone or the date of birth; of staff by email or phone with the name. What differs is changed, cells that are empty change nothing, and a file that is imported again changes nothing. A row of `balances` makes an issued invoice; a student has one opening balance in each currency. Families get no message when it is issued or falls overdue, for it is no news to them; reminders (POST /invoices/{id}/remind) go out as for any invoice, and webhooks get the events.',
      'In mode `all` every row is tried first, and when one is refused nothing is written. Then they are written a few at a time, so that others can work: a row that something else has made wrong meanwhile is refused by itself. A dry run tries rows a few at a time too, and tells what the import would do: rows of one person are tried together, and room in the plan and places in groups are counted over the whole file. Of one person a file may have 100 rows; those after them are refused.',
      'Besides students.write it needs what the rows need: guardians.write for guardians, staff.write, enrollments.write, or invoices.write for balances. Rows reach the branches that the caller reaches.',
      'One import of an institute runs at a time, in the order in which they were asked for; eight may be under way or wait. What is kept of refused rows counts in the plan’s maxStorageBytes, and an import begins while there is room.',
    ].join('\n\n'),
    access: 'students.write',
    body: NewImport,
    status: 202,
    reply: Import,
    fails: [NotFound, QuotaExceeded, TooManyImports],
    handle: ({ tx, caller, request: { requestId, ip }, body }) =>
      requestImport(tx, { caller, asker: { actor: tx.actor, channel: caller.channel, requestId, ip }, body }),
  }),
  read({
    id: 'imports.list',
    path: '/imports',
    summary: 'List imports',
    description: `Newest first. ${SEEN}`,
    access: 'students.write',
    query: ImportQuery,
    reply: pageOf(Import),
    handle: listImports,
  }),
  read({
    id: 'imports.read',
    path: '/imports/{id}',
    summary: 'Read how an import stands',
    description: SEEN,
    access: 'students.write',
    reply: Import,
    handle: async (context) => toImport(await reachedImport(context, context.params.id)),
  }),
  read({
    id: 'imports.refused',
    path: '/imports/{id}/refused',
    summary: 'Fetch the rows that an import refused',
    description:
      'A CSV with the columns of the file, the number of the row and why it was refused, in the language of Accept-Language or of the institute: to mend, and to import again. They are kept for 30 days; of dry runs, and of imports in mode `all` that wrote nothing, those of the last three.',
    access: 'students.write',
    reply: content(['text/csv']),
    handle: async (context) => {
      const { whole, tenant, params, request } = context
      const row = await reachedImport(context, params.id)
      const locale = request.locale(tenant.defaultLocale)
      return {
        type: 'text/csv; charset=utf-8',
        body: await refusedCsv(whole, row, locale),
        download: `refused-${row.created_at.slice(0, 10)}.csv`,
      }
    },
  }),
  change({
    id: 'imports.delete',
    method: 'DELETE',
    path: '/imports/{id}',
    summary: 'Remove an import',
    description:
      'With all that it keeps of the rows that it refused. One that has not begun never begins; one that runs is 409. What it wrote stays, and so does the file (DELETE /files/{id}).',
    access: 'students.write',
    reply: Ok,
    fails: [ImportRunning],
    handle: ({ tx, caller, params }) => removeImport(tx, caller, params.id),
  }),
]
