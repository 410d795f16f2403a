import { asInDoubt } from '../attempts/report-lost-outcome.ts'
import { allProvidersFailed } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import { lastAttempt, type LoadedPayment, type PaymentDeps } from '../record.ts'
import type { AttemptState } from '../lifecycle/rules.ts'

/**
 * A payment as a repeated request sees it: while its attempt is being sent, its outcome is in doubt. One that every
 * provider refused is answered as the first request was.
 */
export async function loadBegunPayment(
  deps: Pick<PaymentDeps, 'db'>,
  orgId: string,
  paymentId: string,
): Promise<LoadedPayment> {
  const loaded = await loadPayment(deps, orgId, paymentId)
  if (loaded.payment.status === 'failed' && loaded.attempts.every(({ state }) => refused.includes(state)))
    throw allProvidersFailed(loaded.payment)
  return lastAttempt(loaded)?.state === 'sending' ? asInDoubt(loaded) : loaded
}

const refused: readonly AttemptState[] = ['declined', 'not_sent']

/** The response can be replayed, because it contains more than that the outcome has to be polled. */
export const hasKnownOutcome = (loaded: LoadedPayment): boolean => lastAttempt(loaded)?.state !== 'unknown'
