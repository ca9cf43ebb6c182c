import { describe, expect, test } from 'vitest'
import { pathOfFile } from '#app/export/names.ts'
import { exportedColumns, exportedTables } from '#app/export/plan.ts'

describe('the path of a file in an archive', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['..', ''],
    ['a\\b:c*d?.png', 'a_b_c_d_.png'],
    ['تعودة של 2026.pdf', 'تعودة של 2026.pdf'],
    ['gnp\u202E.exe', 'gnp_.exe'],
    ['line\nbreak\0.csv', 'line_break_.csv'],
    [' name. . ', 'name'],
    [`${'ا'.repeat(300)}.docx`, `${'ا'.repeat(45)}.docx`],
    [`${'x'.repeat(49)}👩‍🏫`, `${'x'.repeat(49)}\uFFFD`],
  ])('of %j', (given, safe) => {
    const path = pathOfFile('01', given)
    expect(path).toBe(`files/01-${safe}`)
    expect(Buffer.byteLength(path.slice(6)) + 34).toBeLessThan(255)
  })
})

test('an export has the tables of institutes, and of others those that say so', () => {
  const tables = exportedTables({
    pupil: { kind: 'tenant' },
    institute: { kind: 'self', secrets: ['motto'] },
    account: { kind: 'shared', exported: { of: 'member', column: 'account_id', columns: ['id', 'email'] } },
    country: { kind: 'shared' },
    happening: { kind: 'system', exported: true },
    task: { kind: 'system' },
  })
  const all = ['id', 'tenant_id', 'email', 'motto', 'password_hash', 'search_text']
  expect(tables.map((table) => [table.name, table.rows, exportedColumns(table, all)])).toEqual([
    ['account', { of: 'member', column: 'account_id' }, ['id', 'email']],
    ['happening', { tenantColumn: 'tenant_id' }, ['id', 'email', 'motto']],
    ['institute', { tenantColumn: 'id' }, ['id', 'email']],
    ['pupil', { tenantColumn: 'tenant_id' }, ['id', 'email', 'motto']],
  ])
})
