import type { Stage } from './bad-mail-server.ts'

/*
 * What mail servers really say. The first five were installed from Debian 12 (bookworm) as their packages configure them,
 * and asked from the same machine, and at `relay` from an address that they do not know. The last two were not asked: their
 * replies are those of the providers' public documentation.
 */

interface MailServerReplies {
  version: string
  /** Whether it offers STARTTLS; each of the five then has a certificate that it or its package made for itself. */
  encrypts: boolean
  usual: Partial<Record<Stage, string>>
  /** Its refusals: where, in which words, and whether this very mail would be refused again whatever is mended. */
  refusals: Readonly<Record<string, { at: Stage; says: string; permanent: boolean }>>
}

const lines = (...all: string[]): string =>
  all.map((line, at) => `250${at === all.length - 1 ? ' ' : '-'}${line}`).join('\r\n')

export const SEEN: Readonly<Record<string, MailServerReplies>> = {
  postfix: {
    version: '3.7.11-0+deb12u1, with ssl-cert: “Internet Site”',
    encrypts: true,
    usual: {
      greeting: '220 mail ESMTP Postfix (Debian/GNU)',
      EHLO: lines(
        'mail',
        'PIPELINING',
        'SIZE 10240000',
        'VRFY',
        'ETRN',
        'STARTTLS',
        'ENHANCEDSTATUSCODES',
        '8BITMIME',
        'DSN',
        'SMTPUTF8',
        'CHUNKING',
      ),
      STARTTLS: '220 2.0.0 Ready to start TLS',
      AUTH: '503 5.5.1 Error: authentication not enabled',
      MAIL: '250 2.1.0 Ok',
      RCPT: '250 2.1.5 Ok',
      DATA: '354 End data with <CR><LF>.<CR><LF>',
      dot: '250 2.0.0 Ok: queued as 03018220492',
    },
    refusals: {
      relay: { at: 'RCPT', says: '454 4.7.1 <noor@elsewhere.example>: Relay access denied', permanent: false },
      recipient: {
        at: 'RCPT',
        says: '550 5.1.1 <nobody-here@localhost>: Recipient address rejected: User unknown in local recipient table',
        permanent: true,
      },
      sender: { at: 'MAIL', says: '501 5.1.7 Bad sender address syntax', permanent: false },
      'too many': { at: 'RCPT', says: '452 4.5.3 Error: too many recipients', permanent: false },
    },
  },
  exim: {
    version: 'exim4-daemon-light 4.96-15+deb12u10',
    encrypts: true,
    usual: {
      greeting: '220 mail.school.example ESMTP Exim 4.96 Sat, 28 Nov 2026 22:56:55 +0000',
      EHLO: lines(
        'mail.school.example Hello client.example.org [127.0.0.1]',
        'SIZE 52428800',
        '8BITMIME',
        'PIPELINING',
        'PIPECONNECT',
        'CHUNKING',
        'STARTTLS',
        'PRDR',
        'HELP',
      ),
      STARTTLS: '220 TLS go ahead',
      AUTH: '503 AUTH command used when not advertised',
      MAIL: '250 OK',
      RCPT: '250 Accepted',
      DATA: '354 Enter message, ending with "." on a line by itself',
      dot: '250 OK id=1xXRLj-00001V-1W',
    },
    refusals: {
      relay: { at: 'RCPT', says: '550 relay not permitted', permanent: false },
      sender: { at: 'MAIL', says: '501 <not an address>: "@" or "." expected after "not"', permanent: false },
      'too many': {
        at: 'greeting',
        says: '421 Too many concurrent SMTP connections; please try again later.',
        permanent: false,
      },
    },
  },
  opensmtpd: {
    version: '6.8.0p2-4+b4',
    encrypts: false,
    usual: {
      greeting: '220 school.example ESMTP OpenSMTPD',
      EHLO: lines(
        'school.example Hello client.example.org [127.0.0.1], pleased to meet you',
        '8BITMIME',
        'ENHANCEDSTATUSCODES',
        'SIZE 36700160',
        'DSN',
        'HELP',
      ),
      AUTH: '503 5.5.1 Invalid command: Command not supported',
      MAIL: '250 2.0.0 Ok',
      RCPT: '250 2.1.5 Destination address valid: Recipient ok',
      DATA: '354 Enter mail, end with "." on a line by itself',
      dot: '250 2.0.0 5ac7e1d3 Message accepted for delivery',
    },
    refusals: {
      recipient: { at: 'RCPT', says: '550 Invalid recipient: <nobody-here@localhost>', permanent: true },
      sender: { at: 'MAIL', says: '553 5.1.0 Sender address syntax error', permanent: false },
      'too many': { at: 'RCPT', says: '451 4.5.3 Too many recipients: Too many recipients', permanent: false },
    },
  },
  sendmail: {
    version: '8.17.1.9-2+deb12u2',
    encrypts: false,
    usual: {
      greeting:
        '220 mail.school.example ESMTP Sendmail 8.17.1.9/8.17.1.9/Debian-2+deb12u2; Sat, 28 Nov 2026 22:58:23 GMT; (No UCE/UBE) logging access from: localhost(OK)-localhost [127.0.0.1]',
      EHLO: lines(
        'mail.school.example Hello localhost [127.0.0.1], pleased to meet you',
        'ENHANCEDSTATUSCODES',
        'PIPELINING',
        'EXPN',
        'VERB',
        '8BITMIME',
        'SIZE',
        'DSN',
        'ETRN',
        'DELIVERBY',
        'HELP',
      ),
      AUTH: '503 5.3.3 AUTH not available',
      MAIL: '250 2.1.0 <office@school.example>... Sender ok',
      RCPT: '250 2.1.5 <noor@elsewhere.example>... Recipient ok (will queue)',
    },
    refusals: {
      sender: {
        at: 'RCPT',
        says: '451 4.1.8 Domain of sender address office@school.example does not resolve',
        permanent: false,
      },
      // Its port 587 offers no AUTH, and asks for it.
      submission: { at: 'MAIL', says: '530 5.7.0 Authentication required', permanent: false },
      'too many': {
        at: 'MAIL',
        says: '421 4.7.0 mail.school.example Too many bad commands; closing connection',
        permanent: false,
      },
    },
  },
  courier: {
    version: '1.0.16-3+b6',
    encrypts: true,
    usual: {
      greeting: '220 mail ESMTP',
      EHLO: lines(
        'mail Ok.',
        'STARTTLS',
        'XVERP=Courier',
        'XEXDATA',
        'XSECURITY=NONE,STARTTLS',
        'PIPELINING',
        '8BITMIME',
        'SMTPUTF8',
        'SIZE',
        'DSN',
      ),
      STARTTLS: '220 Ok',
    },
    refusals: {},
  },
}

export const DOCUMENTED: Readonly<Record<string, MailServerReplies['refusals']>> = {
  gmail: {
    quota: {
      at: 'dot',
      says: '550 5.4.5 Daily user sending limit exceeded. https://support.google.com/mail/?p=DailyLimitExceeded',
      permanent: false,
    },
  },
  microsoft365: {
    connections: { at: 'MAIL', says: '432 4.3.2 concurrent connection limit exceeded', permanent: false },
    throttled: {
      at: 'dot',
      says: '550 5.2.252 Sender throttled due to continuous send as denied errors.',
      permanent: false,
    },
    sign_in: {
      at: 'AUTH',
      says: '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.',
      permanent: false,
    },
  },
}
