/** Why a row of an import, or its whole file, was refused, and what to do: for the file of refused rows and for the console. */
export const importReasons = {
  file_gone: 'the file is gone',
  not_a_table: 'the file is no table that can be read',
  old_workbook:
    'is a workbook of Excel before 2007 (.xls), or one with a password: open it in a spreadsheet program, save it as an Excel workbook (.xlsx) without a password, and import that',
  empty_file: 'the file is empty',
  too_many_rows: 'more than 50,000 rows',
  too_many_columns: 'more than 200 columns',
  too_large: 'the file is too large to be read',
  reader_ended:
    'reading the file took more than the server gives to one file, twice: save it anew with this table alone, or as CSV',
  column_missing: 'this column is missing',
  column_unknown: 'the file has no such column',
  permission_missing: 'you may not change this',
  no_longer_allowed: 'whoever began the import may not do this any more',
  rows_refused: 'nothing was written, because rows were refused',
  server_error: 'the server could not finish',
  formula_without_value:
    'is a formula without a result: open the file in a spreadsheet program, save it, and import it again',
  missing: 'is missing',
  too_long: 'is too long',
  not_valid: 'cannot be stored as it is',
  not_a_date: 'is no date',
  ambiguous_date: 'could be two dates: in this column some have the day first and others the month',
  in_future: 'is still to come',
  not_a_phone: 'is no phone number',
  not_an_email: 'is no email address',
  not_an_amount: 'is no amount, or could be two: write 1234.50',
  negative_amount: 'is less than nothing',
  not_a_choice: 'is none of the words that are known here',
  wrong_number: 'must be S- and 6 digits',
  identity_missing:
    'nothing tells who it is: a student number, an identity number, or the name with a phone or a date of birth',
  number_of_another: 'another student has this number',
  ambiguous: 'fits several records',
  too_many_of_one: 'the file has more than 100 rows of this person',
  unknown_student: 'there is no such student',
  unknown_group: 'there is no such group',
  unknown_branch: 'there is no such branch',
  out_of_reach: 'belongs to a branch that you do not reach',
  balance_exists: 'the student has another opening balance already: void its invoice first',
  quota_exceeded: 'the plan has no room for more',
  guardian_phone_taken: 'the phone is of a guardian whom you do not reach',
  guardian_name_differs:
    'a guardian of another name has this phone: write their name as it is there, or say that whoever has the phone is to be linked',
  own_account_link: 'nobody makes themself a guardian',
  status_move_refused: 'the student cannot move to this status',
  student_numbers_used_up: 'there is no student number left',
  cannot_enroll: 'the student or the group takes no enrolment now',
  group_full: 'the group is full',
  sums_full: 'the sum is too large',
  refused: 'cannot be stored',
}

/** What there is to tell of rows that were not refused. */
export const importNotes = {
  totals: 'was taken for a total below the list, and not read',
  guardian_without_phone:
    'the second parent of one phone was added without it, as a further contact: add a phone of their own',
}
