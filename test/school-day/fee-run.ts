import type { Caller } from './caller.ts'
import { each, STUDENTS, type Day, type Progress } from './day.ts'
import type { Deployment } from './deployment.ts'
import { dayFromNow, same, type Find, type Row } from './findings.ts'
import { until } from './until.ts'
import type { VideoCourse } from './video-course.ts'

/** In the smallest unit of the currency: not the price of what was invoiced by hand before, of which a run would ask. */
const TUITION = 48_000
export const VIDEO_FEE = 9_900
/** Each student's tuition, and the video course of one of them. */
const FEES = STUDENTS + 1
const FIRST_KEY = 'fee-run'
const DRAFTS_MILLIS = 60_000

export interface KilledFeeRun {
  month: string
  /** How many fees were billed when the process was killed. */
  billedByThen: number
  wasAnswered: boolean
  /** The invoices that were there once it had gone on by itself. */
  drafts: Row[]
}

export interface FeeRun extends KilledFeeRun {
  /** The reply to the request that was sent again after the kill. */
  reply: Row
  /** The reply to a second run of the same month. */
  second: Row
}

const countCharges = (deployment: Deployment): Promise<number> => deployment.count('select count(*) from fee_charge')

/**
 * Bills the fees of a month. As soon as the first drafts are there the process is killed and started again; then the run
 * goes on by itself.
 */
export const killedFeeRun = async (
  caller: Caller,
  { deployment, day, video }: { deployment: Deployment; day: Day; video: VideoCourse },
  say: (line: string) => void,
): Promise<KilledFeeRun> => {
  const fee = { amountMinor: TUITION, currency: 'ILS', recurrence: 'monthly' }
  const courses = [...new Set(day.groups.map((group) => group.courseId as string))]
  for (const [index, courseId] of courses.entries()) {
    const tuition = { ...fee, name: 'Tuition', kind: 'per_group', courseId }
    await caller.send('POST', '/fee-schedules', tuition, `tuition-${index}`)
  }
  const ofVideo = { ...fee, name: 'Video course', kind: 'per_course', courseId: video.courseId, amountMinor: VIDEO_FEE }
  await caller.send('POST', '/fee-schedules', ofVideo, 'video-fee')

  const month = dayFromNow(0).slice(0, 7)
  const drafts = async (): Promise<number> => (await caller.get('/billing/summary')).byStatus.draft
  // On a busy machine too, this process is there before the run has ended.
  deployment.yieldToOthers()
  const first = caller.attempt('POST', '/billing/runs', { month }, FIRST_KEY)
  await until(async () => (await countCharges(deployment)) > 0, DRAFTS_MILLIS, 1)
  await deployment.kill()
  // A balancer answers in place of a process that is gone.
  const wasAnswered = ((await first)?.status ?? 502) < 500
  const billedByThen = await countCharges(deployment)
  say(`  SIGKILL in the middle of the fee run (${billedByThen} of ${FEES} fees are billed), and start again`)
  await deployment.start()
  await until(async () => (await drafts()) === STUDENTS, DRAFTS_MILLIS)
  say('  the fee run went on by itself')
  return { month, billedByThen, wasAnswered, drafts: await caller.all('/invoices?status=draft') }
}

/** Sends the killed request again, until the run's answer comes; then runs the same month once more. */
export const repeatFeeRun = async (
  caller: Caller,
  killed: KilledFeeRun,
  say: (line: string) => void,
): Promise<FeeRun> => {
  const { month } = killed
  const reply = await caller.send('POST', '/billing/runs', { month }, FIRST_KEY)
  say(`  the request for the fee run, sent again, is answered: ${reply.created} invoices`)
  const second = await caller.send('POST', '/billing/runs', { month }, 'second-fee-run')
  return { ...killed, reply, second }
}

/** Issues what the run drafted. @returns the invoices as they are issued */
export const issueFees = (caller: Caller, { drafts }: KilledFeeRun, progress: Progress): Promise<Row[]> =>
  each('issued fees', drafts.length, progress, (index) =>
    caller.send('POST', `/invoices/${drafts[index].id}/issue`, undefined, `issue-fee-${index}`),
  )

/** Checks that the run billed everybody once, however it was interrupted. */
export const checkFeeRun = ({ day, video, fees }: { day: Day; video: VideoCourse; fees: FeeRun }, find: Find): void => {
  const { reply, billedByThen, wasAnswered, drafts, second } = fees
  find(
    'the fee run was killed in the middle',
    !wasAnswered && billedByThen > 0 && billedByThen < FEES,
    `${billedByThen} of ${FEES} fees were billed`,
  )
  const students = day.students.map((student) => student.id as string)
  find(
    'it went on by itself',
    same(
      drafts.map((invoice) => invoice.studentId),
      students,
    ),
    `${drafts.length} drafts, one for each student`,
  )
  find(
    'sent again, its request is answered with all these invoices',
    reply.created === STUDENTS &&
      reply.skipped.length === 0 &&
      same(
        reply.invoices.map((invoice: Row) => invoice.id),
        drafts.map((invoice) => invoice.id),
      ),
    `${reply.created} invoices`,
  )
  const uneven = reply.invoices.filter(
    (invoice: Row) => invoice.total.amountMinor !== TUITION + (invoice.studentId === video.student.id ? VIDEO_FEE : 0),
  )
  find('every fee is billed once', uneven.length === 0, `${FEES} fees`)
  find(
    'a second run bills nobody',
    second.created === 0 &&
      second.skipped.length === FEES &&
      second.skipped.every(({ reason }: Row) => reason === 'already_billed'),
    `${second.skipped.length} were billed already`,
  )
}
