import { setTimeout as delay } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import {
  isBeneficiaryGone,
  isLinkTaken,
  isUniqueViolation,
  mayHaveCommitted,
} from '../../../kernel/db/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { forbidden, isUnavailable } from '../../../lib/errors.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { isMember } from '../../people/organizations/members/reads.ts'
import { lockBeneficiaryForPayment } from '../../parties/beneficiaries/reads.ts'
import { asUsedUp } from '../../pricing/rates/errors.ts'
import { asUncovered, beginningUnknown, linkTaken, noSuchBeneficiary } from '../errors.ts'
import type { Payment } from '../record.ts'
import { findPayment, insertPayment } from '../store.ts'

/** The organisation comes from the credential, and so does who starts a payment. A body may name another member for whom it is. */
export function assertCallerIds(
  caller: Caller,
  named: { orgId: string | undefined; userId: string | undefined },
): void {
  if (named.orgId !== undefined && named.orgId !== caller.orgId)
    throw forbidden('org_id is not the organisation of your credential. Leave it out.')
  const isOther = named.userId !== undefined && named.userId !== caller.userId
  if (isOther && caller.role !== 'org-admin' && caller.role !== 'staff')
    throw forbidden('Only an org-admin or staff may start a payment for another member. Leave user_id out.')
}

/** The other member that the payment is for. It changes nothing about who started it. */
export async function memberNamed(
  deps: { db: Database },
  caller: Caller,
  userId: string | undefined,
): Promise<string | null> {
  if (userId === undefined || userId === caller.userId) return null
  if (!(await isMember(deps, caller.orgId, userId)))
    throw forbidden('user_id is not a member of your organisation.')
  return userId
}

/** The statement that binds the caller's Idempotency-Key to the payment that it begins. */
export type KeyClaim = (paymentId: string) => CompiledQuery

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
  await writeFirst(deps, payment, batch).catch((error: unknown) => asRefusal(error, payment))
}

const retryDelaysMs = [100, 400, 1_500]

/** A broken connection leaves open whether the transaction was committed. Only then is it repeated. */
async function writeFirst(
  deps: { db: Database },
  payment: Payment,
  batch: readonly CompiledQuery[],
): Promise<void> {
  let lost: unknown
  for (const delayMs of [0, ...retryDelaysMs]) {
    if (delayMs > 0) await delay(delayMs)
    try {
      await writeOnce(deps, payment, { batch, isRepeated: lost !== undefined })
      return
    } catch (error) {
      if (mayHaveCommitted(error)) lost = error
      else if (lost === undefined || !isUnavailable(error)) throw error
    }
  }
  throw beginningUnknown(payment.paymentId, lost)
}

/** The primary key refuses the repetition of what was committed. */
async function writeOnce(
  deps: { db: Database },
  payment: Payment,
  { batch, isRepeated }: { batch: readonly CompiledQuery[]; isRepeated: boolean },
): Promise<void> {
  try {
    await deps.db.batchInOrg(payment.orgId, batch)
  } catch (error) {
    const isThere = isRepeated && isUniqueViolation(error, 'payments_pkey')
    if (!isThere || !(await isOwnWrite(deps, payment))) throw error
  }
}

/**
 * The id of a payment may be decided before, as that of a batch's row: then another process may have begun it, and
 * sends an attempt of its own. No two of them seal the details to the same bytes.
 */
async function isOwnWrite(
  deps: { db: Database },
  { orgId, paymentId, privateSealed }: Payment,
): Promise<boolean> {
  const written = await deps.db.inOrg(orgId, (tx) => findPayment(tx, orgId, paymentId))
  return written !== undefined && written.payment.privateSealed.equals(privateSealed)
}

function asRefusal(error: unknown, { source }: Payment): never {
  if (isBeneficiaryGone(error)) throw noSuchBeneficiary()
  if (isLinkTaken(error)) throw linkTaken()
  throw asUncovered(asUsedUp(error, source), source)
}
