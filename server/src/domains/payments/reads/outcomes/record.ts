import type { Money } from '../../../../lib/money/money.ts'
import type { Status } from '../../lifecycle/rules.ts'

/** What became of a payment, for another aggregate that started it. */
export interface PaymentOutcome {
  status: Status
  provider: string | null
  failureCode: string | null
  failureMessage: string | null
  fee: Money | null
}
