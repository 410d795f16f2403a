import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { CorridorSource } from '../../providers/configs/list-corridor.ts'
import type { ConnectorSource } from '../../providers/accounts/load-connector.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { ScreeningDeps } from '../../compliance/sanctions/matches/record.ts'

export interface BankDetails {
  account_name?: string | undefined
  account_number?: string | undefined
  bank_name?: string | undefined
  bank_code?: string | undefined
  sort_code?: string | undefined
  iban?: string | undefined
  swift_code?: string | undefined
  country?: string | undefined
}

/** Personal data of a beneficiary, sealed at rest. */
export interface BeneficiaryDetails {
  fname: string
  lname: string
  email: string | null
  phone_number: string | null
  momo_details: { provider: string; phone_number: string } | null
  bank_details: BankDetails | null
  loan_client_details: {
    loan_id?: string | undefined
    product?: string | undefined
    branch?: string | undefined
  } | null
}

export type NameMatch = 'matched' | 'partial' | 'mismatched'

export interface BeneficiaryRow {
  orgId: string
  beneficiaryId: string
  beneficiaryOf: string
  accountType: string
  beneficiaryType: string
  country: string
  currency: string
  detailsSealed: Buffer
  externalAccountId: string | null
  createdAt: Date
  updatedAt: Date
}

export interface Beneficiary extends Omit<BeneficiaryRow, 'detailsSealed'> {
  details: BeneficiaryDetails
}

export type BeneficiaryAccount = Pick<
  BeneficiaryRow,
  'beneficiaryId' | 'accountType' | 'country' | 'currency' | 'updatedAt'
>

export interface NewBeneficiary {
  beneficiaryOf: string
  accountType: string
  beneficiaryType: string
  country: string
  currency: string
  externalAccountId: string | null
  details: BeneficiaryDetails
}

export interface BeneficiaryChange {
  accountType?: string
  beneficiaryType?: string
  country?: string
  currency?: string
  externalAccountId?: string | null
  details: Partial<BeneficiaryDetails>
}

export interface NameCheck {
  status: NameMatch | 'unavailable'
  accountName: string | null
  provider: string | null
}

export interface BeneficiaryDeps {
  db: Database
  vault: Vault
  cursorKey: KeyRing
}

/** What writes the name of a beneficiary screens it. */
export type BeneficiaryWriteDeps = BeneficiaryDeps & ScreeningDeps

export interface NameCheckDeps {
  db: Database
  nameChecksPerDay: number
  connectors: ConnectorSource
  corridors: CorridorSource
}

/** Passed in because the payments domain, which answers it, depends on this one. */
export type PaymentCheck = (tx: Tx, orgId: string, beneficiaryId: string) => Promise<boolean>
