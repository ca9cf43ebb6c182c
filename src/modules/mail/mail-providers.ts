import type { MailServer } from './mail-server.ts'

/** The mail providers that people commonly use, by the name that they know. */
export interface MailProvider extends Pick<MailServer, 'host' | 'port' | 'encryption'> {
  id: 'gmail' | 'microsoft' | 'yahoo' | 'zoho'
}

export const MAIL_PROVIDERS: readonly MailProvider[] = [
  { id: 'gmail', host: 'smtp.gmail.com', port: 587, encryption: 'starttls' },
  { id: 'microsoft', host: 'smtp.office365.com', port: 587, encryption: 'starttls' },
  { id: 'yahoo', host: 'smtp.mail.yahoo.com', port: 465, encryption: 'tls' },
  { id: 'zoho', host: 'smtp.zoho.com', port: 465, encryption: 'tls' },
]
