import { sql } from 'kysely'
import type { FeatureFlags } from '#kernel/rights/features.ts'
import type { Locale } from '#shared/locale.ts'
import type { SystemRoleKey } from '#kernel/rights/permissions.ts'
import { startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { freePort } from '#kit/free-port.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { emailOf } from '#kit/sign-in.ts'

/** Tuesday, 24 November 2026, ten past four in the afternoon in Jerusalem: a class began at four. */
export const NOW = '2026-11-24T14:10:00.000Z'

const NAMES = {
  en: {
    school: 'Al-Noor Institute',
    teacher: ['Rania', 'Saleh'],
    groups: ['Math A', 'Arabic B1', 'English 5', 'Robotics'],
    course: 'After-school classes',
    room: 'Room',
    branch: 'North branch',
    pupils: [
      'Lina Khoury',
      'Ali Mansour',
      'Dana Levi',
      'Sami Haddad',
      'Yara Nasser',
      'Omar Aziz',
      'Maya Cohen',
      'Noor Saleh',
      'Adam Bishara',
      'Tala Awad',
      'Ron Mizrahi',
      'Salma Zoabi',
      'Yousef Daher',
      'Hala Farah',
    ],
    parent: ['Samira', 'Khoury'],
  },
  ar: {
    school: 'معهد النور',
    teacher: ['رانيا', 'صالح'],
    groups: ['رياضيات أ', 'عربي ب1', 'إنجليزي 5', 'روبوتات'],
    course: 'دروس بعد المدرسة',
    room: 'غرفة',
    branch: 'الفرع الشمالي',
    pupils: [
      'لينا خوري',
      'علي منصور',
      'دانا ليفي',
      'سامي حداد',
      'يارا ناصر',
      'عمر عزيز',
      'مايا كوهين',
      'نور صالح',
      'آدم بشارة',
      'تالا عواد',
      'رون مزراحي',
      'سلمى زعبي',
      'يوسف ضاهر',
      'هلا فرح',
    ],
    parent: ['سميرة', 'خوري'],
  },
  he: {
    school: 'מכון אל־נור',
    teacher: ['ראניה', 'סאלח'],
    groups: ['מתמטיקה א', 'ערבית ב1', 'אנגלית 5', 'רובוטיקה'],
    course: 'חוגי אחר הצהריים',
    room: 'חדר',
    branch: 'סניף צפון',
    pupils: [
      'לינה חורי',
      'עלי מנסור',
      'דנה לוי',
      'סמי חדאד',
      'יארה נאסר',
      'עומר עזיז',
      'מאיה כהן',
      'נור סאלח',
      'אדם בשארה',
      'טלה עואד',
      'רון מזרחי',
      'סלמא זועבי',
      'יוסף דאהר',
      'הלה פרח',
    ],
    parent: ['סמירה', 'חורי'],
  },
} as const

/** A school in the middle of an afternoon, as its own people would have it. */
export interface School {
  app: TestApp
  institute: TestInstitute
  names: (typeof NAMES)[Locale]
  /** The ids of four groups: one that was marked at three, one that runs since four, two that follow. */
  groupIds: string[]
  /** Today's sessions, one of each group. */
  sessionIds: string[]
  /** Yesterday's session of the first group, which nobody marked. */
  unmarkedId: string
  /** Fourteen, all with the status `lead`: nobody has made them active. */
  studentIds: string[]
  /** A mother of the first student, who pays. */
  guardianId: string
  secondBranchId: string
  /** The teacher of the groups, with a staff record. */
  teacher: TestMember
  teacherStaffId: string
  /** A new member of this role; sign in with `emailOf(userId)` and PASSWORD. */
  member: (role: SystemRoleKey) => Promise<TestMember>
}

const created = async (client: Client, path: string, body: unknown): Promise<string> => {
  const reply = await client.post(path, body)
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
  return reply.body.id as string
}

const at = (time: string, days = 0): string => {
  const day = new Date(Date.parse(NOW) + days * 86_400_000).toISOString().slice(0, 10)
  return new Date(`${day}T${time}:00+02:00`).toISOString()
}

/** Starts a server with the school, at an address of its own that browsers may open. The caller closes `app`. */
export const openSchool = async (
  locale: Locale,
  { features = {}, ...options }: TestAppOptions & { features?: Partial<FeatureFlags> } = {},
): Promise<School> => {
  const port = await freePort()
  const app = await startApp({ now: NOW, config: { port, baseUrl: `http://127.0.0.1:${port}` }, ...options })
  const institute = await makeInstitute(app, { defaultLocale: locale, features })
  const { owner, branchId } = institute
  const names = NAMES[locale]

  const rename = async (userId: string, fullName: string) =>
    app.app.database.write((db) =>
      db.updateTable('user').set({ full_name: fullName, locale }).where('id', '=', userId).execute(),
    )
  await owner.patch('/settings', { name: names.school })
  const secondBranchId = await created(owner, '/branches', { name: names.branch })
  const member = async (role: SystemRoleKey): Promise<TestMember> => {
    const made = await institute.member({ role })
    await rename(made.userId, `${names.teacher[0]} ${names.teacher[1]}`)
    return made
  }
  await rename(institute.ownerUserId, `${names.parent[0]} ${names.teacher[1]}`)
  const teacher = await member('teacher')
  const [firstName, lastName] = names.teacher
  const teacherStaffId = await created(owner, '/staff', { branchId, firstName, lastName, userId: teacher.userId })

  const categoryId = await created(owner, '/course-categories', { name: names.course, slug: 'classes' })
  const courseId = await created(owner, '/courses', { categoryId, name: names.course, defaultFeeMinor: 45_000 })
  const groupIds: string[] = []
  for (const [index, name] of names.groups.entries()) {
    const group = { courseId, branchId, name, teacherStaffId, room: `${names.room} ${index + 1}`, capacity: 16 }
    groupIds.push(await created(owner, '/groups', group))
  }

  const studentIds: string[] = []
  for (const [index, name] of names.pupils.entries()) {
    const [first = '', last = ''] = name.split(' ')
    const phone = `+97254${String(1_000_000 + index)}`
    studentIds.push(await created(owner, '/students', { branchId, firstName: first, lastName: last, phone }))
  }
  const guardianId = await created(owner, '/guardians', {
    firstName: names.parent[0],
    lastName: names.parent[1],
    phone: '+972521234567',
    email: 'samira@example.org',
    preferredLocale: locale,
  })
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  await owner.post(`/students/${studentIds[0]}/guardians`, link)
  for (const [index, groupId] of groupIds.entries()) {
    const size = [12, 14, 14, 5][index] as number
    for (const studentId of studentIds.slice(0, size)) await created(owner, '/enrollments', { studentId, groupId })
  }
  // They have been there for a while.
  await app.app.database.write((db) => sql`UPDATE enrollment SET enrolled_at = ${at('08:00', -60)}`.execute(db))

  const session = (groupId: string, start: string, end: string, days = 0) =>
    created(owner, `/groups/${groupId}/sessions`, { scheduledStart: at(start, days), scheduledEnd: at(end, days) })
  const times = [
    ['15:00', '15:50'],
    ['16:00', '17:30'],
    ['17:30', '18:20'],
    ['18:30', '19:30'],
  ] as const
  const sessionIds: string[] = []
  for (const [index, groupId] of groupIds.entries())
    sessionIds.push(await session(groupId, ...(times[index] as (typeof times)[0])))
  const unmarkedId = await session(groupIds[0] as string, '15:00', '15:50', -1)
  const marks = studentIds
    .slice(0, 12)
    .map((studentId, index) => ({ studentId, status: index === 2 ? 'absent' : 'present' }))
  await owner.put(`/sessions/${sessionIds[0]}/attendance`, { entries: marks })

  for (const studentId of studentIds.slice(0, 2)) {
    const line = { description: names.course, quantity: 1, unitAmountMinor: 45_000 }
    const id = await created(owner, '/invoices', { studentId, lines: [line], dueDate: '2026-12-10' })
    await owner.post(`/invoices/${id}/issue`, {})
  }
  const [leadFirst, leadLast] = (names.pupils[9] as string).split(' ')
  await created(owner, '/leads', { firstName: leadFirst, lastName: leadLast, phone: '+972541111111' })
  return {
    app,
    institute,
    names,
    groupIds,
    sessionIds,
    unmarkedId,
    studentIds,
    guardianId,
    secondBranchId,
    teacher,
    teacherStaffId,
    member,
  }
}

export { emailOf }
