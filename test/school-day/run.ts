import { EVENT_CATALOGUE } from '#kernel/contract/events.ts'
import { Caller } from './caller.ts'
import { checkDatabase, checkDay, unfinishedJobs, type ExpectedEvents } from './checks.ts'
import type { Deployment } from './deployment.ts'
import { addDocuments, checkDocuments } from './documents.ts'
import { schoolDay, STUDENTS, type Day, type Progress } from './day.ts'
import { checkFamily } from './family.ts'
import { checkFeeRun, issueFees, killedFeeRun, repeatFeeRun } from './fee-run.ts'
import type { Find, Finding, Row } from './findings.ts'
import type { Killer, Point } from './killer.ts'
import { Receiver } from './receiver.ts'
import { checkTerm, schoolTerm } from './term.ts'
import { until } from './until.ts'
import { checkUnpaid, completeCourse, newVideoCourse, signInStudent } from './video-course.ts'

const DELIVERY_MILLIS = 90_000
const JOBS_MILLIS = 90_000
const MARK_MILLIS = 2000
const RECEIVER_FAILS_FIRST = 60

const KEY_PERMISSIONS = [
  'students.write',
  'guardians.write',
  'staff.write',
  'courses.write',
  'groups.write',
  'enrollments.write',
  'attendance.mark',
  'exams.write',
  'reports.write',
  'curriculum.write',
  'invoices.write',
  'payments.record',
  'files.write',
]

export interface Ended {
  findings: Finding[]
  kills: number
  requests: number
  retries: number
  /** Milliseconds from a request's first attempt to its answer. */
  longestWait: number
  seconds: number
}

/** Sets up the institute's two branches, a key with every permission that the day needs, and its webhook. */
const setUp = async (deployment: Deployment, receiver: Receiver) => {
  const owner = new Caller(deployment, await deployment.newInstitute())
  const [main] = await owner.get('/branches')
  const second = await owner.send('POST', '/branches', { name: 'סניף צפון' })
  const { key } = await owner.send('POST', '/api-keys', {
    name: 'School day',
    permissions: KEY_PERMISSIONS,
    rateLimitPerMin: 6000,
  })
  const webhook = await owner.send('POST', '/webhooks', {
    url: await receiver.listen(),
    events: EVENT_CATALOGUE.map(({ type }) => type),
  })
  receiver.secret = webhook.secret
  const deliveries = (status: string, limit: number) =>
    owner.get(`/webhooks/${webhook.id}/deliveries?status=${status}&limit=${limit}`)
  return { owner, branches: [main.id, second.id] as [string, string], key: key as string, deliveries }
}

/**
 * The money of the term and its video course: the fees are billed by a run that is killed in the middle, the first
 * family pays for its course, which the student then completes, and the family's statement adds up.
 * @returns the day with these invoices and payments, and the events of the rest
 */
const runTerm = async (
  { deployment, owner, caller }: { deployment: Deployment; owner: Caller; caller: Caller },
  day: Day,
  { progress, say, find }: { progress: Progress; say: (line: string) => void; find: Find },
): Promise<{ day: Day; events: ExpectedEvents[] }> => {
  const video = await newVideoCourse(caller, day)
  say(`  a video course of ${video.lessonIds.length} lessons is given to a student`)
  const killed = await killedFeeRun(caller, { deployment, day, video }, say)
  const [issued, fees] = await Promise.all([issueFees(caller, killed, progress), repeatFeeRun(caller, killed, say)])
  checkFeeRun({ day, video, fees }, find)

  const { invitationId, learner } = await signInStudent(deployment, { owner, video })
  say('  the student accepts the invitation and signs in')
  await checkUnpaid(learner, video, find)
  const invoice: Row = issued.find(({ studentId }) => studentId === video.student.id)
  const paid = { amountMinor: invoice.total.amountMinor, currency: 'ILS', method: 'cash' }
  const payment = await caller.send('POST', `/invoices/${invoice.id}/payments`, paid, 'pay-fee')
  await completeCourse(learner, video, find)
  say('  the family pays, and the student completes the course')

  const [guardian] = day.guardians
  const sibling = day.students[3]
  const link = { guardianId: guardian.id, relationship: 'mother', isPrimary: false, isPayer: true }
  await caller.send('POST', `/students/${sibling.id}/guardians`, link, 'link-sibling')
  await checkFamily(caller, { guardian, children: [video.student, sibling] }, find)
  return {
    day: { ...day, invoices: [...day.invoices, ...issued], payments: [...day.payments, payment] },
    events: [
      ['member.invited', 'invitationId', [invitationId]],
      ['lesson.published', 'lessonId', video.lessonIds],
      ['course_enrollment.created', 'courseEnrollmentId', [video.grantId]],
      ['lesson.completed', 'lessonId', video.lessonIds],
      ['course.completed', 'courseId', [video.courseId]],
    ],
  }
}

