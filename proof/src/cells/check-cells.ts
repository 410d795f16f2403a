import { setTimeout as delay } from 'node:timers/promises'
import { auditViolations } from '../payments/audit-check.ts'
import { gatherEvidence, type Evidence } from '../payments/evidence.ts'
import { quietChecks, standingChecks } from '../payments/invariants.ts'
import type { Violation } from '../payments/violation.ts'
import type { Cells } from './cells.ts'

const pauseMs = 500

/** The invariants over both cells together, once nothing is in progress, and the audit of each. */
export async function checkCells(
  cells: Cells,
  limitMs: number,
): Promise<{ evidence: Evidence; violations: Violation[] }> {
  const startedAt = performance.now()
  for (;;) {
    const evidence = await gather(cells)
    const open = quietChecks.flatMap((check) => check(evidence))
    if (open.length === 0 || performance.now() - startedAt > limitMs)
      return {
        evidence,
        violations: [
          ...open,
          ...standingChecks.flatMap((check) => check(evidence)),
          ...(await auditViolations(cells.old.owner)),
          ...(await auditViolations(cells.fresh.owner)),
        ],
      }
    await delay(pauseMs)
  }
}

async function gather({ old, fresh, simulatorDir }: Cells): Promise<Evidence> {
  const receivers = { receiver: { received: [] } }
  const [one, other] = await Promise.all(
    [old, fresh].map(({ owner }) => gatherEvidence({ installation: { owner, simulatorDir }, receivers })),
  )
  if (!one || !other) throw new Error('two cells are needed')
  return {
    ...one,
    payments: [...one.payments, ...other.payments],
    attempts: [...one.attempts, ...other.attempts],
    refunds: [...one.refunds, ...other.refunds],
    events: [...one.events, ...other.events],
    deliveries: [...one.deliveries, ...other.deliveries],
    exceptions: [...one.exceptions, ...other.exceptions],
    outbox: [...one.outbox, ...other.outbox],
    processedTwice: [...one.processedTwice, ...other.processedTwice],
    rewrittenEntries: [...one.rewrittenEntries, ...other.rewrittenEntries],
    providerBalances: added(one.providerBalances, other.providerBalances),
  }
}

function added(one: Map<string, bigint>, other: Map<string, bigint>): Map<string, bigint> {
  const sum = new Map(one)
  for (const [key, value] of other) sum.set(key, (sum.get(key) ?? 0n) + value)
  return sum
}
