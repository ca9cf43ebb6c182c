import { inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'
import { newDevice } from '../api/examples/notification-channels.ts'
import { newFailedMessage, newTemplate } from '../api/examples/notifications.ts'

export const owed: Owed = {
  tables: {
    notification: ({ nthId, uuid, user, branch, at }) => ({
      source_id: nthId('event', 'n'),
      template_key: inTurn(['student.absent', 'invoice.issued']),
      channel: inTurn(['email', 'in_app']),
      locale: text('ar'),
      branch_id: branch,
      recipient_kind: text('user'),
      recipient_id: uuid(user),
      recipient_name: text('Hala Nasser'),
      title: text('Absent'),
      body: text('She was absent.'),
      payload: text('{}'),
      status: inTurn(['failed', 'sent']),
      attempts: '1',
      generation: '1',
      inbox_user_id: `case when n % 2 = 1 then ${uuid(user)} end`,
      read_at: `case when n % 4 = 1 then ${at} end`,
    }),
    notification_template: { few: 'a thousand at the most' },
    notification_preference: { few: 'one for each channel and member' },
    email_opt_out: ({ at }) => ({ email_key: `'parent' || n || '@example.org'`, created_at: at }),
    notification_usage: { few: 'one for each channel and month' },
    notification_provider: { few: 'one for each channel' },
    push_device: { few: 'ten for each member' },
  },
  records: {
    notificationTemplateId: (world) => newTemplate(world),
    notificationId: (world) => newFailedMessage(world),
    deviceId: (world) => newDevice(world),
  },
  filters: {
    'me.notifications': { unreadOnly: 'true' },
    'notifications.list': { status: 'failed', channel: 'email', templateKey: 'student.absent' },
  },
  kept: ({ nth, first, at }) => {
    const { tenant_id } = first('student')
    const said = { tenant_id, created_at: at }
    return {
      notification: [
        {
          ...said,
          id: nth(60),
          source_id: nth(61),
          template_key: 'student.absent',
          channel: 'email',
          locale: 'ar',
          recipient_kind: 'guardian',
          recipient_id: nth(62),
          recipient_name: 'Hala Nasser',
          address: 'hala@example.org',
          title: 'Absent',
          body: 'She was absent.',
          payload: '{}',
          status: 'sent',
          attempts: 1,
          generation: 1,
          sent_at: at,
        },
      ],
      notification_template: [
        {
          ...said,
          id: nth(63),
          key: 'holiday',
          channel: 'email',
          locale: 'ar',
          body: '{{data.message}}',
          is_active: true,
          place: 'holiday',
          updated_at: at,
        },
      ],
      notification_preference: [
        {
          tenant_id,
          user_id: first('user')['id'],
          channel: 'email',
          enabled: true,
          digest_mode: 'daily',
          updated_at: at,
        },
      ],
      email_opt_out: [{ tenant_id, email_key: 'hala@example.org', created_at: at }],
      notification_usage: [{ tenant_id, month: '2026-03', channel: 'email', messages: 3 }],
      notification_provider: [
        {
          ...said,
          id: nth(64),
          channel: 'sms',
          provider: 'https',
          settings: JSON.stringify({ url: 'https://sms.example.org/send' }),
          secret: 'sealed',
          secret_set_at: at,
          updated_at: at,
        },
      ],
      push_device: [
        {
          ...said,
          id: nth(65),
          user_id: first('user')['id'],
          auth_session_id: nth(3),
          endpoint_tag: 'tag',
          subscription: 'sealed',
          application_server_key: 'key',
        },
      ],
    }
  },
}
