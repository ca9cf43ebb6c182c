/** What is switched on where neither a plan nor an institute says otherwise, by the flags of the contract. */
export const FEATURE_DEFAULTS = {
  basic_reports: true,
  advanced_reports: false,
  integration_api: true,
  mcp: false,
  custom_domain: false,
  whatsapp_notifications: false,
  sms_notifications: false,
  byo_email_provider: false,
  byo_push_provider: false,
  courses_video: true,
}
