import { describe, expect, test } from 'vitest'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { ScopeRefusal } from '#db/scope/reach.ts'
import { outside, scoped } from '#db/scope/scope.ts'
import type { Reach } from '#kernel/rights/permissions.ts'
import type { TableRules } from '#kernel/contract/tables.ts'

const rules: TableRules = {
  student: {
    kind: 'tenant',
    branch: { column: 'branch_id' },
    group: { link: 'enrollment', key: 'student_id', column: 'group_id', of: 'group' },
  },
  group: { kind: 'tenant', branch: { column: 'branch_id' }, group: { column: 'id' } },
  enrollment: {
    kind: 'tenant',
    branch: { column: 'group_id', of: 'group' },
    group: { column: 'group_id', of: 'group' },
  },
  guardian: {
    kind: 'tenant',
    branch: { link: 'guardian_link', key: 'guardian_id', column: 'student_id', of: 'student' },
  },
  guardian_link: { kind: 'tenant', branch: { column: 'student_id', of: 'student' } },
  student_tag: {
    kind: 'tenant',
    branch: { column: 'student_id', of: 'student' },
    group: { column: 'student_id', of: 'student' },
  },
  file: { kind: 'tenant', branch: { any: [{ column: 'student_id', of: 'student' }, { column: 'branch_id' }] } },
  course: { kind: 'tenant' },
  tenant: { kind: 'self' },
  user: { kind: 'shared', insertable: true },
  plan: { kind: 'shared' },
  auth_session: { kind: 'system' },
}

// oxlint-disable-next-line typescript/no-explicit-any -- the tables here are the test's own
const plain = new Kysely<any>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
// oxlint-disable-next-line typescript/no-explicit-any
type Any = any
const handle = (reach: Reach = 'all', few: string[] = []): Any =>
  scoped(plain as Any, { tenantId: 'T', rules, reach, smallTables: new Set(few) })
const db = handle()
const other: Any = scoped(plain as Any, { tenantId: 'U', rules, reach: 'all' })
const shown = (query: Any): string => {
  const { sql: text, parameters } = query.compile()
  let index = 0
  return text.replaceAll('?', () => `'${String(parameters[index++])}'`).replaceAll('"', '')
}

describe('the tenant scope narrows', () => {
  test.each<[string, Any, string]>([
    ['a select', db.selectFrom('course').selectAll(), "select * from course where course.tenant_id = 'T'"],
    [
      'a subquery, and only once, wherever it stands in others',
      db.selectFrom(db.selectFrom(db.selectFrom('course').select('id').as('a')).select('a.id').as('b')).select('b.id'),
      "select b.id from (select a.id from (select id from course where course.tenant_id = 'T') as a) as b",
    ],
    [
      'a subquery that another handle has narrowed, with both',
      db.selectFrom(other.selectFrom('course').select('id').as('a')).select('a.id'),
      "select a.id from (select id from course where (course.tenant_id = 'U') and course.tenant_id = 'T') as a",
    ],
    [
      'conditions joined by or',
      db
        .selectFrom('course')
        .select('id')
        .where((eb: Any) => eb.or([eb('a', '=', 1), eb('b', '=', 2)])),
      "select id from course where ((a = '1' or b = '2')) and course.tenant_id = 'T'",
    ],
    [
      'an aliased table',
      db.selectFrom('course as c').select('c.id'),
      "select c.id from course as c where c.tenant_id = 'T'",
    ],
    [
      'two tables in FROM',
      db.selectFrom(['course', 'student']).select('course.id'),
      "select course.id from course, student where course.tenant_id = 'T' and student.tenant_id = 'T'",
    ],
    [
      'an inner join',
      db.selectFrom('course').innerJoin('group', 'group.course_id', 'course.id').select('course.id'),
      "select course.id from course inner join group on (group.course_id = course.id) and group.tenant_id = 'T' where course.tenant_id = 'T'",
    ],
    [
      'a left join, in its ON',
      db.selectFrom('course').leftJoin('group', 'group.course_id', 'course.id').select('course.id'),
      "select course.id from course left join group on (group.course_id = course.id) and group.tenant_id = 'T' where course.tenant_id = 'T'",
    ],
    [
      'a cross join',
      db.selectFrom('course').crossJoin('group').select('course.id'),
      "select course.id from course cross join group where course.tenant_id = 'T' and group.tenant_id = 'T'",
    ],
    [
      'a sub-select in WHERE',
      db.selectFrom('course').select('id').where('id', 'in', plain.selectFrom('group').select('course_id')),
      "select id from course where (id in (select course_id from group where group.tenant_id = 'T')) and course.tenant_id = 'T'",
    ],
    [
      'a sub-select in FROM',
      db.selectFrom((eb: Any) => eb.selectFrom('course').select('id').as('c')).select('c.id'),
      "select c.id from (select id from course where course.tenant_id = 'T') as c",
    ],
    [
      'a union',
      db.selectFrom('course').select('id').union(plain.selectFrom('group').select('id')),
      "select id from course where course.tenant_id = 'T' union select id from group where group.tenant_id = 'T'",
    ],
    [
      'a common table expression',
      db
        .with('_c', (q: Any) => q.selectFrom('course').select('id'))
        .selectFrom('_c')
        .select('id'),
      "with _c as (select id from course where course.tenant_id = 'T') select id from _c",
    ],
    [
      'an update',
      db.updateTable('course').set({ name: 'x' }),
      "update course set name = 'x' where course.tenant_id = 'T'",
    ],
    [
      'a delete',
      db.deleteFrom('course').where('id', '=', '1'),
      "delete from course where (id = '1') and course.tenant_id = 'T'",
    ],
    [
      'an insert, by its stamp',
      db.insertInto('course').values([{ id: '1' }, { id: '2' }]),
      "insert into course (id, tenant_id) values ('1', 'T'), ('2', 'T')",
    ],
    [
      'an upsert, stamped and narrowed',
      db
        .insertInto('course')
        .values({ id: '1' })
        .onConflict((oc: Any) => oc.column('id').doUpdateSet({ name: 'x' })),
      "insert into course (id, tenant_id) values ('1', 'T') on conflict (id) do update set name = 'x' where course.tenant_id = 'T'",
    ],
    [
      'the institute’s own record, by its id',
      db.selectFrom('tenant').select('name'),
      "select name from tenant where tenant.id = 'T'",
    ],
    [
      'an update of the institute’s own record',
      db.updateTable('tenant').set({ name: 'x' }),
      "update tenant set name = 'x' where tenant.id = 'T'",
    ],
    [
      'nothing of an insert into a shared table that is open for it',
      db
        .insertInto('user')
        .values({ id: '1' })
        .onConflict((oc: Any) => oc.doNothing()),
      "insert into user (id) values ('1') on conflict do nothing",
    ],
    ['nothing of a shared table', db.selectFrom('user').select('id'), 'select id from user'],
  ])('%s', (_, query, expected) => expect(shown(query)).toBe(expected))
})

