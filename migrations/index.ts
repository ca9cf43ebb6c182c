import type { Migration } from '#db/schema-kit.ts'
import { foundation } from './0001_foundation.ts'
import { identity } from './0002_identity.ts'
import { setup } from './0003_setup.ts'
import { administration } from './0004_administration.ts'
import { identityTokens } from './0005_identity_tokens.ts'
import { people } from './0006_people.ts'
import { courseCategories } from './0008_course_categories.ts'
import { coursesAndGroups } from './0009_courses_groups.ts'
import { sessionsAndAttendance } from './0010_sessions_attendance.ts'
import { billing } from './0011_billing.ts'
import { integrations } from './0012_integrations.ts'
import { deliverySweep } from './0013_delivery_sweep.ts'
import { listIndexes } from './0014_list_indexes.ts'
import { personInvitations } from './0015_person_invitations.ts'
import { searchStatistics } from './0016_search_statistics.ts'
import { searchBeginnings } from './0017_search_beginnings.ts'
import { branchStatusIndexes } from './0018_branch_status_indexes.ts'
import { sessionTeachers } from './0019_session_teachers.ts'
import { categorySlugs } from './0020_category_slugs.ts'
import { sessionTimes } from './0021_session_times.ts'
import { files } from './0022_files.ts'
import { leads } from './0023_leads.ts'
import { apiKeyOrigins } from './0024_api_key_origins.ts'
import { exams } from './0025_exams.ts'
import { progressReports } from './0026_progress_reports.ts'
import { fees } from './0027_fees.ts'
import { curriculum } from './0028_curriculum.ts'
import { reportFiles } from './0029_report_files.ts'
import { courseSearch } from './0030_course_search.ts'
import { entitlements } from './0031_entitlements.ts'
import { plans } from './0032_plans.ts'
import { domains } from './0033_domains.ts'
import { licenses } from './0034_licenses.ts'
import { installedLicense } from './0035_installed_license.ts'
import { exports } from './0036_export.ts'
import { notifications } from './0037_notifications.ts'
import { invoiceFooter } from './0038_invoice_footer.ts'
import { platform } from './0039_platform.ts'
import { notificationChannels } from './0040_notification_channels.ts'
import { emailOptOuts } from './0041_email_opt_outs.ts'
import { deviceSessions } from './0042_device_sessions.ts'
import { publicRegistrations } from './0044_public_registrations.ts'
import { labelsAndSums } from './0046_labels_and_sums.ts'
import { oauth } from './0047_oauth.ts'
import { attendanceVersions } from './0048_attendance_versions.ts'
import { invoiceLists } from './0049_invoice_lists.ts'
import { receipts } from './0050_receipts.ts'
import { peopleLists } from './0051_people_lists.ts'
import { memberLists } from './0052_member_lists.ts'
import { imports } from './0058_imports.ts'
import { staffInvitations } from './0061_staff_invitations.ts'
import { invoiceSteps } from './0062_invoice_steps.ts'
import { calendarAddresses } from './0063_calendar_addresses.ts'
import { filePlaces } from './0064_file_places.ts'
import { loneSteps } from './0065_lone_steps.ts'
import { trialEnds } from './0066_trial_ends.ts'
import { pausedJobs } from './0067_paused_jobs.ts'
import { keptImports } from './0068_kept_imports.ts'
import { importReaders } from './0069_import_readers.ts'
import { spellings } from './0070_spellings.ts'
import { receiptNames } from './0071_receipt_names.ts'
import { serverFaults } from './0072_server_faults.ts'
import { sendPaces } from './0073_send_paces.ts'
import { identityNumbers } from './0074_identity_numbers.ts'
import { inForce } from './0075_in_force.ts'
import { keptPapers } from './0076_kept_papers.ts'
import { closedDays } from './0077_closed_days.ts'
import { announcedAbsences } from './0078_announced_absences.ts'
import { listsAndMerges } from './0079_lists_and_merges.ts'
import { sortNames } from './0080_sort_names.ts'
import { groupContinuations } from './0081_group_continuations.ts'
import { waitingLists } from './0082_waiting_lists.ts'
import { originals } from './0083_originals.ts'
import { replacedPapers } from './0084_replaced_papers.ts'
import { pausesAndLeaving } from './0086_pauses_and_leaving.ts'
import { runOutcomes } from './0087_run_outcomes.ts'
import { covers } from './0088_covers.ts'
import { quietHours } from './0089_quiet_hours.ts'
import { payerAccounts } from './0095_payer_accounts.ts'
import { cheques } from './0096_cheques.ts'
import { discounts } from './0097_discounts.ts'
import { tills } from './0098_tills.ts'
import { statusSince } from './0101_status_since.ts'
import { staffRecordInvitations } from './0102_staff_record_invitations.ts'
import { paperOriginals } from './0103_paper_originals.ts'
import { onlinePayments } from './0104_online_payments.ts'
import { creditBroughtAlong } from './0105_credit_brought_along.ts'
import { walkIns } from './0106_walk_ins.ts'
import { whatGuardiansSee } from './0107_what_guardians_see.ts'
import { homework } from './0109_homework.ts'
import { reportApproval } from './0110_report_approval.ts'
import { groupMessages } from './0111_group_messages.ts'
import { messageTries } from './0112_message_tries.ts'
import { issuedOfDays } from './0113_issued_of_days.ts'
import { debts } from './0117_debts.ts'
import { billedAnyway } from './0118_billed_anyway.ts'
import { calls } from './0120_calls.ts'
import { namesAsWritten } from './0121_names_as_written.ts'
import { secondFactor } from './0127_second_factor.ts'
import { passkeys } from './0128_passkeys.ts'
import { platformMonths } from './0134_platform_months.ts'
import { erasures } from './0148_erasures.ts'
import { pauseReasons } from './0146_pause_reasons.ts'
import { rolePreviews } from './0149_role_previews.ts'
import { licenseLocks } from './0151_license_locks.ts'
import { lanNames } from './0154_lan_names.ts'
import { proposedChanges } from './0122_proposed_changes.ts'
import { lastUse } from './0125_last_use.ts'
import { teachingAtHome } from './0114_teaching_at_home.ts'

