import type { PaymentRecord } from '@switchyard/sdk'
import { payment } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { formatList, formatMoney } from '../../ui/format.ts'
import { providerName, type Attempt } from './entries.ts'

export type Tone = 'good' | 'bad' | 'wait' | 'unknown' | 'neutral'

interface Answer {
  tone: Tone
  /** What happened, and whether money moved. */
  title: string
  /** How it happened. */
  detail: string
}

const { head } = payment

const failedStates: readonly string[] = ['failed', 'declined', 'not_sent']

/** Answers the first questions about a payment: what happened, and has money moved? */
export function describePayment(record: PaymentRecord, attempts: readonly Attempt[]): Answer {
  const last = attempts.at(-1)
  const isInDoubt = last?.state === 'unknown' && ['processing', 'pending'].includes(record.status)
  if (isInDoubt)
    return { tone: 'unknown', title: head.unknown, detail: head.doubt(providerName(last.provider)) }
  if (record.on_hold) return { tone: 'wait', title: head.onHold, detail: head.onHoldDetail }
  switch (record.status) {
    case 'completed':
      return { tone: 'good', title: doneWord(record.direction), detail: howItWent(record, attempts) }
    case 'refunded':
      return { tone: 'neutral', title: head.refunded, detail: howItWent(record, attempts) }
    case 'failed':
      return { tone: 'bad', title: head.failed, detail: whyItFailed(record, attempts) }
    case 'rejected':
      return { tone: 'bad', title: head.rejected, detail: record.comments ?? record.failure?.message ?? '' }
    case 'canceled':
      return { tone: 'neutral', title: head.canceled, detail: '' }
    case 'initiated':
    case 'reviewed':
      return { tone: 'wait', title: titleOf(record.status), detail: record.comments ?? '' }
    case 'confirmed':
    case 'pending':
    case 'processing':
      return { tone: 'neutral', title: titleOf(record.status), detail: progress(last, attempts) }
    default:
      return { tone: 'neutral', title: record.status, detail: '' }
  }
}

const titleOf = (status: string): string => nameOf(head.waiting, status)

const doneWord = (direction: string): string =>
  direction === 'inbound' ? head.paid : direction === 'outbound' ? head.paidOut : head.exchanged

function howItWent(record: PaymentRecord, attempts: readonly Attempt[]): string {
  const index = attempts.findLastIndex(({ state }) => state === 'succeeded')
  const taker = attempts[index]
  const isPartly = record.status === 'completed' && /[1-9]/.test(record.refunded_amount)
  return join(
    taker && head.tookIt(providerName(taker.provider), head.ordinals[index] ?? head.later),
    before(attempts.slice(0, Math.max(index, 0))),
    isPartly && head.partly(formatMoney(record.refunded_amount, record.currency)),
  )
}

const whyItFailed = ({ failure }: PaymentRecord, attempts: readonly Attempt[]): string =>
  join(attempts.length > 0 && head.allDeclined(listOf(attempts)), failure !== null && failure.message)

const progress = (last: Attempt | undefined, attempts: readonly Attempt[]): string =>
  join(
    last?.state === 'accepted' && head.accepted(providerName(last.provider)),
    before(attempts.slice(0, -1)),
  )

function before(attempts: readonly Attempt[]): string | false {
  const declined = attempts.filter(({ state }) => failedStates.includes(state))
  return declined.length > 0 && head.declinedBefore(listOf(declined))
}

const listOf = (attempts: readonly Attempt[]): string =>
  formatList(new Set(attempts.map(({ provider }) => providerName(provider))))

const join = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part !== false && part !== undefined && part !== '').join(' ')
