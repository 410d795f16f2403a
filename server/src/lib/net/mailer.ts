import { createTransport } from 'nodemailer'

export interface Mail {
  /** The same for every retry, so that a mail system can detect a repeat. */
  messageId: string
  to: string
  subject: string
  text: string
  html: string
  isImportant: boolean
}

export interface Mailer {
  send(mail: Mail): Promise<void>
  close(): void
}

const mailTimeoutMs = 10_000

export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 4,
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
    socketTimeout: mailTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.split('@').at(-1)?.replace(/>$/, '') ?? 'localhost'
  return {
    async send(mail) {
      await transport.sendMail({
        from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        ...(mail.isImportant && { priority: 'high' }),
        messageId: `<${mail.messageId}@${domain}>`,
      })
    },
    close: () => transport.close(),
  }
}
