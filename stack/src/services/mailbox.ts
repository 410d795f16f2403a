import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { loopback } from './ports.ts'

export type Mailbox = {
  readonly smtpUrl: string
  /** How many complete mails each address received, acknowledged or not. */
  counts(): ReadonlyMap<string, number>
  /** Receives mails without acknowledging them, until `release`. */
  hold(): void
  release(): void
  /** How many mails have not been acknowledged. */
  held(): number
  /** Rejects every recipient, with an error that contains the address, until `accept`. */
  refuse(): void
  accept(): void
  stop(): Promise<void>
}

const closeTimeoutMs = 200

/** An SMTP server for tests: it counts mails, and can delay its acknowledgement or reject recipients. */
export async function startMailbox(port: number): Promise<Mailbox> {
  const counts = new Map<string, number>()
  const waiting: (() => void)[] = []
  let isHolding = false
  let isRefusing = false
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: closeTimeoutMs,
    onRcptTo({ address }, _session, callback) {
      if (!isRefusing) return callback()
      callback(Object.assign(new Error(`<${address}> is nobody here`), { responseCode: 550 }))
    },
    onData(stream, session, callback) {
      stream.resume()
      stream.once('end', () => {
        for (const { address } of session.envelope.rcptTo) counts.set(address, (counts.get(address) ?? 0) + 1)
        if (isHolding) waiting.push(callback)
        else callback()
      })
    },
  })
  // Without a listener, a sender that drops its connection would crash this process.
  smtp.on('error', () => {})
  const listening = once(smtp.server, 'listening')
  smtp.listen(port, loopback)
  await listening

  const release = (): void => {
    isHolding = false
    for (const answer of waiting.splice(0)) answer()
  }
  return {
    smtpUrl: `smtp://${loopback}:${port}`,
    counts: () => counts,
    hold: () => void (isHolding = true),
    release,
    held: () => waiting.length,
    refuse: () => void (isRefusing = true),
    accept: () => void (isRefusing = false),
    async stop() {
      release()
      await new Promise<void>((resolve) => smtp.close(resolve))
    },
  }
}
