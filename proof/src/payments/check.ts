import { setTimeout as delay } from 'node:timers/promises'
import { auditViolations, guardViolations } from './audit-check.ts'
import type { BackOffice } from './back-office.ts'
import type { ClerkRecord } from './batch-clerk.ts'
import { changedBytes, invented, sentTooOften, undelivered } from './deliveries-check.ts'
import type { ApiClient } from '../shared/api-client.ts'
import type { CustomerRecord } from './customer.ts'
import { gatherEvidence, type Evidence } from './evidence.ts'
import { quietChecks, standingChecks, undecided } from './invariants.ts'
import type { Violation } from './violation.ts'
import { limits } from '../shared/limits.ts'
import type { Receivers } from './receivers.ts'
import { secretViolations } from './secrets-check.ts'
import { unheard } from './webhooks-check.ts'
import type { PaymentsInstallation } from './installation.ts'

export type Checked = {
  installation: PaymentsInstallation
  client: ApiClient
  receivers: Receivers
  told: CustomerRecord & ClerkRecord
  /** Answers and events in which one organisation's canary was shown to the other. */
  leaks: readonly string[]
  kills: number
  /** If it is set, people have to decide about every payment in doubt. */
  backOffice?: Pick<BackOffice, 'alone'>
}

export type Quiet = { evidence: Evidence; violations: Violation[]; waitedMs: number }

/** Waits until nothing is in progress, or until there is no more progress; what is still open then is a violation. */
export async function untilQuiet(checked: Checked, limitMs: number = limits.quietMs): Promise<Quiet> {
  const startedAt = performance.now()
  let fewest = { count: Infinity, at: startedAt }
  for (;;) {
    const readAt = performance.now()
    const evidence = await gatherEvidence(checked)
    const violations = quietViolations(checked, evidence)
    const standing = standingViolations(checked, evidence)
    const now = performance.now()
    if (violations.length < fewest.count) fewest = { count: violations.length, at: now }
    if (violations.length === 0 || now - fewest.at > limitMs)
      return { evidence, violations: [...standing, ...violations], waitedMs: now - startedAt }
    await delay(Math.max(limits.quietPauseMs, 2 * (performance.now() - readAt)))
  }
}

/** Checks that may fail while work is in progress but must hold once everything is idle. */
export const quietViolations = ({ receivers, backOffice }: Checked, evidence: Evidence): Violation[] => [
  ...quietChecks.flatMap((check) => check(evidence)),
  ...(backOffice ? undecided(evidence) : []),
  ...undelivered(evidence, receivers.endpoints),
]

/** Checks that must hold at any time. */
export function standingViolations(
  { receivers, told, leaks, kills, backOffice }: Checked,
  evidence: Evidence,
): Violation[] {
  const { received } = evidence
  return [
    ...standingChecks.flatMap((check) => check(evidence)),
    ...invented(evidence),
    ...changedBytes(receivers.endpoints, received),
    ...sentTooOften(received, kills),
    ...[...told.strangerReads, ...leaks].map((problem) => ({
      invariant: 'I13' as const,
      subject: 'strangers',
      problem,
    })),
    ...lost(told, evidence),
    ...told.violations,
    ...(backOffice?.alone ?? []).map((problem) => ({
      invariant: 'I16' as const,
      subject: 'four eyes',
      problem,
    })),
  ]
}

function lost({ acknowledged, batchIds }: Checked['told'], { payments, bulk }: Evidence): Violation[] {
  const known = new Set([
    ...payments.map(({ paymentId }) => paymentId),
    ...bulk.batches.map(({ batchId }) => batchId),
  ])
  return [...acknowledged.map(({ paymentId }) => paymentId), ...batchIds]
    .filter((id) => !known.has(id))
    .map((subject) => ({
      invariant: 'I1',
      subject,
      problem: 'it was acknowledged, but it is not in Postgres',
    }))
}

/** Runs every check once everything is idle. */
export async function checkAll(checked: Checked, quietLimitMs?: number): Promise<Quiet> {
  const quiet = await untilQuiet(checked, quietLimitMs)
  const { installation } = checked
  return {
    ...quiet,
    violations: [
      ...quiet.violations,
      ...(await auditViolations(installation.owner)),
      ...(await guardViolations(installation.owner)),
      ...(await unreadable(checked)),
      ...(await unheard(checked)),
      ...(await secretViolations(installation, checked.receivers)),
      ...installation.unexpectedExits.map((problem) => ({
        invariant: 'I15' as const,
        subject: 'processes',
        problem,
      })),
    ],
  }
}

/** Reads every acknowledged payment through the API, with the credential that created it. */
async function unreadable({ client, told }: Checked): Promise<Violation[]> {
  const waiting = [...told.acknowledged]
  const violations: Violation[] = []
  const lane = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { paymentId, key } = next
      const answer = await client.call({
        key,
        method: 'GET',
        path: `/v1/payments/${paymentId}`,
        api: next.index,
      })
      if (answer?.status !== 200)
        violations.push({
          invariant: 'I1',
          subject: paymentId,
          problem: `reading it returns ${answer?.status ?? 'no answer'}`,
        })
    }
  }
  await Promise.all(Array.from({ length: limits.lanes }, lane))
  return violations
}
