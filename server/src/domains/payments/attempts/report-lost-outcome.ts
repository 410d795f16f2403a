import type { LoadedPayment, PaymentDeps } from '../record.ts'

/**
 * For a payment whose provider may have been called, but whose outcome could not be written. The engine asks the
 * provider once the attempt's deadline has passed. Nothing more may be sent, since it is unknown what was recorded.
 */
export function reportLostOutcome(
  deps: Pick<PaymentDeps, 'log'>,
  loaded: LoadedPayment,
  error: unknown,
): LoadedPayment {
  const { orgId, paymentId } = loaded.payment
  deps.log.error({ err: error, orgId, paymentId }, 'the outcome of a payment could not be written')
  return asInDoubt(loaded)
}

/** How a caller sees a payment that may have been sent: it is processing, and only its status can be polled. */
export const asInDoubt = ({ payment, attempts }: LoadedPayment): LoadedPayment => ({
  payment: { ...payment, status: 'processing', nextAction: null },
  attempts: attempts.map((attempt) =>
    attempt.state === 'sending' ? { ...attempt, state: 'unknown' } : attempt,
  ),
})
