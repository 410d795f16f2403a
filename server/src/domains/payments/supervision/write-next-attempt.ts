import { isSanctioned, isStaleVersion, lostIn, suspendedIn } from '../../../kernel/db/errors.ts'
import { newAttempt } from '../attempts/prepare-attempt.ts'
import { insertAttempt } from '../attempts/store.ts'
import { screenPaymentAgain } from '../reads/list-subjects.ts'
import type { LoadedPayment, PaymentDeps, RouteCandidate } from '../record.ts'
import { updatePayment } from '../store.ts'

/** Why nothing was written. */
type Unwritten = 'stale' | 'suspended' | 'sanctioned' | 'closed' | 'rate' | 'verification'

/** Screens by the lists in use now, because the payment may have waited for days, and writes the attempt before it is sent. */
export async function writeNextAttempt(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  routes: readonly RouteCandidate[],
): Promise<LoadedPayment | Unwritten> {
  try {
    await screenPaymentAgain(deps, loaded.payment)
  } catch (error) {
    if (isSanctioned(error)) return 'sanctioned'
    throw error
  }
  return writeAttempt(deps, loaded, routes)
}

/**
 * For the first route that is open and whose account is not suspended. What a suspension holds back waits until it is
 * lifted; a route that was closed since is left out, and a payout whose rate or verification is gone is not sent.
 */
async function writeAttempt(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  routes: readonly RouteCandidate[],
): Promise<LoadedPayment | Unwritten> {
  const { orgId, paymentId, version } = loaded.payment
  let isAnySuspended = false
  for (const route of routes) {
    const now = deps.clock.now()
    const attempt = newAttempt(loaded, route, { ...deps, now })
    const payment = { ...loaded.payment, version: version + 1, updatedAt: now }
    try {
      await deps.db.batchInOrg(orgId, [
        updatePayment(orgId, version, payment),
        insertAttempt(orgId, paymentId, attempt),
      ])
      return { payment, attempts: [...loaded.attempts, attempt] }
    } catch (error) {
      if (isStaleVersion(error)) return 'stale'
      if (isSanctioned(error)) return 'sanctioned'
      const lost = lostIn(error)
      if (lost) return lost
      const suspended = suspendedIn(error)
      if (!suspended) throw error
      if (suspended !== 'provider_account' && suspended !== 'route') return 'suspended'
      isAnySuspended ||= suspended === 'provider_account'
    }
  }
  return isAnySuspended ? 'suspended' : 'closed'
}