describe('the tenant scope refuses', () => {
  test.each<[string, () => Any]>([
    ['an unknown table', () => db.selectFrom('elsewhere').selectAll()],
    ['a system table', () => db.selectFrom('auth_session').selectAll()],
    ['a table of another schema', () => db.selectFrom('other.course').selectAll()],
    ['to write tenant_id in an insert', () => db.insertInto('course').values({ id: '1', tenant_id: 'X' })],
    ['to write tenant_id in an update', () => db.updateTable('course').set({ tenant_id: 'X' })],
    [
      'an insert from a select',
      () => db.insertInto('course').columns(['id']).expression(plain.selectFrom('group').select('id')),
    ],
    ['an insert into a shared table', () => db.insertInto('plan').values({ id: '1' })],
    [
      'an upsert that would change a shared row',
      () =>
        db
          .insertInto('user')
          .values({ id: '1' })
          .onConflict((oc: Any) => oc.column('id').doUpdateSet({ name: 'x' })),
    ],
    ['an update of a shared table', () => db.updateTable('user').set({ name: 'x' })],
    ['a delete from a shared table', () => db.deleteFrom('user')],
    ['another institute’s record', () => db.insertInto('tenant').values({ id: '1' })],
    ['a delete of the institute’s own record', () => db.deleteFrom('tenant')],
    ['a replace', () => db.replaceInto('course').values({ id: '1' })],
    ['a right join', () => db.selectFrom('course').rightJoin('group', 'group.course_id', 'course.id').selectAll()],
    ['a full join', () => db.selectFrom('course').fullJoin('group', 'group.course_id', 'course.id').selectAll()],
    ['raw SQL that names rows', () => db.selectFrom('course').select(sql`(select count(*) from student)`.as('n'))],
    [
      'a CTE that hides a table',
      () =>
        db
          .with('course', (q: Any) => q.selectFrom('group').selectAll())
          .selectFrom('course')
          .selectAll(),
    ],
    ['a merge', () => db.mergeInto('course').using('group', 'group.course_id', 'course.id').whenMatched().thenDelete()],
  ])('%s', (_, query) => expect(() => query().compile()).toThrow(ScopeRefusal))
})

