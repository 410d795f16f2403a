import type { Tx } from '../../../kernel/db/database.ts'
import type { KybChange, OrganizationKyb } from './record.ts'
import { findOrgByKybCustomerAcrossOrgs, lockKybRow, updateKybRow } from './store.ts'

/** Until the commit nobody else changes the organisation's verification. */
export const lockKyb = (tx: Tx, orgId: string): Promise<OrganizationKyb | undefined> => lockKybRow(tx, orgId)

/** The organisation that a KYB provider knows under this customer id; for its webhooks. */
export const findOrgByKybCustomer = (
  tx: Tx,
  customer: { customerId: string; orgId: string | undefined },
): Promise<string | undefined> => findOrgByKybCustomerAcrossOrgs(tx, customer)

export const updateKyb = (tx: Tx, orgId: string, change: KybChange): Promise<void> =>
  updateKybRow(tx, orgId, change)
