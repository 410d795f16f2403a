import type { ApprovalCause } from '../../../pricing/approval-policies/record.ts'
import type { Fee } from '../../../pricing/fees/record.ts'
import type { Custody } from '../../../../kernel/ledger/available.ts'
import type { AppError } from '../../../../lib/errors.ts'
import type { InitiationDraft } from '../../initiation/draft-payment.ts'
import type { Routing } from '../../record.ts'

/** What an initiation with the same body would do now. */
export interface Preview {
  draft: InitiationDraft
  routing: Routing
  fee: Fee | null
  /** What pays for a payout; null for a payin, or when no route is found. */
  custody: Custody | null
  /** What the balance of a pooled payout has to cover, and what it covers. */
  funds: { requiredMinor: bigint; spendableMinor: bigint; currency: string } | null
  approval: ApprovalCause | undefined
  /** The errors that the initiation would answer with. */
  problems: AppError[]
}
