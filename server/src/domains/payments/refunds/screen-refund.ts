import { asSuspended } from '../../compliance/suspensions/errors.ts'
import { screenPaymentAgain } from '../reads/list-subjects.ts'
import type { LoadedPayment, PaymentDeps } from '../record.ts'

/** Whoever paid may have come onto a list since. */
export const screenBeforeRefund = (deps: PaymentDeps, { payment }: LoadedPayment): Promise<void> =>
  screenPaymentAgain(deps, payment).catch((error: unknown) => {
    throw asSuspended(error)
  })
