import type { AcceptedOutcome, Inquiry } from '../../../connectors/kit/connector.ts'
import type { AttemptState, Fact } from '../lifecycle/rules.ts'

/** The attempt, or the leg of a ramp, that the inquiry was about. */
export interface InquirySubject {
  state: AttemptState
  createdAt: Date
  /** How many inquiries in a row have not found it before this one. */
  notFoundCount: number
}

export const neverReceived: Extract<Fact, { kind: 'not_sent' }> = {
  kind: 'not_sent',
  reason: 'the provider never received it',
}

const notFoundsRequired = 2

interface InquiryRule {
  now: Date
  notFoundFinalAfterMs: number | undefined
  /** At its time in the schedule. Pages and webhooks may ask at any moment, so their "not found" does not count. */
  isScheduled: boolean
}

/**
 * Derives a fact from the provider's answer. "Not found" is final only if the connector declares a window, after
 * that window, and twice in a row; a failed inquiry is no fact.
 */
export function readInquiry(
  inquiry: Inquiry,
  subject: InquirySubject,
  { now, notFoundFinalAfterMs, isScheduled }: InquiryRule,
): { fact: AcceptedOutcome | typeof neverReceived | undefined; notFoundCount: number } {
  if (inquiry.kind !== 'not_found')
    return { fact: inquiry.kind === 'accepted' ? inquiry : undefined, notFoundCount: 0 }
  if (!isScheduled) return { fact: undefined, notFoundCount: subject.notFoundCount }
  const notFoundCount = subject.notFoundCount + 1
  const ageMs = now.getTime() - subject.createdAt.getTime()
  const isFinal =
    subject.state === 'unknown' &&
    notFoundFinalAfterMs !== undefined &&
    notFoundCount >= notFoundsRequired &&
    ageMs >= notFoundFinalAfterMs
  return { fact: isFinal ? neverReceived : undefined, notFoundCount }
}
