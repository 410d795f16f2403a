import type { Custody } from '../../../../kernel/ledger/available.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { AppError } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import { checkApproval } from '../../../pricing/approval-policies/check-approval.ts'
import type { ApprovalCause } from '../../../pricing/approval-policies/record.ts'
import { listBalances } from '../../../pricing/balances/reads.ts'
import type { Fee } from '../../../pricing/fees/record.ts'
import { pricePayment } from '../../../pricing/fees/price-payment.ts'
import { assertPayoutsOpen } from '../../../people/organizations/reads.ts'
import { findReachedDaily } from '../../initiation/check-outflow.ts'
import { notCovered } from '../../errors.ts'
import { chargeableOf, routeRequestOf } from '../../initiation/build-route-request.ts'
import { considerRoutes } from '../../initiation/choose-route.ts'
import type { InitiationDraft } from '../../initiation/draft-payment.ts'
import { priceDraft, type InitiationDeps } from '../../initiation/initiate-payment.ts'
import { assertCallerIds, memberNamed } from '../../initiation/open-payment.ts'
import type { Preview } from './record.ts'

/**
 * What an initiation would do now, without doing it: nothing is sent, stored or held. A body that is not valid is
 * refused as the initiation refuses it; what depends on the organisation's state is reported as a problem.
 */
export async function previewPayment(
  deps: InitiationDeps,
  caller: Caller,
  requested: InitiationDraft,
): Promise<Preview> {
  const { orgId } = caller
  assertCallerIds(caller, requested)
  await memberNamed(deps, caller, requested.userId)
  const draft = await priceDraft(deps, orgId, requested)
  const ids = { orgId, paymentId: newId(), now: deps.clock.now() }
  const { routing, refusal } = await considerRoutes(deps, routeRequestOf(deps, draft, ids))
  const fee = await pricePayment(deps, orgId, chargeableOf(draft))
  const custody = draft.direction === 'outbound' ? (routing.candidates[0]?.custody ?? null) : null
  const approval = await approvalOf(deps, orgId, draft)
  const funds = await fundsOf(deps, caller, { draft, fee, custody })
  const closed = custody === 'pooled' ? await closedPayouts(deps, orgId) : undefined
  // A payout that waits for approval is not held until it is approved.
  const uncovered =
    funds && !approval && funds.spendableMinor < funds.requiredMinor ? notCovered(funds) : undefined
  const problems = [refusal, closed, uncovered].filter((problem) => problem !== undefined)
  return { draft, routing, fee, custody, funds, approval, problems }
}

async function approvalOf(
  deps: InitiationDeps,
  orgId: string,
  draft: InitiationDraft,
): Promise<ApprovalCause | undefined> {
  if (draft.direction === 'inbound') return undefined
  const { cause, dailyLimits } = await checkApproval(deps, orgId, draft)
  return cause ?? findReachedDaily(deps, orgId, draft, dailyLimits)
}

async function closedPayouts(deps: InitiationDeps, orgId: string): Promise<AppError | undefined> {
  try {
    await assertPayoutsOpen(deps, orgId)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Only the pooled balance is guarded: what an own account can pay is known to its provider alone. */
async function fundsOf(
  deps: InitiationDeps,
  caller: Caller,
  { draft, fee, custody }: { draft: InitiationDraft; fee: Fee | null; custody: Custody | null },
): Promise<Preview['funds']> {
  if (custody !== 'pooled') return null
  const { currency, amountMinor } = draft.source
  const balances = await listBalances(deps, caller, { orgId: caller.orgId })
  const balance = balances.find((one) => one.custody === 'pooled' && one.currency === currency)
  return {
    currency,
    requiredMinor: amountMinor + (fee?.amountMinor ?? 0n),
    spendableMinor: (balance?.availableMinor ?? 0n) + (balance?.creditLimitMinor ?? 0n),
  }
}
