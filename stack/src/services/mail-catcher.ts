import { once } from 'node:events'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { startHttpListener } from './http-listener.ts'
import { mailListener, type CaughtMail } from './mail-page.ts'
import { loopback } from './ports.ts'

type MailCatcherOptions = { port: number; webPort: number; host?: string }

export type MailCatcher = {
  readonly smtpUrl: string
  readonly webUrl: string
  /** The newest first. */
  messages(): CaughtMail[]
  clear(): void
  stop(): Promise<void>
}

const maxKept = 500
// Connections in a sender's pool would otherwise delay a stop by 30 s.
const closeTimeoutMs = 200
const maxMailBytes = 25 * 1024 * 1024

/** An SMTP server that accepts every mail and forwards none. */
export async function startMailCatcher({
  port,
  webPort,
  host = loopback,
}: MailCatcherOptions): Promise<MailCatcher> {
  let kept: CaughtMail[] = []
  const mailbox = {
    messages: () => kept,
    clear() {
      kept = []
    },
  }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxMailBytes,
    logger: false,
    closeTimeout: closeTimeoutMs,
    onData(stream, session, callback) {
      parseMail(stream, session).then(
        (mail) => {
          kept = [mail, ...kept].slice(0, maxKept)
          callback()
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  // Without a listener, a client that drops its connection would crash this process.
  smtp.on('error', () => {})
  const listening = once(smtp.server, 'listening')
  smtp.listen(port, host)
  await listening
  const web = await startHttpListener(webPort, mailListener(mailbox), host)

  return {
    smtpUrl: `smtp://${loopback}:${port}`,
    webUrl: web.url,
    ...mailbox,
    async stop() {
      await Promise.all([new Promise<void>((resolve) => smtp.close(resolve)), web.stop()])
    },
  }
}

async function parseMail(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<CaughtMail> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    // smtp-server continues to stream past the limit, so we have to stop collecting.
    if (!stream.sizeExceeded) chunks.push(chunk)
  }
  if (stream.sizeExceeded) throw new Error(`the mail is larger than ${maxMailBytes} bytes`)
  const mail = await PostalMime.parse(Buffer.concat(chunks))
  return {
    message_id: mail.messageId ?? '',
    from: mail.from?.address ?? (envelope.mailFrom ? envelope.mailFrom.address : ''),
    // The envelope, unlike the header, includes blind-copy recipients.
    to: envelope.rcptTo.map(({ address }) => address),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    received_at: new Date().toISOString(),
  }
}
