import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../db/database.ts'
import { isBeneficiaryGone, isLinkTaken } from '../../../db/errors.ts'
import type { Caller } from '../../../lib/access.ts'
import { forbidden } from '../../../lib/errors.ts'
import { auditStatement } from '../../audit-log/record-audit.ts'
import { lockBeneficiaryForPayment } from '../../beneficiaries/lock-beneficiary.ts'
import { asUncovered, linkTaken, noSuchBeneficiary } from '../errors.ts'
import type { Payment } from '../record.ts'
import { insertPayment } from '../store.ts'

/** The organisation and the user come from the credential. A body may repeat them but not name others. */
export function assertCallerIds(
  caller: Caller,
  named: { orgId: string | undefined; userId: string | undefined },
): void {
  if (named.orgId !== undefined && named.orgId !== caller.orgId)
    throw forbidden('org_id is not the organisation of your credential. Leave it out.')
  if (named.userId !== undefined && named.userId !== caller.userId)
    throw forbidden('user_id is not the user of your credential. Leave it out.')
}

/** Writes a new payment, with everything that must be stored before it is sent to a provider. */
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
  await deps.db.batchInOrg(orgId, batch).catch((error: unknown) => asRefusal(error, payment))
}

function asRefusal(error: unknown, { source }: Payment): never {
  if (isBeneficiaryGone(error)) throw noSuchBeneficiary()
  if (isLinkTaken(error)) throw linkTaken()
  throw asUncovered(error, source)
}
