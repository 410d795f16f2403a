import type { Tx } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { hmac } from '../../../lib/crypto/crypto.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { mailLimitReached } from './errors.ts'
import { mailLimits } from './rules.ts'
import { countMail } from './store.ts'

/**
 * Runs in the transaction that queues a mail to an address of the caller's choice, and throws when the recipient or
 * the organisation has reached its limit. Postgres counts, so that all processes share the limits. A receipt names
 * what was paid: that has a limit of its own, and payers do not use up what the organisation's members may send.
 */
export type LimitMails = (tx: Tx, orgId: string, recipient: string, receiptOf?: string) => Promise<void>

export const createMailLimit =
  ({ key, clock }: { key: KeyRing; clock: Clock }): LimitMails =>
  async (tx, orgId, recipient, receiptOf) => {
    const now = clock.now()
    // Every transaction locks the recipient's row before the organisation's, so that no two wait for each other.
    const budgets = [
      {
        recipientHash: hmac(key.current, mailboxOf(recipient)),
        limit: mailLimits.recipient,
        whose: 'This recipient',
      },
      ...(receiptOf === undefined ? [] : [receiptsOf(key, receiptOf)]),
      {
        recipientHash: receiptOf === undefined ? wholeOrganization : hmac(key.current, 'receipts'),
        limit: mailLimits.organization,
        whose: 'The organisation',
      },
    ]
    for (const { recipientHash, limit, whose } of budgets) {
      const { windowMs } = limit
      const counted = await countMail(tx, orgId, { recipientHash, now, windowMs })
      const retryAfterMs = counted.windowStartedAt.getTime() + windowMs - now.getTime()
      if (counted.mails > limit.mails) throw mailLimitReached(whose, limit, retryAfterMs)
    }
  }

const wholeOrganization = Buffer.alloc(0)

const receiptsOf = (key: KeyRing, id: string) => ({
  recipientHash: hmac(key.current, `receipts ${id}`),
  limit: mailLimits.receipts,
  whose: 'This payment',
})

/** Spellings that reach the same mailbox share its limit: capitals do not count, nor does what follows a plus sign. */
function mailboxOf(address: string): string {
  const lower = address.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  const [mailbox = ''] = lower.slice(0, at).split('+')
  return `${mailbox}${lower.slice(at)}`
}
