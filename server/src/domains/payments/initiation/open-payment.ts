import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../db/database.ts'
import { isStale } from '../../../db/errors.ts'
import type { Caller } from '../../../lib/access.ts'
import { forbidden } from '../../../lib/errors.ts'
import { auditStatement } from '../../audit-log/record-audit.ts'
import { lockBeneficiaryForPayment } from '../../beneficiaries/lock-beneficiary.ts'
import { noSuchBeneficiary } from '../errors.ts'
import type { Payment } from '../record.ts'
import { insertPayment } from '../store.ts'

/** The organisation and the user come from the credential; a body may repeat them, not change them. */
export function assertCallerIds(
  caller: Caller,
  named: { orgId: string | undefined; userId: string | undefined },
): void {
  if (named.orgId !== undefined && named.orgId !== caller.orgId)
    throw forbidden('org_id is not the organisation of your credential. Leave it out.')
  if (named.userId !== undefined && named.userId !== caller.userId)
    throw forbidden('user_id is not the user of your credential. Leave it out.')
}

/** Writes a new payment, with whatever must be known before anything is sent for it. */
export async function openPayment(
  deps: { db: Database },
  caller: Caller,
  payment: Payment,
  extraStatements: readonly CompiledQuery[],
): Promise<void> {
  const { orgId, paymentId, beneficiaryId } = payment
  const batch = [
    ...(beneficiaryId === null ? [] : [lockBeneficiaryForPayment(orgId, beneficiaryId)]),
    insertPayment(orgId, payment),
    auditStatement(caller, orgId, {
      action: 'payment.initiate',
      resourceType: 'payment',
      resourceId: paymentId,
      after: { status: payment.status, direction: payment.direction, payment_method: payment.method },
    }),
    ...extraStatements,
  ]
  await deps.db.batchInOrg(orgId, batch).catch((error: unknown) => {
    throw isStale(error) ? noSuchBeneficiary() : error
  })
}