/** All migrations, in order. A migration that has landed never changes; a new one is added at the end. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_foundation': foundation,
  '0002_identity': identity,
  '0003_setup': setup,
  '0004_administration': administration,
  '0005_identity_tokens': identityTokens,
  '0006_people': people,
  '0008_course_categories': courseCategories,
  '0009_courses_groups': coursesAndGroups,
  '0010_sessions_attendance': sessionsAndAttendance,
  '0011_billing': billing,
  '0012_integrations': integrations,
  '0013_delivery_sweep': deliverySweep,
  '0014_list_indexes': listIndexes,
  '0015_person_invitations': personInvitations,
  '0016_search_statistics': searchStatistics,
  '0017_search_beginnings': searchBeginnings,
  '0018_branch_status_indexes': branchStatusIndexes,
  '0019_session_teachers': sessionTeachers,
  '0020_category_slugs': categorySlugs,
  '0021_session_times': sessionTimes,
  '0022_files': files,
  '0023_leads': leads,
  '0024_api_key_origins': apiKeyOrigins,
  '0025_exams': exams,
  '0026_progress_reports': progressReports,
  '0027_fees': fees,
  '0028_curriculum': curriculum,
  '0029_report_files': reportFiles,
  '0030_course_search': courseSearch,
  '0031_entitlements': entitlements,
  '0032_plans': plans,
  '0033_domains': domains,
  '0034_licenses': licenses,
  '0035_installed_license': installedLicense,
  '0036_export': exports,
  '0037_notifications': notifications,
  '0038_invoice_footer': invoiceFooter,
  '0039_platform': platform,
  '0040_notification_channels': notificationChannels,
  '0041_email_opt_outs': emailOptOuts,
  '0042_device_sessions': deviceSessions,
  '0044_public_registrations': publicRegistrations,
  '0046_labels_and_sums': labelsAndSums,
  '0047_oauth': oauth,
  '0048_attendance_versions': attendanceVersions,
  '0049_invoice_lists': invoiceLists,
  '0050_receipts': receipts,
  '0051_people_lists': peopleLists,
  '0052_member_lists': memberLists,
  '0058_imports': imports,
  '0061_staff_invitations': staffInvitations,
  '0062_invoice_steps': invoiceSteps,
  '0063_calendar_addresses': calendarAddresses,
  '0064_file_places': filePlaces,
  '0065_lone_steps': loneSteps,
  '0066_trial_ends': trialEnds,
  '0067_paused_jobs': pausedJobs,
  '0068_kept_imports': keptImports,
  '0069_import_readers': importReaders,
  '0070_spellings': spellings,
  '0071_receipt_names': receiptNames,
  '0072_server_faults': serverFaults,
  '0073_send_paces': sendPaces,
  '0074_identity_numbers': identityNumbers,
  '0075_in_force': inForce,
  '0076_kept_papers': keptPapers,
  '0077_closed_days': closedDays,
  '0078_announced_absences': announcedAbsences,
  '0079_lists_and_merges': listsAndMerges,
  '0080_sort_names': sortNames,
  '0081_group_continuations': groupContinuations,
  '0082_waiting_lists': waitingLists,
  '0083_originals': originals,
  '0084_replaced_papers': replacedPapers,
  '0086_pauses_and_leaving': pausesAndLeaving,
  '0087_run_outcomes': runOutcomes,
  '0088_covers': covers,
  '0089_quiet_hours': quietHours,
  '0095_payer_accounts': payerAccounts,
  '0096_cheques': cheques,
  '0097_discounts': discounts,
  '0098_tills': tills,
  '0101_status_since': statusSince,
  '0102_staff_record_invitations': staffRecordInvitations,
  '0103_paper_originals': paperOriginals,
  '0104_online_payments': onlinePayments,
  '0105_credit_brought_along': creditBroughtAlong,
  '0106_walk_ins': walkIns,
  '0107_what_guardians_see': whatGuardiansSee,
  '0109_homework': homework,
  '0110_report_approval': reportApproval,
  '0111_group_messages': groupMessages,
  '0112_message_tries': messageTries,
  '0113_issued_of_days': issuedOfDays,
  '0114_teaching_at_home': teachingAtHome,
  '0117_debts': debts,
  '0118_billed_anyway': billedAnyway,
  '0120_calls': calls,
  '0121_names_as_written': namesAsWritten,
  '0122_proposed_changes': proposedChanges,
  '0125_last_use': lastUse,
  '0127_second_factor': secondFactor,
  '0128_passkeys': passkeys,
  '0134_platform_months': platformMonths,
  '0146_pause_reasons': pauseReasons,
  '0148_erasures': erasures,
  '0149_role_previews': rolePreviews,
  '0151_license_locks': licenseLocks,
  '0154_lan_names': lanNames,
}