/** The day and the term, while somebody else of the office adds documents. */
const schoolTerms = async (caller: Caller, branches: [string, string], progress: Progress) => {
  const documents = Promise.withResolvers<Row[]>()
  // The end of the day gets the error.
  documents.promise.catch(() => {})
  const day = await schoolDay(caller, branches, progress, (students) => {
    documents.resolve(addDocuments(caller, students, progress))
  })
  const term = await schoolTerm(caller, day, progress)
  return { documents: await documents.promise, day, term }
}

/**
 * A school day and a term of an institute in Jerusalem with two branches, through the packaged executable, which is
 * killed on the way and restarted; then checks everything. Leaves the data directories.
 */
export const runDay = async (deployment: Deployment, killer: Killer, say: (line: string) => void): Promise<Ended> => {
  const started = performance.now()
  const reached = (point: Point, deliveryId?: string): void => {
    if (!killer.waitsFor(point)) return
    if (point !== 'mark') killer.reached(point)
    else if (!marking) marking = reachMark(deliveryId)
  }
  /** Follows one delivery at a time until it is marked as delivered. */
  let marking: Promise<void> | undefined
  const reachMark = async (deliveryId: string | undefined): Promise<void> => {
    // A program that ends for good meanwhile does not answer any more: then there is nothing to report.
    const isThere = await isMarked(deliveryId).catch(() => false)
    marking = undefined
    if (isThere) killer.reached('mark')
  }
  const receiver = new Receiver(RECEIVER_FAILS_FIRST, reached)
  let deliveries: Awaited<ReturnType<typeof setUp>>['deliveries']
  const isMarked = (id: string | undefined) =>
    until(
      async () => (await deliveries('delivered', 100)).data.some((one: { id: string }) => one.id === id),
      MARK_MILLIS,
    )
  try {
    await deployment.start()
    const { owner, branches, key, ...institute } = await setUp(deployment, receiver)
    deliveries = institute.deliveries
    say(`An institute with two branches is set up at ${deployment.url}`)
    const caller = new Caller(deployment, key, () => reached('commit'))
    killer.begin(say)
    const progress: Progress = async (phase, done, total) => {
      if (killer.waitsFor('claim')) receiver.closeIdle()
      await killer.step()
      if (done === total) say(`  ${phase}: ${total}`)
    }
    const { documents, day, term } = await schoolTerms(caller, branches, progress)
    await killer.end()
    const findings: Finding[] = []
    const find: Find = (what, ok, detail) => void findings.push({ what, ok, detail })
    await checkTerm(caller, day, term, find)
    await checkDocuments(caller, documents, find)
    const whole = await runTerm({ deployment, owner, caller }, day, { progress, say, find })
    say('Waiting until every event is delivered')
    await until(async () => (await deliveries('queued', 1)).data.length === 0, DELIVERY_MILLIS)
    // A job whose worker died four times runs again after a minute.
    await until(async () => (await unfinishedJobs(deployment)) === 0, JOBS_MILLIS)
    const events: ExpectedEvents[] = [
      ['exam.published', 'examId', term.exams.map(({ id }) => id)],
      ['progress_report.sent', 'progressReportId', term.reports.map(({ id }: Row) => id)],
      ...whole.events,
    ]
    await checkDay(caller, { receiver, day: whole.day, events }, find)
    await deployment.stop()
    findings.push(...(await checkDatabase(deployment)))
    findings.push({ what: 'the process was killed on the way', ok: killer.isDone, detail: `${killer.kills} times` })
    return {
      findings,
      kills: killer.kills,
      requests: caller.requests,
      retries: caller.retries,
      longestWait: caller.longestWait,
      seconds: Math.round((performance.now() - started) / 1000),
    }
  } finally {
    await deployment.stop()
    receiver.close()
  }
}

export const summaryOf = ({ requests, retries, kills, seconds }: Ended): string =>
  `${STUDENTS} students, ${requests} requests (${retries} sent again), ${kills} kills, ${seconds} s`
