import type { Accepted, Inquiry } from '../../../connectors/kit/connector.ts'
import type { AttemptState, Fact } from '../rules.ts'

/** An attempt, or a leg of a ramp, about which its provider was asked. */
export interface Asked {
  state: AttemptState
  createdAt: Date
  /** How often in a row it was not found before. */
  notFoundCount: number
}

export const neverReceived: Extract<Fact, { kind: 'not_sent' }> = {
  kind: 'not_sent',
  reason: 'the provider never received it',
}

const notFoundTimes = 2

/**
 * What the answer says. "Not found" is final only where the connector says so, after its window, and twice in a
 * row; an inquiry's own trouble changes nothing.
 */
export function readInquiry(
  inquiry: Inquiry,
  asked: Asked,
  { now, notFoundFinalAfterMs }: { now: Date; notFoundFinalAfterMs: number | undefined },
): { fact: Accepted | typeof neverReceived | undefined; notFoundCount: number } {
  if (inquiry.kind !== 'not_found')
    return { fact: inquiry.kind === 'accepted' ? inquiry : undefined, notFoundCount: 0 }
  const notFoundCount = asked.notFoundCount + 1
  const ageMs = now.getTime() - asked.createdAt.getTime()
  const isFinal =
    asked.state === 'unknown' &&
    notFoundFinalAfterMs !== undefined &&
    notFoundCount >= notFoundTimes &&
    ageMs >= notFoundFinalAfterMs
  return { fact: isFinal ? neverReceived : undefined, notFoundCount }
}
