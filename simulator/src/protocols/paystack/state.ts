import { z } from 'zod'
import type { Store } from '../../core/store.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { subunitsOf } from './identifiers.ts'
import {
  customerSchema,
  dedicatedAccountSchema,
  recipientSchema,
  type DedicatedAccount,
  type Recipient,
} from './schema.ts'

const checkoutSchema = z.object({ account: z.string(), reference: z.string() })
const refundIdsSchema = z.array(z.string())

/** The state of the protocol beside the transactions. */
export interface Paystack {
  readonly kit: Kit
  /** Indexed by code and by account number, because the same account has one recipient. */
  readonly recipients: Store<Recipient>
  /** By access code. */
  readonly checkouts: Store<z.infer<typeof checkoutSchema>>
  /** The refunds of a transaction, by account and reference. */
  readonly refundIds: Store<string[]>
  /** By code. */
  readonly customers: Store<z.infer<typeof customerSchema>>
  /** By account number. */
  readonly dedicatedAccounts: Store<DedicatedAccount>
}

export function openState(kit: Kit): Paystack {
  return {
    kit,
    recipients: kit.objects('recipients', recipientSchema),
    checkouts: kit.objects('checkouts', checkoutSchema),
    refundIds: kit.objects('refund-ids', refundIdsSchema),
    customers: kit.objects('customers', customerSchema),
    dedicatedAccounts: kit.objects('dedicated-accounts', dedicatedAccountSchema),
  }
}

export function refundKeyOf(charge: Transaction): string {
  return JSON.stringify([charge.account, charge.reference])
}

export function refundsOf({ kit, refundIds }: Paystack, charge: Transaction): Transaction[] {
  const ids = refundIds.get(refundKeyOf(charge)) ?? []
  return ids.flatMap((id) => kit.transactions.findByProviderRef(charge.account, id) ?? [])
}

export function isFullyRefunded(paystack: Paystack, charge: Transaction): boolean {
  const done = refundsOf(paystack, charge).filter((refund) => refund.state === 'completed')
  const refunded = done.reduce((sum, refund) => sum + subunitsOf(refund.amount), 0)
  return refunded > 0 && refunded >= subunitsOf(charge.amount)
}