describe('outside every institute', () => {
  const out: Any = outside(plain as Any, rules)

  test.each<[string, Any, string]>([
    [
      'accounts are read',
      out.selectFrom('user').selectAll().where('id', '=', 'U'),
      "select * from user where id = 'U'",
    ],
    ['and made', out.insertInto('user').values({ id: 'U' }), "insert into user (id) values ('U')"],
    ['and changed', out.updateTable('user').set({ status: 'x' }), "update user set status = 'x'"],
    ['and deleted', out.deleteFrom('auth_session').where('id', '=', 'S'), "delete from auth_session where id = 'S'"],
    [
      'institutes are read, each of them',
      out.selectFrom('tenant').innerJoin('user', 'user.id', 'tenant.created_by').select('tenant.id'),
      'select tenant.id from tenant inner join user on user.id = tenant.created_by',
    ],
  ])('%s', (_, query, expected) => expect(shown(query)).toBe(expected))

  test.each<[string, () => Any]>([
    ['a select', () => out.selectFrom('student').selectAll()],
    ['an insert', () => out.insertInto('student').values({ id: 'S' })],
    ['an update', () => out.updateTable('student').set({ status: 'x' })],
    ['a delete', () => out.deleteFrom('student')],
    ['a join', () => out.selectFrom('user').innerJoin('student', 'student.user_id', 'user.id').selectAll()],
    ['an outer join', () => out.selectFrom('user').leftJoin('student as s', 's.user_id', 'user.id').select('user.id')],
    [
      'a sub-select',
      () =>
        out
          .selectFrom('user')
          .selectAll()
          .where('id', 'in', (eb: Any) => eb.selectFrom('student').select('user_id')),
    ],
    [
      'a common table expression',
      () =>
        out
          .with('_some', (cte: Any) => cte.selectFrom('student').selectAll())
          .selectFrom('_some')
          .selectAll(),
    ],
    ['a table that nobody declared', () => out.selectFrom('pupil').selectAll()],
    ['raw SQL', () => out.selectFrom(sql`(select * from student)`.as('s')).selectAll()],
  ])('%s of an institute’s rows is refused', (_, make) => expect(() => make().compile()).toThrow(ScopeRefusal))
})

describe('a branch’s reach', () => {
  const inBranch = handle({ branchIds: ['B'], groupIds: [] })
  test.each<[string, Any, string]>([
    [
      'holds a row that names its branch',
      inBranch.selectFrom('student').select('id'),
      "select id from student where student.tenant_id = 'T' and student.branch_id = 'B'",
    ],
    [
      'of several branches holds a row that names one of them',
      handle({ branchIds: ['A', 'B'], groupIds: [] })
        .selectFrom('student')
        .select('id'),
      "select id from student where student.tenant_id = 'T' and student.branch_id in ('A', 'B')",
    ],
    [
      'holds a row by the record it belongs to',
      inBranch.selectFrom('enrollment').select('id'),
      "select id from enrollment where enrollment.tenant_id = 'T' and exists (select _reach0.id from group as _reach0 where _reach0.tenant_id = 'T' and _reach0.id = enrollment.group_id and _reach0.branch_id = 'B')",
    ],
    [
      'holds a row by the records that link to it',
      inBranch.selectFrom('guardian').select('id'),
      "select id from guardian where guardian.tenant_id = 'T' and exists (select _reach0.guardian_id from guardian_link as _reach0 where _reach0.tenant_id = 'T' and exists (select _reach1.id from student as _reach1 where _reach1.tenant_id = 'T' and _reach1.id = _reach0.student_id and _reach1.branch_id = 'B') and _reach0.guardian_id = guardian.id)",
    ],
    [
      'holds a row that has several ways by any of them',
      inBranch.selectFrom('file').select('id'),
      "select id from file where file.tenant_id = 'T' and (exists (select _reach0.id from student as _reach0 where _reach0.tenant_id = 'T' and _reach0.id = file.student_id and _reach0.branch_id = 'B' limit 1 offset 0) or file.branch_id = 'B')",
    ],
    [
      'leaves rows that no branch owns',
      inBranch.selectFrom('course').select('id'),
      "select id from course where course.tenant_id = 'T'",
    ],
    [
      'holds updates too',
      inBranch.updateTable('student').set({ first_name: 'x' }),
      "update student set first_name = 'x' where student.tenant_id = 'T' and student.branch_id = 'B'",
    ],
    [
      'holds an upsert: a row that is there already stays as it is where it is out of reach',
      inBranch
        .insertInto('student')
        .values({ id: '1', branch_id: 'B' })
        .onConflict((oc: Any) => oc.column('id').doUpdateSet({ first_name: 'x' })),
      "insert into student (id, branch_id, tenant_id) values ('1', 'B', 'T') on conflict (id) do update set first_name = 'x' where student.tenant_id = 'T' and student.branch_id = 'B'",
    ],
  ])('%s', (_, query, expected) => expect(shown(query)).toBe(expected))

  test('two ways are one condition, joined by or', () => {
    const both = handle({ branchIds: ['B'], groupIds: ['G'] })
    expect(shown(both.selectFrom('group').select('id'))).toBe(
      "select id from group where group.tenant_id = 'T' and (group.branch_id = 'B' or group.id = 'G')",
    )
  })

  test('an empty reach reaches nothing', () => {
    expect(shown(handle({ branchIds: [], groupIds: [] }).selectFrom('student').select('id'))).toContain('false')
  })
})

