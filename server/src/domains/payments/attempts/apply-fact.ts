import { isSanctioned, isStaleVersion, lostIn, suspendedIn } from '../../../kernel/db/errors.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { note } from '../../../lib/flow/correlation.ts'
import type { Meter } from '../../../lib/flow/meter.ts'
import { wakeForDeliveries } from '../../events/webhooks/publish-events.ts'
import type { LoadedPayment, PaymentDeps } from '../record.ts'
import type { Fact } from '../lifecycle/rules.ts'
import { yieldTo } from '../refunds/close-waiting-refund.ts'
import { findPayment } from '../store.ts'
import { planFact } from './plan-fact.ts'
import type { AppliedFact, Evidence, SuspendedRoutes } from './record.ts'

/**
 * Writes what a fact means for a payment in one transaction: status, attempt, ledger, events, outbox. The version
 * orders concurrent writers: whoever finds a newer one reloads the payment and decides again.
 */
export async function applyFact(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  fact: Fact | undefined,
  evidence: Evidence,
): Promise<AppliedFact> {
  note({ orgId: loaded.payment.orgId, paymentId: loaded.payment.paymentId })
  let current: LoadedPayment = { payment: loaded.payment, attempts: loaded.attempts }
  let suspended: SuspendedRoutes | undefined
  const write = async (): Promise<AppliedFact> => {
    const plan = (payment: LoadedPayment['payment']): ReturnType<typeof planFact> => {
      const found = { payment, attempts: current.attempts }
      return planFact(deps, found, fact, { ...evidence, ...(suspended && { suspended }) })
    }
    current = await yieldTo(deps, current, (payment) => (plan(payment)?.result.payment ?? payment).sums)
    const change = plan(current.payment)
    if (!change) return current
    try {
      const results = await deps.db.batchInOrg(current.payment.orgId, change.statements)
      wakeForDeliveries(deps.db, results)
      countOutcome(deps.meter, current, change.result, evidence.attemptNo)
      return change.result
    } catch (error) {
      const found = refusalIn(error)
      if (found) suspended = withRefused(suspended, found, change.result.following?.accountId)
      else if (isStaleVersion(error)) current = await reload(deps, current)
      throw error
    }
  }
  const isConflict = (error: unknown): boolean => isStaleVersion(error) || refusalIn(error) !== undefined
  return retryOnConflict('the payment', write, isConflict)
}

/** The engine ends what waits for a sender that a sanctions list refuses, or that has lost its rate or verification. */
const refusalIn = (error: unknown): ReturnType<typeof suspendedIn> =>
  isSanctioned(error) || lostIn(error) ? 'screening' : suspendedIn(error)

/** Only a refusal of the account leaves out its route. Whatever else was refused waits with the routes that it has. */
function withRefused(
  before: SuspendedRoutes | undefined,
  found: NonNullable<ReturnType<typeof suspendedIn>>,
  accountId: string | undefined,
): SuspendedRoutes {
  const isOfAccount = found === 'provider_account' || found === 'route'
  const left = isOfAccount && accountId !== undefined ? [accountId] : []
  return {
    isOutflow: before?.isOutflow === true || !isOfAccount,
    isTemporary: before?.isTemporary === true || found !== 'route',
    accountIds: new Set([...(before?.accountIds ?? []), ...left]),
  }
}

function countOutcome(
  meter: Meter,
  before: LoadedPayment,
  { payment, attempts }: AppliedFact,
  attemptNo: number,
): void {
  const stateIn = (list: LoadedPayment['attempts']) => list.find((one) => one.attemptNo === attemptNo)
  const attempt = stateIn(attempts)
  if (!attempt || attempt.state === stateIn(before.attempts)?.state) return
  const { method, direction } = payment
  meter.attempt({ provider: attempt.provider, method, direction, outcome: attempt.state })
}

async function reload(deps: PaymentDeps, { payment }: LoadedPayment): Promise<LoadedPayment> {
  const { orgId, paymentId } = payment
  const found = await deps.db.inOrg(orgId, (tx) => findPayment(tx, orgId, paymentId))
  if (!found) throw new Error('the payment no longer exists')
  return found
}
