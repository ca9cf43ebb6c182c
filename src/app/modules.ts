import type { CheckResult } from '#kernel/contract/check.ts'
import type { Module } from '#kernel/contract/module.ts'
import { absencesModule } from '#modules/absences/index.ts'
import { apiKeysModule } from '#modules/api-keys/index.ts'
import { attendanceModule } from '#modules/attendance/index.ts'
import { auditModule } from '#modules/audit/index.ts'
import { billingModule } from '#modules/billing/index.ts'
import { bookkeepingModule } from '#modules/bookkeeping/index.ts'
import { branchesModule } from '#modules/branches/index.ts'
import { closuresModule } from '#modules/closures/index.ts'
import { coversModule } from '#modules/covers/index.ts'
import { courseCategoriesModule } from '#modules/course-categories/index.ts'
import { calendarsModule } from '#modules/calendars/index.ts'
import { coursesModule } from '#modules/courses/index.ts'
import { curriculumModule } from '#modules/curriculum/index.ts'
import { dashboardModule } from '#modules/dashboard/index.ts'
import { discountsModule } from '#modules/discounts/index.ts'
import { domainsModule, tenantOfHost } from '#modules/domains/index.ts'
import { exportedArchive, exportModule } from '#modules/export/index.ts'
import { examsModule } from '#modules/exams/index.ts'
import { directoryModule } from '#modules/directory/index.ts'
import { familiesModule } from '#modules/families/index.ts'
import { feesModule, feesOfStudent } from '#modules/fees/index.ts'
import {
  avatars,
  FILE_ADDRESS,
  FileAddresses,
  filesModule,
  logoAddress,
  logoBytes,
  nameLogo,
} from '#modules/files/index.ts'
import { endOnLastDay, groupsModule, keepDays, liftLastDay, taughtGroups } from '#modules/groups/index.ts'
import { healthModule } from '#modules/health/index.ts'
import { confirmPassword, ensureUser, identityModule, isLiveLink, RefreshTokens } from '#modules/identity/index.ts'
import { importsModule } from '#modules/imports/index.ts'
import { issuerModule } from '#modules/issuer/index.ts'
import { leadsModule } from '#modules/leads/index.ts'
import { licensingModule } from '#modules/licensing/index.ts'
import { createSendMail, linkOf, MailBudget, mailModule } from '#modules/mail/index.ts'
import { isOpenInvitation, membersModule } from '#modules/members/index.ts'
import { myDayModule } from '#modules/my-day/index.ts'
import {
  channelsOver,
  countStuckMails,
  findUnreachedOver,
  formats,
  letterheadFor,
  notificationsModule,
} from '#modules/notifications/index.ts'
import { onlinePaymentsModule, payLinks } from '#modules/online-payments/index.ts'
import { oauthModule } from '#modules/oauth/index.ts'
import { mailedPaper, papersModule } from '#modules/papers/index.ts'
import { linkPerson, peopleModule, recordedName } from '#modules/people/index.ts'
import { planUseModule } from '#modules/plan-use/index.ts'
import { plansModule } from '#modules/plans/index.ts'
import { platformModule } from '#modules/platform/index.ts'
import { progressReportsModule } from '#modules/progress-reports/index.ts'
import { proposedChangesModule } from '#modules/proposed-changes/index.ts'
import { reportsModule } from '#modules/reports/index.ts'
import { scheduleConflictsModule } from '#modules/schedule-conflicts/index.ts'
import { registrationsModule } from '#modules/registrations/index.ts'
import { rolloverModule } from '#modules/rollover/index.ts'
import { searchModule } from '#modules/search/index.ts'
import { alignChangedGroup, followZone, sessionsModule } from '#modules/sessions/index.ts'
import { settingsModule } from '#modules/settings/index.ts'
import { setupModule } from '#modules/setup/index.ts'
import { tenantsModule } from '#modules/tenants/index.ts'
import { timetableModule } from '#modules/timetable/index.ts'
import { waitingListsModule } from '#modules/waiting-lists/index.ts'
import { webhooksModule } from '#modules/webhooks/index.ts'
import { payplusPayments } from '#ports/payments/payplus/payplus.ts'
import { stripePayments } from '#ports/payments/stripe/stripe.ts'
import { SmtpServers } from '#ports/mail/servers.ts'
import { guardedAddress } from '#ports/outbound/guarded.ts'
import { housekeepingModule } from '#runtime/queue/housekeeping.ts'
import { openTable } from '#ports/tables/open-table.ts'
import { version } from '#executable/version.ts'
import { backupsModule } from './backup/module.ts'
import { erasureModule } from './erasure/module.ts'
import { personFileModule } from './person-file/module.ts'
import { serverModule } from './server/module.ts'
import { updatesModule } from './updates/module.ts'
import { Updater } from './updates/updater.ts'
import { lastBackup } from './backup/state.ts'
import { isBackingUp } from './data-dir/unfinished.ts'
import { baseUrlOf, instituteUrlOf, vendorZone } from './config/base-url.ts'
import { issuerOf } from './config/issuer.ts'
import { rulesOf } from './combine-modules.ts'
import { addressAskedAt } from './process/asked-at.ts'
import { bucketCare } from './process/bucket.ts'
import { archiveThread } from './export/thread.ts'
import { instituteOf } from './config/mail-settings.ts'
import { installationOf } from './installation.ts'
import { outboundPolicy, type Services } from './services.ts'
import { smallPage } from './pages/small-page.ts'

