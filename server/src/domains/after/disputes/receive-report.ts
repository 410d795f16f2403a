import { unavailable } from '../../../lib/errors.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import type { NewException } from '../../people/exceptions/record.ts'
import { advancePayment } from '../../payments/supervision/advance-payment.ts'
import { findAttempt, findAttemptByProviderRef } from '../../payments/attempts/reads.ts'
import type { FoundAttempt } from '../../payments/attempts/record.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { openAttempt, type LoadedPayment, type StoredAttempt } from '../../payments/record.ts'
import { isSettled } from '../../payments/lifecycle/rules.ts'
import { messageFromOther } from '../../providers/accounts/errors.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { findLeg } from '../../products/ramps/get-ramp.ts'
import { applyReport } from './apply-report.ts'
import { disputeOfRamp, disputeOfUnpaid, unknownDispute } from './errors.ts'
import type { Dispute, DisputeDeps, DisputeReport } from './record.ts'

/** Finds the payment that a report is about and applies it. A report about an unknown payment is recorded and raised. */
export async function receiveReport(
  deps: DisputeDeps,
  reported: DisputeReport,
): Promise<Dispute | undefined> {
  const { account, report } = reported
  const reference = await referenceIn(deps, reported)
  const found = reference === undefined ? undefined : await findAttempt(deps, reference)
  if (!found) {
    await raiseUnknown(deps, reported, reference)
    return undefined
  }
  const { orgId, paymentId } = found
  if (found.accountId !== account.accountId) {
    const isOwn = orgId === account.orgId
    const text = messageFromOther(account, reference ?? report.providerRef)
    await recordUnapplied(deps, reported, {
      orgId: account.orgId,
      paymentId: isOwn ? paymentId : null,
      result: 'refused: another account carries it',
      exception: text,
    })
    return undefined
  }
  const loaded = await loadWithOutcome(deps, found)
  const attempt = paidAttempt(loaded, found.attemptNo)
  if (attempt)
    return applyReport(deps, { loaded, attempt }, report, {
      inbox: (result) => reported.inbox(orgId, paymentId, result),
      isAsked: reported.isAsked,
    })
  const { status } = loaded.payment
  // The provider sends it again, and by then the payment is known to be paid.
  if (!isSettled(status)) throw unavailable('The disputed payment is still under way. Send this again later.')
  const exception = disputeOfUnpaid(reported, { paymentId, status })
  await recordUnapplied(deps, reported, {
    orgId,
    paymentId,
    result: `not applied: the payment is ${status}`,
    exception,
  })
  return undefined
}

/** Our reference of the payment, which some messages do not contain. */
async function referenceIn(
  deps: DisputeDeps,
  { account, report }: DisputeReport,
): Promise<string | undefined> {
  const { payment } = report
  if ('reference' in payment) return payment.reference
  const found = await findAttemptByProviderRef(deps, account.accountId, payment.providerRef)
  if (found) return found.reference
  const connector = await deps.connectors.load(account.orgId, account.accountId)
  return connector?.referenceOf?.(payment.providerRef)
}

/** A dispute proves that the attempt was paid. While it is open, its own message is late or lost, so its provider is asked. */
async function loadWithOutcome(
  deps: DisputeDeps,
  { orgId, paymentId, attemptNo }: FoundAttempt,
): Promise<LoadedPayment> {
  const loaded = await loadPayment(deps, orgId, paymentId)
  if (openAttempt(loaded)?.attemptNo !== attemptNo) return loaded
  await advancePayment(deps, { orgId, paymentId })
  return loadPayment(deps, orgId, paymentId)
}

function paidAttempt({ payment, attempts }: LoadedPayment, attemptNo: number): StoredAttempt | undefined {
  const isPaid = payment.status === 'completed' || payment.status === 'refunded'
  if (!isPaid || payment.direction !== 'inbound') return undefined
  return attempts.find((one) => one.attemptNo === attemptNo && one.state === 'succeeded')
}

async function raiseUnknown(
  deps: DisputeDeps,
  reported: DisputeReport,
  reference: string | undefined,
): Promise<void> {
  const leg = reference === undefined ? undefined : await findLeg(deps, reference)
  const { account } = reported
  if (leg?.accountId === account.accountId) {
    const { orgId, paymentId } = leg
    const exception = disputeOfRamp(reported, paymentId)
    await recordUnapplied(deps, reported, { orgId, paymentId, result: 'manual review: a ramp', exception })
    return
  }
  await recordUnapplied(deps, reported, {
    orgId: account.orgId,
    paymentId: null,
    result: 'no payment has this reference',
    exception: unknownDispute(reported),
  })
}

/** Records a report that was not applied, for the organisation that has to review it. */
async function recordUnapplied(
  deps: DisputeDeps,
  reported: DisputeReport,
  kept: { orgId: string; paymentId: string | null; result: string; exception: NewException },
): Promise<void> {
  const { orgId, paymentId, result, exception } = kept
  const statements = [reported.inbox(orgId, paymentId, result), insertException(orgId, exception)]
  if (orgId === installationOrgId) await deps.db.batchAcrossOrgs(statements)
  else await deps.db.batchInOrg(orgId, statements)
}
