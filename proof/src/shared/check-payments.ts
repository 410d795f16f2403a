import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { TestReceiver } from '@switchyard/server/test/app/test-receiver.ts'
import { auditViolations, guardViolations } from '../payments/audit-check.ts'
import { changedBytes, invented, undelivered } from '../payments/deliveries-check.ts'
import { gatherEvidence, type Evidence } from '../payments/evidence.ts'
import { quietChecks, standingChecks } from '../payments/invariants.ts'
import type { Endpoint } from '../payments/receivers.ts'
import type { Violation } from '../payments/violation.ts'

type Checked = {
  owner: Pool
  simulatorDir: string
  receiver: Pick<TestReceiver, 'received'>
  endpoints: readonly Endpoint[]
  /** Whether the drill itself explains a violation. */
  isExplained?: (violation: Violation) => boolean
}

type QuietCheck = { evidence: Evidence; violations: Violation[]; waitedMs: number }

const pauseMs = 500

/** Waits until nothing is in progress, then checks the invariants of payments that were sent at a steady rate. */
export async function checkPayments(checked: Checked, limitMs: number): Promise<QuietCheck> {
  const startedAt = performance.now()
  const isOpen = (violation: Violation): boolean => checked.isExplained?.(violation) !== true
  for (;;) {
    const evidence = await gatherEvidence({ installation: checked, receivers: checked })
    const open = [
      ...quietChecks.flatMap((check) => check(evidence)),
      ...undelivered(evidence, checked.endpoints),
    ].filter(isOpen)
    const waitedMs = performance.now() - startedAt
    if (open.length === 0 || waitedMs > limitMs) {
      const violations = [
        ...open,
        ...standingChecks.flatMap((check) => check(evidence)),
        ...invented(evidence),
        ...changedBytes(checked.endpoints, evidence.received),
        ...(await auditViolations(checked.owner)),
        ...(await guardViolations(checked.owner)),
      ]
      return { evidence, violations: violations.filter(isOpen), waitedMs }
    }
    await delay(pauseMs)
  }
}

/** Acknowledged payments that Postgres does not have, and orders that it has twice. */
export function lostOrDoubled(
  acknowledged: readonly { paymentId: string; reference: string }[],
  { payments }: Evidence,
): string[] {
  const known = new Set(payments.map(({ paymentId }) => paymentId))
  const lost = acknowledged.filter(({ paymentId }) => !known.has(paymentId))
  const byReference = Map.groupBy(payments, ({ clientReference }) => clientReference)
  const doubled = acknowledged.filter(({ reference }) => (byReference.get(reference)?.length ?? 0) > 1)
  return [
    ...lost.map(({ paymentId }) => `I1 ${paymentId}: it was acknowledged, but it is not in Postgres`),
    ...doubled.map(({ reference }) => `I2 ${reference}: there is more than one payment for it`),
  ]
}

export const formatViolation = ({ invariant, subject, problem }: Violation): string =>
  `${invariant} ${subject}: ${problem}`