/** Its code is loaded where there is a Redis. */
const lookAtCache = (url: string) => async (): Promise<CheckResult> =>
  (await import('#ports/limits/redis/check.ts')).lookAtRedis(url)

/**
 * Makes every module of the program, each with only the services that it needs.
 * @param more modules beside these
 */
export const allModules = (services: Services, more: readonly Module[] = []): readonly Module[] => {
  const { config, database, log, vault, limits, passwords, mailer, setupToken } = services
  const { limits: perMinute, webhookBackoffSeconds: backoffSeconds } = config
  const signingIn = {
    deploymentMode: config.mode,
    tokens: { access: services.tokens, refresh: new RefreshTokens(vault) },
    passwords,
    sessionLifetime: {
      slidingSeconds: config.refreshTokenSeconds,
      longestSeconds: config.refreshTokenLongestSeconds,
    },
  }
  const baseUrl = instituteUrlOf(config, database.read)
  const addressOf = guardedAddress(outboundPolicy(config))
  const mailing = { sendMail: createSendMail(vault), mailBudget: new MailBudget(limits, config.mailLimits) }

  const urlOfInstitute = (tenantId: string) => baseUrl(database.read, tenantId)
  const sendsMail = (): boolean => services.mailSettings.state().server !== null
  const inviting = {
    ...mailing,
    ensureUser,
    linkToGive: async (tenantId: string, token: string) =>
      config.mode === 'cloud' || sendsMail()
        ? null
        : linkOf(await urlOfInstitute(tenantId), { template: 'invitation' }, token),
  }
  const addresses = new FileAddresses(vault, addressAskedAt(config, database.read, services.machine), services.files)
  const printing = { papers: services.papers, readLogo: logoBytes(services.files) }
  const messaging = {
    vault,
    mailer,
    clock: services.clock,
    outbound: services.outbound('notification'),
    push: services.push,
    mailServers: new SmtpServers({ clock: services.clock, timeoutMs: services.ownMailMillis, addressOf }),
    serverKeys: services.pushKeys,
  }
  const findUnreached = findUnreachedOver(channelsOver(messaging))
  const toPayments = services.outbound('payment')
  const paying = {
    vault,
    baseUrl: urlOfInstitute,
    ports: {
      stripe: stripePayments(toPayments),
      payplus: payplusPayments(toPayments, () => services.clock.now()),
    },
  }
  const bucket = bucketCare(config, database, log)
  const makeArchive = archiveThread({ config, files: services.files, rules: () => rulesOf(all) })

  const updater = new Updater({ ...services, outbound: services.outbound('update'), version })

  const others: readonly Module[] = [
    housekeepingModule(database),
    backupsModule(services),
    updatesModule(updater, config),
    serverModule({
      ...services,
      outbound: services.outbound('licence'),
      confirm: confirmPassword(passwords),
      updater,
      version,
      checks: () => all.flatMap(({ checks = [] }) => checks),
    }),
    setupModule({
      ...signingIn,
      setupToken,
      mail: services.mailSettings,
      installation: installationOf(config),
      restores: services.restoring,
    }),
    settingsModule({
      vault,
      nameLogo,
      followZone: async (tx, zone) => {
        await keepDays(tx, zone)
        return followZone(tx, zone)
      },
      logoAddress: logoAddress(addresses),
      fileAddress: FILE_ADDRESS,
      sendsMail,
      movesFrom: (host) => services.lanName.movesFrom(host),
    }),
    plansModule,
    planUseModule({ database }),
    tenantsModule,
    identityModule({
      ...signingIn,
      ...mailing,
      database,
      vault,
      registration: config.registration,
      instituteName: async (db) => (await instituteOf(config)(db))?.name ?? null,
      baseUrl: baseUrlOf(config),
      signInUrl: config.signInUrl,
      tenantOfHost: config.mode === 'cloud' ? tenantOfHost : async () => undefined,
      limits,
      loginLimits: perMinute,
      userPerMinute: perMinute.userPerMinute,
      onAccepted: linkPerson,
      recordedName,
      taughtGroups,
      avatars,
    }),
    membersModule(inviting),
    oauthModule({
      database,
      clock: services.clock,
      vault,
      accessTokens: services.tokens,
      sessionLifetime: signingIn.sessionLifetime,
      userPerMinute: perMinute.userPerMinute,
      taughtGroups,
      baseUrl: baseUrlOf(config),
      clientsPerHourOfAddress: config.publicLimits.clientsPerHourOfAddress,
      documents: services.clientDocuments,
    }),
    auditModule,
    domainsModule({ txtRecords: services.txtRecords, zone: vendorZone(config) }),
    mailModule({
      vault,
      settings: services.mailSettings,
      isClosed: config.mode === 'cloud',
      mailer,
      baseUrl,
      institute: instituteOf(config),
      letterhead: (whole, signal) => letterheadFor(whole, null, { signal, readLogo: printing.readLogo }),
      stuckMails: () => countStuckMails(database.read, services.clock.now()),
      isLive: async ({ db, institute, now }, template, token) =>
        template === 'invitation'
          ? !institute || isOpenInvitation(institute, token, now)
          : isLiveLink(db, template, token, now),
      mailBudget: mailing.mailBudget,
    }),
    branchesModule,
    peopleModule({
      ...inviting,
      persons: () => all.flatMap(({ persons = [] }) => persons),
      following: { groups: { end: endOnLastDay, lift: liftLastDay }, fees: feesOfStudent },
    }),
    courseCategoriesModule,
    coursesModule,
    groupsModule(alignChangedGroup),
    closuresModule,
    sessionsModule,
    coversModule,
    scheduleConflictsModule,
    absencesModule,
    proposedChangesModule,
    attendanceModule,
    timetableModule,
    myDayModule,
    calendarsModule({ vault, baseUrl: urlOfInstitute }),
    examsModule,
    progressReportsModule(findUnreached),
    registrationsModule(findUnreached),
    curriculumModule,
    bookkeepingModule(version),
    billingModule(findUnreached),
    onlinePaymentsModule({ ...paying, showPage: smallPage, formats }),
    feesModule({ log }),
    discountsModule,
    rolloverModule,
    waitingListsModule,
    papersModule(printing),
    familiesModule,
    directoryModule,
    reportsModule,
    dashboardModule({ database, lastBackup: () => lastBackup(config, services.clock) }),
    searchModule,
    apiKeysModule({ database, log, limits: perMinute }),
    filesModule({
      database,
      files: services.files,
      addresses,
      alsoOffered: exportedArchive,
      lookAtBucket: bucket?.look,
      prepareBucket: bucket?.letPagesIn,
      isBackingUp: () => isBackingUp(config.dataDir, services.clock.millis()),
    }),
    exportModule({ files: services.files, log, addresses, makeArchive }),
    erasureModule,
    personFileModule({ files: services.files, rules: () => rulesOf(all) }),
    importsModule({
      files: services.files,
      log,
      openTable,
      // On SQLite all others wait for a slice; on Postgres only those who need the same rows, and every slice costs trips.
      pace:
        services.database.engine === 'sqlite'
          ? { sliceMillis: 12, mostRows: 100, pauseMillis: 50 }
          : { sliceMillis: 60, mostRows: 100, pauseMillis: 0 },
    }),
    leadsModule({ vault, log, outbound: services.outbound('captcha'), limits: config.publicLimits }),
    notificationsModule({
      ...messaging,
      log,
      baseUrl: baseUrlOf(config),
      payLinks: payLinks(paying),
      signInUrl: config.signInUrl,
      backoffSeconds,
      policy: outboundPolicy(config),
      paperOf: mailedPaper(printing),
      readLogo: printing.readLogo,
      showPage: smallPage,
    }),
    webhooksModule({
      database,
      log,
      vault,
      outbound: services.outbound('webhook'),
      urlPolicy: outboundPolicy(config),
      backoffSeconds,
    }),
    platformModule({
      ...signingIn,
      ...mailing,
      confirm: confirmPassword(passwords),
      jobKinds: () => others.flatMap(({ jobs = [] }) => jobs.map((job) => job.name)),
    }),
    issuerModule({
      vault,
      limits,
      perMinute: config.publicLimits,
      baseUrl: baseUrlOf(config),
      zone: config.lanZone?.name,
    }),
    licensingModule({
      mode: config.mode,
      dataDir: config.dataDir,
      vault,
      log,
      outbound: services.outbound('licence'),
      issuer: issuerOf(config),
      version,
      heartbeatSeconds: config.license.heartbeatSeconds,
      updater: () => updater.report(),
    }),
    ...more,
  ]
  const health = healthModule({
    probeDatabase: () => database.probe(),
    probeCache: () => limits.probe(),
    lookAtCache: config.redisUrl === undefined ? undefined : lookAtCache(config.redisUrl),
    probes: others.flatMap(({ probes = [] }) => probes),
    log,
  })
  const all = [health, ...others]
  return all
}
