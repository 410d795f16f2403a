import type { CompiledQuery } from 'kysely'
import { shareBeneficiary } from './store.ts'

/** A statement for the transaction that starts a payment: it fails if the beneficiary was deleted meanwhile. */
export const lockBeneficiaryForPayment = (orgId: string, beneficiaryId: string): CompiledQuery =>
  shareBeneficiary(orgId, beneficiaryId)
