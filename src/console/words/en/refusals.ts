import type { Code, Reason } from '../../api/contract.d.ts'

/** The codes that never come alone: a reason, the fields that are wrong, or the status say more. */
type ToldOtherwise =
  | 'ACCOUNT_LOCKED'
  | 'CONFLICT'
  | 'INTERNAL_ERROR'
  | 'INVALID_CREDENTIALS'
  | 'NOT_FOUND'
  | 'OAUTH_ACCESS_DENIED'
  | 'OAUTH_CLIENT_NOT_FOUND'
  | 'OAUTH_INVALID_REDIRECT_URI'
  | 'PERMISSION_ESCALATION'
  | 'QUOTA_EXCEEDED'
  | 'RATE_LIMITED'
  | 'REGISTRATION_DISABLED'
  | 'ROLE_IMMUTABLE'
  | 'SESSION_REVOKED'
  | 'TENANT_NOT_FOUND'
  | 'TENANT_SLUG_TAKEN'
  | 'TOKEN_INVALID'
  | 'VALIDATION_ERROR'
  | 'VERSION_CONFLICT'
  | 'VIDEO_PROVIDER_UNSUPPORTED'
  | 'VIDEO_URL_INVALID'

/** Why something was refused, by its reason, and where there is none by its code. */
export const refusals = {
  codes: {
    UNAUTHORIZED: 'The session had ended. Once you are signed in, please try again: what you typed is still here.',
    FORBIDDEN: 'You may not do this. Somebody who manages the members of the institute can allow it.',
    FEATURE_DISABLED: 'The institute does not have this feature. Whoever looks after the settings can switch it on.',
    MALFORMED_REQUEST: 'The server did not understand this. Reload the page and try again.',
    IDEMPOTENCY_KEY_REQUIRED: 'The server did not take this. Reload the page and try again.',
    IDEMPOTENCY_KEY_REUSED: 'Something else was sent under the same name before. Reload the page to see what was kept.',
    SUBSCRIPTION_SUSPENDED:
      'The vendor has locked this institute: nothing can be changed. Its owner reads why when the page is opened anew.',
    PAYMENT_REQUIRED:
      'The subscription of this institute has ended: everything can be read, nothing can be changed. Ask an owner of the institute.',
    TENANT_SUSPENDED: 'This institute is closed. Ask whoever runs the server.',
    MEMBERSHIP_INACTIVE: 'Your access to this institute has been ended. Ask somebody who manages its members.',
    INVITATION_INVALID: 'This invitation has expired or was used before. Ask for a new one.',
    LICENSE_INVALID: 'This licence is not for this server. Copy it again, or ask the vendor for a new one.',
    ACCOUNT_DISABLED: 'This account has been disabled. Ask whoever runs the server.',
  } satisfies Record<Exclude<Code, ToldOtherwise>, string>,
  reasons: {
    account_elsewhere:
      'This account belongs to another institute too, or to whoever runs the server. A recovery code helps, or whoever runs the server.',
    code_used: 'This code was used already. Wait for the next one: it comes within half a minute.',
    no_second_factor: 'There is no second step on this account.',
    own_second_factor: 'Your own second step is switched off on the page of your account.',
    own_sign_in: 'Your own devices are signed out on the page of your account.',
    may_do_more: 'This person may do more in the institute than you. Ask an owner of the institute to sign them out.',
    passkey_invalid: 'This passkey is not known here, or it took too long. Try again.',
    passkey_known: 'This passkey was added already.',
    passkeys_impossible: 'Passkeys need an address with a name and https. Whoever runs the server can set that up.',
    recovery_code_used: 'This recovery code was used already. Take another one.',
    second_factor_exists: 'You have a second step already, and signed in without it. Sign in with it first.',
    second_factor_needed: 'Your role asks for a second step at sign-in. Reload the page to set it up.',
    sign_in_ticket_expired: 'That took too long. Type the password again.',
    too_many_passkeys: 'There are twenty passkeys already. Remove one that you do not use.',
    too_many_wrong_codes: 'Too many wrong codes. Wait a quarter of an hour and try again: nothing else is locked.',
    wrong_code:
      'This code is not right. If the next one is refused too, look whether the clock of your phone is set by the network.',
    no_tax_number: 'The papers’ settings need the institute’s tax number of nine digits first.',
    not_in_shekels: 'These files are for institutes that work in shekels.',
    closed_year: 'That year is over. Give the invoice a date of this year.',
    above_credit: 'There is less credit than that.',
    above_invoice: 'The credit notes of an invoice come to no more than the invoice.',
    allocations_above_cheques: 'More is meant for invoices than the cheques come to. Check the amounts.',
    already_bounced: 'This cheque has been marked as bounced already. Reload the page to see it.',
    class_list_not_ready: 'Not every line is clear, so nothing was made. Look at the list again.',
    cheque_known: 'A cheque with this bank, branch, account and number was taken before. Check the number.',
    cheque_moved: 'Something was done with this cheque meanwhile. Reload the page to see how it is now.',
    cheque_named_twice: 'Two cheques here have the same number and account. Check the numbers.',
    cheque_not_due: 'The day on this cheque is still to come. It can be deposited then.',
    cheque_stale:
      'This cheque is more than 180 days old, and no bank takes it any more. Check the date, or ask for another one.',
    credit_paid_out: 'A part of this money was refunded since. Charge what was paid out by an invoice first.',
    not_creditable: 'Only an invoice that was issued can be credited. A draft can be changed.',
    nothing_to_close: 'Nothing lies in the till. It was closed already, or nothing was taken since.',
    till_changed: 'Something was taken or given back meanwhile. Look at the sums again and count what is missing.',
    needs_invoices: 'This report tells of money: reading invoices has to be allowed to you, too.',
    no_credit: 'There is no credit in this currency.',
    above_balance: 'This is more than is still to be paid. Enter at most what is left.',
    account_barred:
      "This person's account is disabled on this server. Only whoever runs the server can enable it again.",
    account_locked: 'Too many wrong passwords. Wait 15 minutes, or choose a new password by "Forgot the password?".',
    already_completed: 'This file has been uploaded already. Reload the page to see it.',
    already_converted: 'This enquiry has become a student already. Open the student instead.',
    already_enrolled: 'The student is in this group already. There is nothing more to do.',
    already_invited: 'This person is invited already. Send the invitation again instead.',
    already_linked: 'This guardian belongs to the student already. There is nothing more to do.',
    payer_sees_money: 'Whoever pays sees what is to be paid. Choose another payer first.',
    already_member: 'This person is a member already. Change their roles instead.',
    already_published: 'The results of this exam are published already. Reload the page to see them.',
    restore_busy: 'A backup is being restored or checked already. Wait until that has ended.',
    no_room_for_backup: 'The disk of the server has no room for this file. Make room on it, and try again.',
    lan_name_taken: 'Another device in your network has this name already. Choose another one.',
    lan_name_unheard:
      'The name could not be made known in the network, so the one before stays. Is the computer connected to it? Then try again.',
    update_busy: 'Another file is being received, or a version is being put in. Wait until that has ended.',
    update_not_taken: 'The file of the update was not taken, and nothing of it was kept.',
    restored_by_postgres:
      'The database of this server is in Postgres: whoever looks after it brings it back with pg_restore.',
    already_told: 'Somebody told them already. Reload the page to see who.',
    already_reversed: 'This payment has been taken back already. Reload the page to see it.',
    already_rolled_over:
      'One of these groups goes on already in these days. Open the new group instead, or take it out.',
    already_sent: 'A report that was sent stays as it is. Write another one.',
    submitted: 'This report was handed in, and stays as it is until it is sent or returned.',
    not_submitted: 'This report was not handed in.',
    attendance_changed:
      'Somebody else changed the attendance meanwhile. Look at the rows that differ, choose, and save again.',
    branch_in_use:
      'Records or members still belong to this branch. Move them to another one first, or switch the branch off.',
    branch_name_taken: 'Another branch has this name. Choose another name.',
    already_waiting: 'The student waits for this group already. There is nothing more to do.',
    already_offered: 'A place is offered to this student already. Reload the page to see it.',
    begins_before_end: 'One of these groups is not over by then. Begin later, or change its last day first.',
    cannot_enroll:
      'This student or this group takes no enrolment in its present state. Change the state of the student or the group first.',
    cannot_void: 'This invoice is void already, or something was paid on it. Take the payment back first.',
    category_in_use: 'Categories or courses are still filed under this category. Move them first.',
    category_slug_taken: 'Another category has this short name. Choose another one.',
    course_code_taken: 'Another course has this code. Choose another code.',
    course_in_use: 'Groups or other records belong to this course. Switch the course off instead.',
    currency_differs: 'The invoices are in different currencies. Take a payment for each currency.',
    currency_fixed: 'There are invoices in this currency, so it stays as it is.',
    default_branch: 'This is the default branch. Make another branch the default first.',
    email_not_verified: 'Confirm your e-mail address first, by the link in the mail that was sent to you.',
    email_taken: 'There is an account with this e-mail address. Sign in with it, or choose a new password for it.',
    exam_in_use: 'An exam that has results or files stays. Delete those first.',
    expired: 'Its time is over. Open it, send it or ask for it again.',
    discounts_above_price:
      'With the discounts that hold on the same days, more than 100 % would be taken off. End one of them first.',
    fee_schedule_in_use: 'Invoices refer to this fee. Switch it off instead.',
    file_in_use: "This file is somebody's picture or the institute's logo. Choose another one there first.",
    group_full: 'The group is full. Choose another group, or give it more places.',
    day_closed: 'The institute is closed on that day. Choose another one, or open the day again under Closed days.',
    enrollment_in_use: 'Attendance, an invoice or a result hangs on this enrollment. End it instead.',
    other_deposit: 'These cheques are of several branches or currencies. Make a list for each.',
    paid_by_cheque: 'This was paid by a cheque. Open the cheque, and say there that it bounced or was given back.',
    replacement_differs: 'The new cheques do not come to the sum of the one that they replace. Check the amounts.',
    session_ahead: 'Attendance is taken on the day of the lesson, not before it.',
    group_not_full: 'The group has a free place. Enrol the student instead.',
    no_place_offered: 'No place is offered to this student any more. Offer one first.',
    order_changed:
      'Somebody else added, removed or moved something here meanwhile. Look at it as it is now, and move it again.',
    order_outdated: 'Others wait by now. Reload the page and order them again.',
    groups_cancelled: 'One of these groups was cancelled. Take it out, or open a new group instead.',
    group_in_use:
      'Students are enrolled in this group, lessons were held, or a fee is for it. Close the group instead.',
    guardian_in_use: 'This guardian still belongs to a student or to another record. Remove that link first.',
    guardian_phone_taken: 'Another guardian has this phone number. Search for it and use that guardian.',
    proposal_not_open: 'Somebody has decided this already, or it was taken back.',
    proposal_changed: 'This has changed since you looked. Reload it and look again.',
    erasure_refused: 'Something stands in the way. The page shows what to see to first.',
    person_erased: 'This person was erased. Nothing of the record is changed any more.',
    merge_refused: 'Both records have the same thing, such as a result of one exam. Remove one of the two first.',
    merge_with_itself: 'These are the same record.',
    merged: 'This record was merged into another one of the same person.',
    previewing:
      'You only look as a role here: nothing can be changed, and nothing of your own account is shown. End it first, at the top of the page.',
    preview_ended: 'Looking as this role is over: the role, or what you may do, has changed.',
    impersonated: "This cannot be done in somebody else's name. Only the person can do it.",
    import_running: 'The import is still running. Remove it once it has ended.',
    invalid_credentials: 'The e-mail address or the password is wrong. Check both and try again.',
    invitation_accepted: 'This invitation has been accepted already. There is nothing to send again.',
    invoice_named_twice: 'The same invoice stands here twice. Take one away.',
    is_reversal: 'This entry takes a payment back, and cannot be taken back itself. Record the payment anew.',
    nobody_meant: 'Nobody is meant: the group has no students now, nobody owes, or nobody was absent.',
    group_told_often: 'Enough was written to the families of this group today. The next message can go tomorrow.',
    teachers_do_not_write: 'In this institute teachers do not write to families. Ask the office to write.',
    nobody_reached:
      'No message reaches them: their record has no address of a channel that is set up, or they want no messages.',
    receipt_reaches_further:
      'This receipt is also for invoices of other branches. Somebody who sees all of them can send it.',
    last_owner: 'The institute would be left without an owner. Make somebody else an owner first.',
    lesson_closed: 'The course is not paid yet. Until then only the preview lessons are open.',
    lesson_in_use: 'Students completed this lesson, or a class is about it. Unpublish it instead.',
    mail_fixed: 'The mail server is named where the program is started, and is changed there.',
    malformed: 'This link or key is not complete. Copy the whole of it, without a line break.',
    member_disabled: 'This person is a member whose access was ended. Activate the member again instead.',
    no_mail_server: 'There is no mail server to send through yet. Name one first.',
    run_goes_on: 'The run is still making drafts. Try again when it is done.',
    not_a_draft: 'Only a draft can be changed or issued. Void this one and make a new one.',
    not_active: 'This enrolment has ended already. Reload the page to see it.',
    not_failed: 'This message did not fail, so there is nothing to send again.',
    results_changed:
      'Somebody else entered other marks meanwhile. Look at the rows that differ, choose, and save again.',
    not_in_group: 'The student is not in the group of this exam. Reload the page for the present list.',
    already_on_roster: 'The student is on the list of this lesson already: mark them there.',
    not_on_roster: 'The student is not on the list of this lesson any more. Reload the page for the present list.',
    not_issued: 'Only an issued invoice has a payer.',
    same_payer: 'The invoice is already theirs to pay. Choose somebody else.',
    nothing_to_pay: 'There is nothing to pay on this invoice now. Reload the page to see it.',
    not_paid_online: 'Payment by card is not open here. Please contact the institute.',
    payment_page_not_opened:
      'The payment company opened no page. Nothing was paid. Try again in a while, or pay in another way.',
    payment_pending: 'A payment of this invoice waits for the bank. Please do not pay twice.',
    payment_pages_open: 'Somebody may be paying over this company now. Switch it off, and try again tomorrow.',
    nothing_to_settle: 'Somebody has seen to this already. Reload the page to see it.',
    notice_refused: 'This notice was not signed by the payment company.',
    not_open: 'There is nothing to pay on this invoice now. Reload the page to see it.',
    not_self_manageable: 'The institute cannot switch this by itself. Ask the vendor.',
    not_the_teacher: 'Only the teacher of this group may do this. Ask them, or somebody who manages the branch.',
    approval_needed: 'Reports are read over before they are sent: hand this one in.',
    own_groups_only: 'You write reports of your own groups: choose the group.',
    not_yet_accepted: 'The invitation has not been accepted yet. Send it again, or remove the member to take it back.',
    nothing_to_send: 'There is nothing in this message that could be sent again. Write a new one.',
    oauth_access_denied:
      'In this institute you may not let an assistant in. Somebody who manages the members can allow it.',
    oauth_client_not_found: 'This assistant is not known here any more. Begin again from the assistant.',
    oauth_invalid_redirect_uri:
      'The assistant asks to return to an address that it did not register, or that is not safe to open. Begin again from the assistant, or ask its maker.',
    origin_not_allowed:
      "This page was opened from an address that the server does not know. Open it at the server's own address.",
    own_account_link: 'Nobody changes what their own account may see. Ask another member to do it.',
    own_membership: 'Nobody can disable or remove themselves. Ask another member to do it.',
    owner_only: 'Only an owner of the institute may do this. Ask them.',
    papers_waiting: 'Too many papers of your institute are being made right now. Wait a few seconds and try again.',
    part_of_digest: 'This message is part of a daily or weekly one. Send that one again.',
    password_protected: 'This video asks for a password. Use one that can be seen without.',
    payers_differ: 'These students do not have the same payer. Take a payment for each family.',
    permission_escalation: 'You can give others only what you may do yourself. Ask an owner of the institute.',
    permission_missing: 'You may not do this. Somebody who manages the members of the institute can allow it.',
    person_sent_often:
      'So much was sent to this person within a short while that nothing more goes now. Send it later.',
    record_sent_often:
      'This was sent to them several times within a short while. Look at its messages to see whether it arrived, or send it again later.',
    person_has_account: 'This person has an account already. There is nothing more to do.',
    platform_admin_only: 'Only whoever runs the server may do this. Ask them.',
    platform_managed: 'The vendor manages this for the institute. Ask them.',
    playlist_not_supported: 'This is a link to a list of videos. Copy the link of one video.',
    provider_not_enabled:
      'Videos of this site cannot be used here. Put it on YouTube or Vimeo, and copy its link there.',
    publishable_key_only: "This is for the institute's website alone, and cannot be done here.",
    push_key_changed: 'This browser is set up for messages with an older key. Switch them off and on again.',
    quota_exceeded:
      'The plan of this institute has no room for more of this kind. Remove some, or ask the vendor for a larger plan.',
    recipient_gone: 'The person to whom this message went is not here any more. Write to somebody else.',
    registration_disabled: 'Nobody can register here by themselves. Ask the institute for an invitation.',
    role_immutable: "The owner's role may do everything, and stays so. Make another role instead.",
    role_in_use: 'Members still have this role. Give them another one first.',
    role_name_taken: 'Another role has this name. Choose another name.',
    scores_above_max: 'A result of this exam is higher than the new maximum. Correct that result first.',
    section_in_use: 'A section that has lessons stays. Move its lessons to another one first, or delete them.',
    session_cancelled: "This lesson is cancelled, so nobody's attendance is taken.",
    session_not_scheduled:
      'This lesson was held or cancelled already, so it stays as it is. Add another lesson instead.',
    session_revoked: 'You were signed out. Sign in again.',
    signature: 'This link to a file is not complete. Open the file again from its page.',
    staff_in_use: 'Groups, lessons or other records name this person. Switch the person off instead.',
    status_by_conversion: 'An enquiry becomes a student by registering it, and then stays one. Use "Register".',
    status_move_refused: 'The student cannot go from the present state to this one. Choose another one.',
    still_named: 'Other records still need this one. Change them first.',
    still_running: 'The same change is still on its way. Wait a moment, then reload the page.',
    student_in_use:
      'There are enrolments, attendance, invoices or other records of this student. Withdraw the student instead.',
    student_number_taken: 'Another student has this number. Choose another number.',
    student_numbers_used_up: 'The server has used the last student number. Type a number of your own.',
    sum_too_large: 'These amounts together are too large to count. Check the amounts.',
    sums_full: 'This amount is too large. Check it.',
    superseded: 'The file was sent twice, and this copy was not kept. Reload the page to see the other.',
    system_role: 'Every institute has this role, so it stays. Change it, or give it to nobody.',
    takes_no_payment: 'A draft, a void or a paid invoice takes no payment. Reload the page to see how it is now.',
    template_taken: 'The institute has a text of its own for this already. Change that one.',
    tenant_not_found: 'There is no such institute. Sign in again and choose one.',
    tenant_not_selected: 'Choose an institute first.',
    already_platform_admin: 'This person manages the platform already.',
    already_subscribed: 'The institute has a subscription already. Change it, renew it, or cancel it first.',
    disabled_account: 'The account with this address is disabled. Enable it first, on the page of accounts.',
    dns_no_name:
      'There is no such name in the DNS of the domain yet. Add the line as it stands here; until it is seen, some hours may pass.',
    dns_no_record:
      'The name is in the DNS, but without a TXT line. Add one of the type TXT with the value that stands here.',
    dns_other_value:
      'The line is there, but with another value. Compare it with the one that stands here, and change it where the domain is looked after.',
    dns_server_failed:
      'The name servers of the domain gave an error. Ask those who look after the domain, then check again.',
    dns_no_answer:
      'No name server answered. Check again in some minutes; if it stays so, look at this server’s connection to the internet.',
    message_not_stuck: 'This message does not wait to be sent any more. Reload the page to see how it is now.',
    domain_taken: 'This domain is listed here already, or was checked for another institute.',
    domain_unverified: 'Check the domain first.',
    job_has_not_failed: 'It runs now, or has not failed yet: there is nothing to try again.',
    job_runs: 'It runs now. Wait until it has ended.',
    no_active_owner: 'The institute has no active owner in whose name one could work.',
    no_license_key:
      'This server has no key for licences yet. Whoever looks after it makes one with institute license-key create.',
    one_institute:
      'This server has the one institute that it was set up with. Further ones need a server in cloud mode.',
    own_account: 'Nobody disables their own account. Ask another person who manages the platform.',
    plan_archived: 'This plan is closed. Choose another one.',
    plan_code_taken: 'Another plan has this short name. Choose another one.',
    subscription_cancelled: 'The subscription is cancelled, which is final. Give the institute another one.',
    subscription_move_refused:
      'The subscription cannot go from the present state to this one. Renew it, or choose another state.',
    tenant_archived: 'This institute is closed for good.',
    too_many_domains: 'The institute has as many domains as may be. Remove one first.',
    tenant_slug_taken: 'Another institute has this short name. Choose another one.',
    terabox_not_enabled: 'Videos of TeraBox cannot be used here. Use another site.',
    token_invalid: 'This link is not complete, has expired or was used before. Ask for a new one.',
    too_many_categories: 'There are as many categories as may be. Delete one first.',
    too_many_endpoints: 'There are as many webhook addresses as may be. Delete one first.',
    too_many_imports:
      'As many imports are waiting as may be. Wait until one has ended, or remove one that has not begun.',
    too_many_lessons: 'The course has as many lessons as may be. Delete one first.',
    too_many_sections: 'The course has as many sections as may be. Delete one first.',
    too_many_templates: 'There are as many texts as may be. Delete one first.',
    too_many_wrong_passwords: 'Too many wrong passwords. Wait 15 minutes; signing in is not affected.',
    unknown_host: 'Videos of this site are not known here. Copy the link of one from a known site, such as YouTube.',
    user_only: 'Only somebody who is signed in may do this. Sign in first.',
    user_taken: 'This account stands behind another record already. Choose another account.',
    value_taken: 'Another record has this already. Choose something else.',
    version_conflict: 'Somebody else changed it meanwhile. Look at it as it is now, and change it again.',
    whole_institute_needed:
      'This concerns all branches, and you work in some of them. Ask somebody who manages the whole institute.',
    wrong_setup_token: 'The server does not accept this setup code. Copy it again from where the server printed it.',
  } satisfies Record<Reason, string>,
}