describe('a teacher’s reach', () => {
  const ofGroup = handle({ branchIds: [], groupIds: ['G'] })
  test.each<[string, Any, string]>([
    [
      'holds the groups themselves',
      ofGroup.selectFrom('group').select('id'),
      "select id from group where group.tenant_id = 'T' and group.id = 'G'",
    ],
    [
      'holds a row that names its group',
      ofGroup.selectFrom('enrollment').select('id'),
      "select id from enrollment where enrollment.tenant_id = 'T' and enrollment.group_id = 'G'",
    ],
    [
      'holds a row by the records that link to it, beginning at the groups',
      ofGroup.selectFrom('student').select('id'),
      "select id from student where student.tenant_id = 'T' and student.id in (select _reach0.student_id from enrollment as _reach0 where _reach0.tenant_id = 'T' and _reach0.group_id = 'G')",
    ],
    [
      'holds a row by the record it belongs to, and that by those that link to it',
      ofGroup.selectFrom('student_tag').select('tag'),
      "select tag from student_tag where student_tag.tenant_id = 'T' and exists (select _reach0.id from student as _reach0 where _reach0.tenant_id = 'T' and _reach0.id = student_tag.student_id and _reach0.id in (select _reach1.student_id from enrollment as _reach1 where _reach1.tenant_id = 'T' and _reach1.group_id = 'G'))",
    ],
    [
      'holds nothing of a table from which no way leads to a group',
      ofGroup.selectFrom('guardian').select('id'),
      "select id from guardian where guardian.tenant_id = 'T' and false",
    ],
    [
      'holds a row of another teacher too, where a branch holds it',
      handle({ branchIds: ['B'], groupIds: ['G'] })
        .selectFrom('student')
        .select('id'),
      "select id from student where student.tenant_id = 'T' and (student.branch_id = 'B' or student.id in (select _reach0.student_id from enrollment as _reach0 where _reach0.tenant_id = 'T' and _reach0.group_id = 'G'))",
    ],
  ])('%s', (_, query, expected) => expect(shown(query)).toBe(expected))
})

describe('queries of a small branch start from its own rows', () => {
  const small = handle({ branchIds: ['B'], groupIds: [] }, ['student', 'group', 'file'])
  test.each<[string, Any, string]>([
    [
      'where a row belongs to a record',
      small.selectFrom('enrollment').select('id'),
      "select id from enrollment where enrollment.tenant_id = 'T' and enrollment.group_id in (select _reach0.id from group as _reach0 where _reach0.tenant_id = 'T' and _reach0.branch_id = 'B')",
    ],
    [
      'where records link to a row',
      small.selectFrom('guardian').select('id'),
      "select id from guardian where guardian.tenant_id = 'T' and guardian.id in (select _reach0.guardian_id from guardian_link as _reach0 where _reach0.tenant_id = 'T' and _reach0.student_id in (select _reach1.id from student as _reach1 where _reach1.tenant_id = 'T' and _reach1.branch_id = 'B'))",
    ],
    [
      'on each of several ways',
      small.selectFrom('file').select('id'),
      "select id from file where file.tenant_id = 'T' and file.id in (select _reach0.id from file as _reach0 where _reach0.tenant_id = 'T' and _reach0.student_id in (select _reach1.id from student as _reach1 where _reach1.tenant_id = 'T' and _reach1.branch_id = 'B') union all select _reach0.id from file as _reach0 where _reach0.tenant_id = 'T' and _reach0.branch_id = 'B')",
    ],
    [
      'unless one of them leads to many',
      handle({ branchIds: ['B'], groupIds: [] }, ['student'])
        .selectFrom('file')
        .select('id'),
      "select id from file where file.tenant_id = 'T' and (file.student_id in (select _reach0.id from student as _reach0 where _reach0.tenant_id = 'T' and _reach0.branch_id = 'B') or file.branch_id = 'B')",
    ],
    [
      'and at the groups of a teacher who manages it',
      handle({ branchIds: ['B'], groupIds: ['G'] }, ['student'])
        .selectFrom('student')
        .select('id'),
      "select id from student where student.tenant_id = 'T' and student.id in (select _reach0.id from student as _reach0 where _reach0.tenant_id = 'T' and _reach0.branch_id = 'B' union all select _reach0.id from student as _reach0 where _reach0.tenant_id = 'T' and _reach0.id in (select _reach1.student_id from enrollment as _reach1 where _reach1.tenant_id = 'T' and _reach1.group_id = 'G'))",
    ],
  ])('%s', (_, query, expected) => expect(shown(query)).toBe(expected))
})
