import { asInDoubt } from '../attempts/report-lost-outcome.ts'
import { loadPayment } from '../get-payment.ts'
import { lastAttempt, type LoadedPayment, type PaymentDeps } from '../record.ts'

/** A payment as a repeated request sees it: while its attempt is being sent, its outcome is in doubt. */
export async function loadBegunPayment(
  deps: Pick<PaymentDeps, 'db'>,
  orgId: string,
  paymentId: string,
): Promise<LoadedPayment> {
  const loaded = await loadPayment(deps, orgId, paymentId)
  return lastAttempt(loaded)?.state === 'sending' ? asInDoubt(loaded) : loaded
}

/** The response can be replayed: it says more than that the outcome has to be polled. */
export const hasKnownOutcome = (loaded: LoadedPayment): boolean => lastAttempt(loaded)?.state !== 'unknown'
