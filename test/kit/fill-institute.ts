import { schemaKit } from '#db/schema-kit.ts'
import { engine, type TestApp } from './app.ts'
import { fill, flag, inTurn, nthId, nthInstant, runSql, text, uuid } from './fill.ts'
import type { TestInstitute } from './institute.ts'

const SEARCHED = ['student', 'guardian', 'staff', 'group']

/** So many rows of all that an institute has, the n-th of each belonging to the n-th of the others, branches in turn. */
export const fillInstitute = async (
  app: TestApp,
  institute: TestInstitute,
  { students, others, branchIds }: { students: number; others: number; branchIds: readonly string[] },
): Promise<void> => {
  const { schema } = app.app.database
  const { owner } = institute
  const postgres = engine === 'postgres'
  const tenant = uuid(text(institute.tenant.id))
  const user = uuid(text(institute.ownerUserId))
  const branch = uuid(inTurn(branchIds))
  const category = await owner.post('/course-categories', { name: 'Languages', slug: 'languages' })
  const course = await owner.post('/courses', { categoryId: category.body.id, name: 'English' })
  const hook = await owner.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['student.created'] })
  const courseId = uuid(text(course.body.id))
  const hookId = uuid(text(hook.body.id))

  // An index over words is built of all rows in a tenth of the time that it takes to grow.
  if (postgres) for (const table of SEARCHED) await runSql(app, `drop index "${table}_search"`)
  const at = nthInstant('n')
  const rows = (table: string, count: number, columns: Record<string, string>) =>
    fill(app, table, count, { id: nthId(table, 'n'), tenant_id: tenant, created_at: at, ...columns })
  const student = nthId('student', 'n')

  await rows('student', students, {
    branch_id: branch,
    student_number: `substr('S-000000', 1, 8 - length(cast(n as text))) || n`,
    first_name: text('Dana'),
    last_name: `'Levi ' || n`,
    status: inTurn(['lead', 'active', 'paused', 'graduated']),
    tags: text('[]'),
    updated_at: at,
    search_text: `'dana levi ' || n`,
  })
  await fill(app, 'student_tag', others, {
    tenant_id: tenant,
    student_id: student,
    tag: inTurn(['bus', 'chess', 'choir']),
    created_at: at,
  })
  await rows('guardian', others, {
    first_name: text('Ruth'),
    last_name: `'Levi ' || n`,
    phone: `'+97250' || (1000000 + n)`,
    preferred_locale: text('he'),
    updated_at: at,
    search_text: `'ruth levi ' || n`,
  })
  await rows('guardian_link', others, {
    student_id: student,
    guardian_id: nthId('guardian', 'n'),
    relationship: text('mother'),
    is_primary: flag(true),
    is_payer: flag(true),
  })
  await rows('staff', others, {
    branch_id: branch,
    first_name: text('Amal'),
    last_name: `'Haddad ' || n`,
    is_active: flag(true),
    updated_at: at,
    search_text: `'amal haddad ' || n`,
  })
  await rows('group', others, {
    course_id: courseId,
    branch_id: branch,
    name: `'Group ' || n`,
    teacher_staff_id: nthId('staff', 'n'),
    currency: text('ILS'),
    status: inTurn(['planned', 'active', 'completed']),
    search_text: `'group ' || n`,
    updated_at: at,
  })
  await rows('enrollment', others, {
    student_id: student,
    group_id: nthId('group', `n % ${others} + 1`),
    status: inTurn(['active', 'completed', 'dropped']),
    price_minor: '45000',
    currency: text('ILS'),
    price_overridden: flag(false),
    enrolled_at: at,
    updated_at: at,
  })
  await rows('session', others, {
    group_id: nthId('group', 'n'),
    scheduled_start: at,
    scheduled_end: nthInstant('n + 60'),
    status: inTurn(['scheduled', 'held', 'cancelled']),
    updated_at: at,
  })
  await fill(app, 'session_teacher', others, {
    tenant_id: tenant,
    session_id: nthId('session', 'n'),
    staff_id: nthId('staff', 'n'),
  })
  await fill(app, 'attendance', others, {
    tenant_id: tenant,
    session_id: nthId('session', 'n'),
    student_id: student,
    status: text('present'),
    minutes_late: '0',
    marked_at: at,
  })
  await rows('invoice', others, {
    branch_id: branch,
    student_id: student,
    number: `'N-' || n`,
    status: inTurn(['draft', 'issued', 'paid', 'overdue', 'void']),
    issue_date: text('2020-01-01'),
    due_date: text('2020-02-01'),
    currency: text('ILS'),
    subtotal_minor: '45000',
    discount_minor: '0',
    tax_minor: '0',
    total_minor: '45000',
    updated_at: at,
  })
  await fill(app, 'invoice_line', others, {
    id: nthId('invoice_line', 'n'),
    tenant_id: tenant,
    invoice_id: nthId('invoice', 'n'),
    position: '0',
    description: text('March'),
    quantity: '1',
    unit_amount_minor: '45000',
    discount_minor: '0',
    tax_rate_percent: '0',
    tax_minor: '0',
    total_minor: '45000',
  })
  await rows('payment', others, {
    invoice_id: nthId('invoice', 'n'),
    amount_minor: '100',
    currency: text('ILS'),
    method: inTurn(['cash', 'card']),
    provider: text('manual'),
    received_at: at,
  })
  await fill(app, 'event', others, {
    id: nthId('event', 'n'),
    tenant_id: tenant,
    type: text('student.created'),
    occurred_at: at,
    body: text('{}'),
  })
  await rows('webhook_delivery', others, {
    endpoint_id: hookId,
    event_id: nthId('event', 'n'),
    event_type: text('student.created'),
    status: inTurn(['delivered', 'failed']),
    attempts: '1',
    generation: '1',
  })
  await rows('audit_entry', others, {
    actor_user_id: user,
    actor_type: text('user'),
    channel: text('web'),
    action: inTurn(['students.create', 'students.update']),
    entity_type: inTurn(['student', 'guardian']),
    entity_id: student,
  })
  if (!postgres) return
  for (const table of SEARCHED) await schemaKit(engine).searchIndex(schema, table)
  await runSql(app, 'vacuum analyze')
}
