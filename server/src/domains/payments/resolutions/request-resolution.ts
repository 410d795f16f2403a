import { timeIn, type Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { conflict, notFound } from '../../../lib/errors.ts'
import { formatMinor, type Money } from '../../../lib/money/money.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { ChangeRequest } from '../../people/change-requests/record.ts'
import { providerAmount, type LoadedPayment } from '../record.ts'
import { isRefundInDoubt } from '../refunds/rules.ts'
import { findRefund } from '../refunds/store.ts'
import { findPayment } from '../store.ts'
import { refundNotInDoubt } from './errors.ts'
import { readDoubt } from './read-doubt.ts'
import type { ResolutionDeps, ResolvedOutcome, Subject } from './record.ts'
import { approverFor, resolvableAttempt } from './rules.ts'
import type { Proposal } from './schema.ts'

interface ResolutionProposal {
  orgId: string | undefined
  paymentId: string
  outcome: ResolvedOutcome
  evidence: string
  providerReference: string | null
}

/** Proposes the outcome of a payment that its provider has not reported. Nothing changes until a second person approves. */
export function requestResolution(
  deps: ResolutionDeps,
  caller: Caller,
  input: ResolutionProposal,
): Promise<ChangeRequest> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  return deps.db.acrossOrgs(async (tx) => {
    const loaded = await findPayment(tx, orgId, input.paymentId)
    if (!loaded) throw notFound('The payment')
    const { custody, provider, ...subject } = await subjectOf(deps, tx, loaded, input.outcome)
    return deps.changeControl.propose(tx, caller, {
      orgId,
      kind: 'payment.resolve',
      approver: approverFor({ custody, provider }),
      payload: { ...payloadOf(input), ...idsOf(subject) },
      summary: summaryOf(`Payment ${input.paymentId} of ${format(amountOf(loaded))}`, provider, input),
    })
  })
}

/** The same for a refund. */
export function requestRefundResolution(
  deps: ResolutionDeps,
  caller: Caller,
  input: ResolutionProposal & { refundId: string },
): Promise<ChangeRequest> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  return deps.db.acrossOrgs(async (tx) => {
    const refund = await findRefund(tx, orgId, input.refundId)
    if (!refund || refund.paymentId !== input.paymentId) throw notFound('The refund')
    if (!isRefundInDoubt(refund, { pollSchedule: deps.pollSchedule, now: await timeIn(tx) }))
      throw refundNotInDoubt(refund.state)
    return deps.changeControl.propose(tx, caller, {
      orgId,
      kind: 'refund.resolve',
      approver: approverFor(refund),
      payload: { ...payloadOf(input), refund_id: refund.refundId },
      summary: summaryOf(`Refund ${refund.refundId} of ${format(refund)}`, refund.provider, input),
    })
  })
}

/** The attempt or the leg that is in doubt. */
async function subjectOf(
  deps: ResolutionDeps,
  tx: Tx,
  loaded: LoadedPayment,
  outcome: ResolvedOutcome,
): Promise<Subject> {
  const { orgId, paymentId, direction } = loaded.payment
  if (direction === 'external') {
    if (outcome === 'returned') throw conflict('A ramp is resolved leg by leg, as completed or failed.')
    return deps.legResolver.find(tx, orgId, paymentId)
  }
  const doubt = await readDoubt(deps, tx, loaded)
  const { attemptNo, custody, provider } = resolvableAttempt(loaded, outcome, doubt)
  return { attemptNo, custody, provider }
}

const payloadOf = ({ paymentId, outcome, evidence, providerReference }: ResolutionProposal): Proposal => ({
  payment_id: paymentId,
  outcome,
  evidence,
  provider_reference: providerReference,
})

const idsOf = ({ attemptNo, legNo }: Pick<Subject, 'attemptNo' | 'legNo'>): Partial<Proposal> => ({
  ...(attemptNo !== undefined && { attempt_no: attemptNo }),
  ...(legNo !== undefined && { leg_no: legNo }),
})

const amountOf = ({ payment }: LoadedPayment): Money => providerAmount(payment)

const format = ({ amountMinor, currency }: Money): string =>
  `${formatMinor(amountMinor, currency)} ${currency}`

const summaryOf = (what: string, provider: string, { outcome, evidence }: ResolutionProposal): string =>
  `${what} at ${provider}: ${outcome}. Evidence: ${evidence}`
